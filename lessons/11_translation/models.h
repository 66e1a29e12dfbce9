// The two translators of this lesson, with attention and without; their settings and training.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/lesson/lesson.h"
#include "lessons/material/translation/pair_files.h"
#include "lessons/material/translation/translation.h"

struct Settings {
    int hidden = 0;  // 0: 128, in quick mode 64
    int epochs = 0;  // 0: 14 on the corpus, 30 on files; in quick mode 12 and 3
    double lr = 3e-3;
    double dropout = NAN;  // NaN: not given, then 0 on the corpus and 0.3 on files
    heed::course::PairFiles files;
};
void add_options(heed::course::Lesson& lesson, Settings& settings);
// Fills in the default of every option that was not given. Throws for values out of range.
void complete_settings(Settings& settings, const heed::course::Lesson& lesson);

struct Models {
    heed::EncoderDecoder attending, fixed;

    template <class F>
    void visit(F&& f) {
        f("attending", attending);
        f("fixed", fixed);
    }
};
Models make_models(const heed::course::ParallelText& text, const Settings& settings,
                   std::uint64_t seed);

// Trains both models on the same batches, or loads them with --load; saves them with --save. Shows
// the loss curves.
void train_models(heed::course::Lesson& lesson, Models& models,
                  const heed::course::ParallelText& text, const Settings& settings);

// --data: the reader's own pairs.
void run_on_files(heed::course::Lesson& lesson, const Settings& settings);

// The first sentence and three longer ones.
std::vector<heed::course::SentencePair> sentences_to_show(const heed::course::TextSet& part);
std::vector<int> sentences_by_length(
    const heed::course::TextSet& part);  // for each band of corpus.h
