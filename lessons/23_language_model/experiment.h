// The training of this lesson's model (model.h), and its evaluation.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lessons/23_language_model/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

// --- training -----------------------------------------------------------------------------------

void add_options(course::Lesson& lesson, Settings& settings);
// Fills in the defaults of settings that are 0. Throws for values out of range.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// Validation losses during training, in nats a character.
struct Curve {
    std::vector<double> at, valid;  // number of steps, and the loss on 20 random validation batches
};
// With --load nothing is trained and the curve is empty; --save writes the model to a file.
Curve train_or_load(course::AtCall lesson, LanguageModel& model, const Characters& text,
                    const Settings& settings);
// The mean loss at each position of a piece [T], over all consecutive pieces of the text: at
// position t the context has t + 1 characters.
std::vector<double> loss_by_position(const LanguageModel& model, const std::vector<int>& text,
                                     const Settings& settings);

// How far back a head reads: its mean weight at 0, 1, ..., reach - 1 characters back, and the mean distance over all
// that it reads. Averaged over the positions that have so many characters before them.
struct HeadDistances {
    std::string name;  // "2.1": the first head of the second layer
    std::vector<double> weights;
    double mean = 0;
};
std::vector<HeadDistances> head_distances(const LanguageModel& model, const std::vector<int>& text,
                                          const Settings& settings, int reach);

// --- evaluation ---------------------------------------------------------------------------------

// The tables are counted in at most this many characters of the training text, because they take
// some hundred bytes for each of them.
inline constexpr std::size_t most_counted = 2'000'000;

// Losses on the whole validation text.
struct ValidationLosses {
    std::vector<double> by_position;  // of the model, by position in the context
    std::vector<double> tables;       // of n-gram tables with contexts of 0, 1, ... characters
    std::vector<double> seen;         // share of validation contexts that the table has counted
    std::size_t stored = 0;           // number of counts in the tables
    std::size_t counted = 0;          // the characters they were counted in
    double loss() const;              // of the model
    double best_table() const;
};
ValidationLosses validation_losses(const LanguageModel& model, const Characters& text,
                                   const Settings& settings, int longest);

// The quality of generated text by temperature: sampled from all characters, with top-k and with
// top-p.
struct TemperatureResults {
    std::map<double, Quality> all, top, nucleus;  // by temperature
    std::map<double, std::string> lines;          // the first line of a text
};

inline constexpr int few = 3;        // top-k
inline constexpr double mass = 0.9;  // top-p

TemperatureResults try_temperatures(const LanguageModel& model, const Characters& text, int rows,
                                    int length, std::uint64_t seed);

}  // namespace heed::lesson23
