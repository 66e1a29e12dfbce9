// The runs of this lesson: every rung of the ladder and every change of the Transformer, trained on
// the same batches with several seeds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/19_transformer/ladder.h"
#include "lessons/course/lesson.h"

namespace heed::lesson19 {

struct Settings {
    int steps = 0, seeds = 0;    // 0: 500 and 5, in quick mode 60 and 1
    int changes = 0;             // seeds of the changed Transformers; 0: 3, in quick mode 1
    int pairs = 0, longest = 0;  // of the corpus; 0: 12,000 of at most 10 words (3,000 of 6)
};
void add_options(course::Lesson& lesson, Settings& settings);
void settle(Settings& settings, const course::Lesson& lesson);
course::ParallelText make_text(const course::Lesson& lesson, const Settings& settings);

// What came of one model, a number for each seed.
struct Outcome {
    std::string name{};
    std::int64_t parameters = 0;
    std::vector<double> exact{};                // share of test sentences translated word for word
    std::vector<double> loss{};                 // nats a word, on the test part
    std::vector<double> aer{};                  // alignment error rate; empty without attention
    std::vector<double> seconds{};              // of training
    std::vector<std::vector<double>> curves{};  // training loss, averaged over stretches
};
struct Ladder {
    std::vector<Outcome> rungs;
    course::Translator transformer;  // the first one trained
};
Ladder climb(course::Lesson& lesson, const course::ParallelText& text, const Settings& settings);
// The unchanged one is the ladder's, its first seeds.
std::vector<Outcome> change_one_part(course::Lesson& lesson, const course::ParallelText& text,
                                     const Settings& settings, Outcome unchanged);
// The changes that are tried, the first of them none.
std::vector<Change> changes();

void show_ladder(course::Lesson& lesson, const std::vector<Outcome>& all);
void show_changes(course::Lesson& lesson, const std::vector<Outcome>& all,
                  const Settings& settings);
double mean_of(const std::vector<double>& values);

}  // namespace heed::lesson19
