// The model of this lesson, the rule by which it is trained, and the text that it writes. Sizes and
// training follow the smallest recipe of nanoGPT (README, "I only have a macbook"; its train.py and
// model.py).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/23_language_model/data.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/train/ranks.h"

namespace heed::lesson23 {

// --- the model ----------------------------------------------------------------------------------

struct Settings {
    int steps = 0;               // 0: 4000, with --data 2000, in quick mode 700
    int layers = 0, width = 0;   // 0: 4 and 128, in quick mode 2 and 64
    int heads = 4, context = 0;  // 0: 64, in quick mode 32
    int batch = 12;
    std::string prompt = "\n";
    Ranks* ranks = nullptr;  // the processes that train it together; null: one
};
// Pre-norm, exact GELU, learned positions, no biases, no dropout, and one embedding table for input
// and output.
LanguageModelOptions model_options(const Characters& text, const Settings& settings);

// AdamW with betas 0.9 and 0.99, weight decay 0.1 for matrices. Its learning rate rises to 1e-3 in 100
// steps, then falls along a cosine to 1e-4. Gradients are clipped to norm 1.
AdamW optimiser_of(const LanguageModel& model);
Schedule schedule_of(const Settings& settings);

// `times` estimates of the loss, each on 20 random batches.
std::vector<double> estimates_of_loss(const LanguageModel& model, const std::vector<int>& text,
                                      const Settings& settings, int times);

// --- writing ------------------------------------------------------------------------------------

// The cost of generating text.
struct Cost {
    std::int64_t tokens = 0;           // computed by the layers
    std::int64_t multiplications = 0;  // of two numbers, in all matrix products
    double seconds = 0;
};

// Decoding with the key/value cache of the library, and without a cache, where every step computes
// all tokens so far again. Both add to `cost`.
Decodable with_cache(const LanguageModel& model, const Indices& prompt, Cost& cost);
Decodable without_cache(const LanguageModel& model, const Indices& prompt, Cost& cost);

// Generates `rows` texts of `length` characters that continue the prompt. When the context is full,
// generation continues from the later half of the context.
std::vector<std::string> generate(const LanguageModel& model, const Characters& text,
                                  const std::string& prompt, int rows, int length,
                                  const SamplingOptions& sampling, Rng& rng);

// The words of a text: maximal runs of letters, apostrophes and characters outside ASCII. A word at
// the start or at the end of the text is left out, because it may be incomplete.
std::vector<std::string> whole_words(const std::string& text);

struct Quality {
    double real = 0;     // share of the words that occur in the training text
    double variety = 0;  // number of different runs of three words over the number of all
};
Quality quality_of(const std::vector<std::string>& texts, const std::set<std::string>& known);

}  // namespace heed::lesson23
