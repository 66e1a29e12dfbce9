// The diagrams of the lesson, the small cases that are computed by hand, the tables and figures of
// the training runs, and sample translations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attention/decoding/decode.h"
#include "lessons/22_transformer/experiment.h"
#include "lessons/course/course.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson22 {

// --- diagrams -----------------------------------------------------------------------------------

// The second of two tokens of one number each, 0 and 8, through two layers that add: at each layer it leaves a
// copy to attention, which has the weights 3/4 and 1/4, and adds what comes back.
course::Arrows road_with_side_streets();
std::vector<course::Diagram> block_diagrams();
std::vector<course::Diagram> transformer_diagrams();

// --- small cases --------------------------------------------------------------------------------

// Two tokens of one number each, mixed without and with residual connections: the numbers and their
// difference.
void add_row(course::Table& table, int layers, const Tensor& alone, const Tensor& added);

// Each token [T, 3] beside its normalised numbers.
void show_normalised(course::AtCall lesson, const Tensor& tokens, const Tensor& normalised);

// Each number x [T, 1] and what the feed-forward network makes of it.
void show_absolute_values(course::AtCall lesson, const Tensor& x, const Tensor& y);

// Two tokens [2, 3] after each step of a block.
void show_stages(course::AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& stages);

// A decoder of the words (start), a, the, cat and dog with the probabilities of the text.
Decodable four_words();
// The sentences that greedy decoding and a beam of 2 find, with their probabilities.
void show_searches(course::AtCall lesson, const Hypothesis& greedy, const Hypothesis& beam);

// The parameters of the published model with this many blocks in each stack, in millions.
double published_parameters(std::int64_t blocks);

// --- results ------------------------------------------------------------------------------------

// The tables and the bar chart of the model comparison: training, and results.
void show_models(course::AtCall lesson, const std::vector<Outcome>& all);
// The claims about these models. Reveals which is best.
void judge_models(course::AtCall lesson, const std::vector<Outcome>& all,
                  const course::Prediction& guess);
void show_changes(course::AtCall lesson, const std::vector<Outcome>& all, const Settings& settings);
// The validation loss of every model with every learning rate: losses[model][rate].
void show_tuning(course::AtCall lesson, const std::vector<std::vector<double>>& losses,
                 const Settings& settings);

// The share of test sentences translated exactly, greedily and with a beam of 5, shown as a table.
struct Decoded {
    double greedy_exact, beam_exact;
};
Decoded show_decoding(course::AtCall lesson, const course::Translator& model,
                      const course::ParallelText& text);

// The attention weights for the first test sentence of at least `words` words. The true alignment
// is outlined if the translation is exact.
void show_alignment(course::AtCall lesson, const course::Translator& model,
                    const course::ParallelText& text, int words);

// Translations of some of the reader's own test sentences by each of the models, and attention
// weights; by the Transformer alone if it was loaded.
void show_translations(course::AtCall lesson, const course::ParallelText& text,
                       const Comparison& comparison);

}  // namespace heed::lesson22
