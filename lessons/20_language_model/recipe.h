// The model of this lesson, its training and its judgement: the smallest recipe of nanoGPT (README,
// "I only have a macbook"; its train.py and model.py), whose sizes are the options' defaults.
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/20_language_model/characters.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson20 {

struct Settings {
    int steps = 0;              // 0: 4000, with --data 2000, in quick mode 700
    int layers = 0, width = 0;  // 0: 4 and 128, in quick mode 2 and 64
    int heads = 4, places = 0;  // 0: 64, in quick mode 32
    int batch = 12;
    std::string prompt = "\n";
};
void add_options(course::Lesson& lesson, Settings& settings);
// Fills in what was left at 0; throws for what makes no sense.
void settle(Settings& settings, const course::Lesson& lesson);

// Pre-norm, exact GELU, learned positions, no biases, no dropout, one table for input and output.
LanguageModelOptions sizes_of(const Characters& text, const Settings& settings);

// Losses while training, in nats a character.
struct Curve {
    std::vector<double> at, valid;  // after so many steps: 20 random batches of validation
};
// AdamW (0.9, 0.99), decay 0.1 of matrices, clipping at 1; 1e-3 reached in 100 steps, then down a
// cosine to 1e-4. With --load nothing is trained and the curve is empty; --save keeps the model.
Curve train_or_load(course::Lesson& lesson, LanguageModel& model, const Characters& text,
                    const Settings& settings);
// The loss on 20 random batches, measured `times` times.
std::vector<double> estimates_of_loss(const LanguageModel& model, const std::vector<int>& text,
                                      const Settings& settings, int times);

// The mean loss at each place of a piece [T], over the whole text cut end to end: at place t the
// model has seen t + 1 characters.
std::vector<double> loss_by_place(const LanguageModel& model, const std::vector<int>& text,
                                  const Settings& settings);

// Mean weight by how far back a head looks: [layers H, reach], 0 the character itself. Queries that
// cannot look so far are left out.
std::vector<double> weight_by_distance(const LanguageModel& model, const std::vector<int>& text,
                                       const Settings& settings, int reach);

}  // namespace heed::lesson20
