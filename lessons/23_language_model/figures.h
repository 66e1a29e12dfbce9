// The figures and tables of this lesson.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lessons/23_language_model/generation.h"
#include "lessons/23_language_model/recipe.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

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
void show_losses(course::Lesson& lesson, const ValidationLosses& found, const Characters& text);
void show_training(course::Lesson& lesson, const Curve& curve, double best_table);
void show_heads(course::Lesson& lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings);
void show_cost(course::Lesson& lesson, const Cost& with, const Cost& without, int generated);

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
void show_temperatures(course::Lesson& lesson, const TemperatureResults& found);

}  // namespace heed::lesson23
