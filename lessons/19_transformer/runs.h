// The runs of this lesson: every rung of the ladder and every change of the Transformer, trained on
// the same batches with several seeds.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lessons/19_transformer/ladder.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/course/translation/pair_files.h"

namespace heed::lesson19 {

struct Settings {
    int steps = 0, seeds = 0;    // 0: 500 and 5, of files 2,000 and 2; in quick mode 60 and 1
    int changes = 0;             // seeds of the changed Transformers; 0: 3, in quick mode 1
    int pairs = 0, longest = 0;  // of the corpus; 0: 12,000 of at most 10 words (3,000 of 6)
    int width = 0;               // of the Transformer; 0: 64
    double dropout = NAN;        // not given: none on the corpus, 0.2 on files
    bool tune = false;
    std::array<double, std::size(rungs)> rates{};  // of the rungs; 0: those of ladder.h
    course::PairFiles files;

    Size size() const { return {width, dropout}; }
};
void add_options(course::Lesson& lesson, Settings& settings);
void settle(Settings& settings, const course::Lesson& lesson);
// The corpus, or with --data the reader's own pairs.
course::ParallelText make_text(course::Lesson& lesson, const Settings& settings);

// Every rung with each of the rates tried, by the validation loss: the best go into the settings.
void tune(course::Lesson& lesson, const course::ParallelText& text, Settings& settings);

// What came of one model, a number for each seed.
struct Outcome {
    std::string name{};
    double rate = 0;
    std::int64_t parameters = 0;
    std::vector<double> exact{};      // share of test sentences translated word for word
    std::vector<double> loss{};       // nats a token, on the test part
    std::vector<double> aer{};        // alignment error rate; empty without attention or gold
    std::vector<double> bleu{};       // 0 to 100, written greedily
    std::vector<double> beam_bleu{};  // with a beam of 5, of files only
    std::vector<double> seconds{};    // of training
    std::vector<double> tokens{};     // of the target, read in training
    std::vector<std::vector<double>> curves{};  // training loss, averaged over stretches
};
struct Ladder {
    std::vector<Outcome> rungs;
    std::vector<course::Translator> models;  // the first of each rung
    Transformer transformer;                 // the first one trained
};
Ladder climb(course::Lesson& lesson, const course::ParallelText& text, const Settings& settings);
// The unchanged one is the ladder's, its first seeds.
std::vector<Outcome> change_one_part(course::Lesson& lesson, const course::ParallelText& text,
                                     const Settings& settings, Outcome unchanged);
// The changes that are tried, the first of them none.
std::vector<Change> changes();

// --load: the Transformer of a file; and --save.
Transformer loaded(course::Lesson& lesson, const course::ParallelText& text,
                   const Settings& settings);
void save(const course::Lesson& lesson, const Transformer& model,
          const course::ParallelText& text);

double mean_of(const std::vector<double>& values);

}  // namespace heed::lesson19
