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

// The passes of a model on this machine, with weights of 32, 8 and 4 bits.
struct Timed {
    double memory = 0, operations = 0;  // bytes and operations a second, each measured by itself
    double weights = 0;
    std::vector<double> megabytes;  // of the weights, for each number of bits
    std::vector<double> tokens;     // in a pass
    std::vector<std::vector<double>>
        seconds;  // for each number of bits, of each pass; the least of 15
};
Timed time_passes(course::AtCall lesson);

// --- distributions ------------------------------------------------------------------------------

using Distribution = std::vector<double>;

// A prompt, and the next character by the target and by the draft.
struct Place {
    std::vector<int> prompt;
    Distribution p, q;
};

// One pass of the target: what the draft guessed, how many of these were accepted, and the target's own
// token behind them.
struct Pass {
    std::vector<int> guesses;
    int accepted = 0, own = 0;
};

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
