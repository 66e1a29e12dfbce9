// The model of this lesson and the rule by which it is trained. Sizes and training follow the smallest
// recipe of nanoGPT (README, "I only have a macbook"; its train.py and model.py).
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/23_language_model/characters.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"

namespace heed::lesson23 {

struct Settings {
    int steps = 0;               // 0: 4000, with --data 2000, in quick mode 700
    int layers = 0, width = 0;   // 0: 4 and 128, in quick mode 2 and 64
    int heads = 4, context = 0;  // 0: 64, in quick mode 32
    int batch = 12;
    std::string prompt = "\n";
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

}  // namespace heed::lesson23
