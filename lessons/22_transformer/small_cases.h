// The small cases of lesson 22 that are computed by hand, as tables.
#pragma once

#include "attention/decoding/decode.h"
#include "lessons/course/course.h"

namespace heed::lesson22 {

// Two tokens of one number each, mixed without and with residual connections: the numbers and their
// difference.
void add_row(course::Table& table, int layers, const Tensor& alone, const Tensor& added);

// Each token [T, 3] beside its normalised numbers.
void show_normalised(course::Lesson& lesson, const Tensor& tokens, const Tensor& normalised);

// Each number x [T, 1] and what the feed-forward network makes of it.
void show_absolute_values(course::Lesson& lesson, const Tensor& x, const Tensor& y);

// A decoder of the words (start), a, the, cat and dog with the probabilities of the text.
Decodable four_words();
// The sentences that greedy decoding and a beam of 2 find, with their probabilities; and the scores
// of two sentences with a length penalty.
void show_searches(course::Lesson& lesson, const Hypothesis& greedy, const Hypothesis& beam);

// The parameters of the published model with this many blocks in each stack, in millions.
double published_parameters(std::int64_t blocks);

}  // namespace heed::lesson22
