// The figures and tables of this lesson, from what was measured.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lessons/20_language_model/recipe.h"
#include "lessons/20_language_model/writing.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson20 {

// Losses on the whole validation part.
struct Judgement {
    std::vector<double> by_place;  // of the model
    std::vector<double> tables;    // of counts, by the number of characters they look back: 0 ...
    std::size_t stored = 0;        // numbers in the tables
    double loss() const;           // of the model
    double best_table() const;
};
Judgement judge(const LanguageModel& model, const Characters& text, const Settings& settings,
                int longest);
void show_judgement(course::Lesson& lesson, const Judgement& found, const Characters& text);
void show_training(course::Lesson& lesson, const Curve& curve, double best_table);
void show_heads(course::Lesson& lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings);
void show_work(course::Lesson& lesson, const Work& with, const Work& without, int written);

// Writing at several temperatures, from all characters and from the likeliest only.
struct Boldness {
    std::map<double, Quality> all, top;   // by temperature
    std::map<double, std::string> lines;  // the beginning of a text each
};
inline constexpr int few = 3;  // top-k
Boldness try_temperatures(const LanguageModel& model, const Characters& text, int rows, int length,
                          std::uint64_t seed);
void show_boldness(course::Lesson& lesson, const Boldness& found);

}  // namespace heed::lesson20
