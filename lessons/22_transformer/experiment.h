// The training runs of this lesson: every model and every variant of the Transformer, trained on
// the same batches with several seeds.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lessons/course/lesson/lesson.h"
#include "lessons/material/translation/ladder.h"
#include "lessons/material/translation/pair_files.h"

namespace heed::lesson22 {

struct Settings {
    int steps = 0, seeds = 0;    // 0: 500 and 5, with files 2,000 and 2; in quick mode 60 and 1
    int variant_seeds = 0;       // seeds of the variants; 0: 3, in quick mode 1
    int pairs = 0, longest = 0;  // of the corpus; 0: 12,000 of at most 10 words (3,000 of 6)
    int width = 0;               // of the Transformer; 0: 64
    double dropout = NAN;        // NaN: not given, then 0 on the corpus and 0.2 on files
    bool tune = false;
    std::array<double, std::size(course::ladder)> rates{};  // learning rate of each model
    course::PairFiles files;

    course::TranslatorSize size() const { return {width, dropout}; }
};
void add_options(course::Lesson& lesson, Settings& settings);
void complete_settings(Settings& settings, const course::Lesson& lesson);
// The corpus, or with --data the reader's own pairs.
course::ParallelText make_text(course::Lesson& lesson, const Settings& settings);

// Trains every model with each of `rates_tried` and stores the rate of lowest validation loss in
// the settings.
void tune(course::AtCall lesson, const course::ParallelText& text, Settings& settings);

// The results of one model, one number for each seed.
struct Outcome {
    std::string name{};
    std::int64_t parameters = 0;
    std::vector<double> exact{};      // share of test sentences translated exactly
    std::vector<double> loss{};       // nats a token, on the test set
    std::vector<double> aer{};        // alignment error rate; empty without attention or gold
    std::vector<double> bleu{};       // 0 to 100, greedy decoding
    std::vector<double> beam_bleu{};  // with a beam of 5, with files only
    std::vector<double> seconds{};    // of training
    std::vector<std::vector<double>> curves{};  // training loss, averaged over intervals of steps
};
struct Comparison {
    std::vector<Outcome> outcomes;
    std::vector<course::Translator> models;  // the first seed of each model
    Transformer transformer;                 // the first seed of the Transformer
};
Comparison train_all(course::Lesson& lesson, const course::ParallelText& text,
                     const Settings& settings);
// Trains all variants. The first outcome is that of the unchanged Transformer, with the first of
// its seeds.
std::vector<Outcome> train_variants(course::Lesson& lesson, const course::ParallelText& text,
                                    const Settings& settings, Outcome unchanged);
// The variants; the first is the unchanged Transformer.
std::vector<course::TransformerVariant> variants();

// The Transformer of the file of --load, and saving to that of --save.
Transformer loaded(course::AtCall lesson, const course::ParallelText& text,
                   const Settings& settings);
void save(const course::Lesson& lesson, const Transformer& model, const course::ParallelText& text);

double mean_of(const std::vector<double>& values);

}  // namespace heed::lesson22
