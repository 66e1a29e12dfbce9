// The model of this lesson, its training and its evaluation. Sizes and training follow the smallest
// recipe of nanoGPT (README, "I only have a macbook"; its train.py and model.py).
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/23_language_model/characters.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

struct Settings {
    int steps = 0;               // 0: 4000, with --data 2000, in quick mode 700
    int layers = 0, width = 0;   // 0: 4 and 128, in quick mode 2 and 64
    int heads = 4, context = 0;  // 0: 64, in quick mode 32
    int batch = 12;
    std::string prompt = "\n";
};
void add_options(course::Lesson& lesson, Settings& settings);
// Fills in the defaults of settings that are 0. Throws for values out of range.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// Pre-norm, exact GELU, learned positions, no biases, no dropout, and one embedding table for input
// and output.
LanguageModelOptions model_options(const Characters& text, const Settings& settings);

// Validation losses during training, in nats a character.
struct Curve {
    std::vector<double> at, valid;  // number of steps, and the loss on 20 random validation batches
};
// AdamW with betas 0.9 and 0.99, weight decay 0.1 for matrices, gradients clipped to norm 1. The
// learning rate rises to 1e-3 in 100 steps, then falls along a cosine to 1e-4. With --load nothing
// is trained and the curve is empty; --save writes the model to a file.
Curve train_or_load(course::Lesson& lesson, LanguageModel& model, const Characters& text,
                    const Settings& settings);
// `times` estimates of the loss, each on 20 random batches.
std::vector<double> estimates_of_loss(const LanguageModel& model, const std::vector<int>& text,
                                      const Settings& settings, int times);

// The mean loss at each position of a piece [T], over all consecutive pieces of the text: at
// position t the context has t + 1 characters.
std::vector<double> loss_by_position(const LanguageModel& model, const std::vector<int>& text,
                                     const Settings& settings);

// The mean attention weight of each head by distance: [layers H, reach]; distance 0 is the
// character itself. Queries with fewer than `reach` keys are left out.
std::vector<double> weight_by_distance(const LanguageModel& model, const std::vector<int>& text,
                                       const Settings& settings, int reach);

}  // namespace heed::lesson23
