// What a computation costs, counted on its recorded graph. And translation by the length of the
// sentence: a fixed context, attention over recurrent states, and the Transformer, trained on the
// same sentences of up to sixty words.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/material/translation/ladder.h"

namespace heed::lesson21 {

// --- costs --------------------------------------------------------------------------------------

struct Counts {
    int64_t waiting = 0;  // operations on the longest chain, each of which needs the one before it
    int64_t path = 0;     // operations on the shortest way from `from` to y
    int64_t multiply_adds = 0;  // of all matrix products
    int64_t bytes = 0;          // of all results, in float32
};

// Counts on the graph of y. At least one factor of every matrix product must take part in it.
// `from` must be one of the inputs of y; throws Error if not. An operation that moves numbers
// without computing (a view, a concatenation) does not count.
Counts count(const Tensor& y, const Tensor& from);

// Of a computation forward and backward: the median of seven runs.
double seconds_of(const std::function<Tensor()>& forward);

// --- translation by length ----------------------------------------------------------------------

inline constexpr std::array<course::LengthBand, 6> bands{{{2, 10, "2-10"},
                                                          {11, 20, "11-20"},
                                                          {21, 30, "21-30"},
                                                          {31, 40, "31-40"},
                                                          {41, 50, "41-50"},
                                                          {51, 60, "51-60"}}};
inline constexpr course::LadderModel compared[] = {
    course::LadderModel::fixed, course::LadderModel::additive, course::LadderModel::transformer};

// The share of words that a model predicts right when it is given the true words before them, for
// each band of source lengths; NaN for a band without sentences.
std::vector<double> words_right(const course::Translator& model, const course::TextSet& set);

struct Trained {
    std::string name{};
    std::int64_t parameters = 0;
    std::vector<std::vector<double>> right{};  // [seeds][bands]
    std::vector<double> seconds{};             // of training, for each seed
};
// Trains each of the compared models on the same batches, with several seeds.
std::vector<Trained> train_by_length(course::Lesson& lesson, const course::ParallelText& text,
                                     int steps, int seeds);

}  // namespace heed::lesson21
