// The experiments of the lesson: a character model and a table of counts, the time of a pass, and whether what
// two models generate together has the right distribution.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "attention/decoding/speculative.h"
#include "attention/transformer/language_model.h"
#include "lessons/23_language_model/counts.h"
#include "lessons/23_language_model/data.h"
#include "lessons/course/course.h"

namespace heed::lesson35 {

// --- the two models -----------------------------------------------------------------------------

inline constexpr int context = 128;  // characters that the model can see
inline constexpr int counted = 3;    // characters that a context of the table has

struct Models {
    lesson23::Characters text;
    LanguageModel target;
    std::shared_ptr<const lesson23::Counts> draft;
};
// The text of the lesson on language models, a GPT of two layers of width 64, and counts of the same training text.
Models train_models(course::AtCall lesson, int steps);

// The mean loss over consecutive pieces of the validation text, in nats a character.
double validation_loss(const LanguageModel& model, const lesson23::Characters& text, int pieces);

// A prompt of eight characters from the validation text.
std::vector<int> prompt_of(const lesson23::Characters& text, Rng& rng);
Decodable ready(const LanguageModel& model, const std::vector<int>& prompt);
// The same of the table, whose state is the text so far.
Decodable ready(const std::shared_ptr<const lesson23::Counts>& counts, int alphabet,
                const std::vector<int>& prompt);

// --- time ---------------------------------------------------------------------------------------

// A table of the time of a pass, for tokens in the pass and bits of a weight, measured in turn.
void show_times(course::AtCall lesson, bool quick);

// --- distributions ------------------------------------------------------------------------------

// How far counts are from a distribution, in standard deviations of what chance does: (χ² - k) / √(2 k),
// where χ² = Σ (count - expected)² / expected has k degrees of freedom. Cells of which fewer than five are
// expected are one cell.
double chi_square_deviations(const std::vector<double>& expected, const std::vector<double>& seen);

// Probabilities of the next token, from the model's and the table's log-probabilities.
std::vector<double> probabilities(const Tensor& log_probabilities);

// The first two characters that speculative_decode() generates, in `samples` texts: their counts against
// the product of the model's own probabilities, in standard deviations.
double deviations_of_pairs(const Models& models, const std::vector<int>& prompt, int samples,
                           Rng& rng);

struct Drafting {
    double accepted = 0, expected = 0;  // shares of the judged tokens: counted, and mean of 1 - TV
    double judged = 0;                  // how many
    double tokens_a_pass = 0;
};
// `texts` continuations of 110 characters with drafts of this length.
Drafting draft_texts(const Models& models, int length, int texts, const SamplingOptions& sampling,
                     Rng& rng);

}  // namespace heed::lesson35
