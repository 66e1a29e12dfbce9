// The tables and figures of this lesson, and sample translations.
#pragma once

#include <string>
#include <vector>

#include "lessons/22_transformer/runs.h"

namespace heed::lesson22 {

// The tables and the bar chart of the model comparison: training, and results.
void show_models(course::Lesson& lesson, const std::vector<Outcome>& all);
// The claims about these models. Reveals which is best.
void judge_models(course::Lesson& lesson, const std::vector<Outcome>& all,
                  const course::Prediction& guess);
void show_changes(course::Lesson& lesson, const std::vector<Outcome>& all,
                  const Settings& settings);
// The validation loss of every model with every learning rate: losses[model][rate].
void show_tuning(course::Lesson& lesson, const std::vector<std::vector<double>>& losses,
                 const Settings& settings);

// The share of test sentences translated exactly, greedily and with a beam of 5, shown as a table.
struct Decoded {
    double greedy_exact, beam_exact;
};
Decoded show_decoding(course::Lesson& lesson, const course::Translator& model,
                      const course::ParallelText& text);

// The attention weights for the first test sentence of at least `words` words. The true alignment
// is outlined if the translation is exact.
void show_alignment(course::Lesson& lesson, const course::Translator& model,
                    const course::ParallelText& text, int words);

// Translations of some of the reader's own test sentences by each of the models, and attention
// weights; by the Transformer alone if it was loaded.
void show_translations(course::Lesson& lesson, const course::ParallelText& text,
                       const Comparison& comparison);

}  // namespace heed::lesson22
