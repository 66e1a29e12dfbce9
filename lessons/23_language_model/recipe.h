// The training of this lesson's model (model.h), and its evaluation.
#pragma once

#include <string>
#include <vector>

#include "lessons/23_language_model/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

void add_options(course::Lesson& lesson, Settings& settings);
// Fills in the defaults of settings that are 0. Throws for values out of range.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// Validation losses during training, in nats a character.
struct Curve {
    std::vector<double> at, valid;  // number of steps, and the loss on 20 random validation batches
};
// With --load nothing is trained and the curve is empty; --save writes the model to a file.
Curve train_or_load(course::Lesson& lesson, LanguageModel& model, const Characters& text,
                    const Settings& settings);
// The mean loss at each position of a piece [T], over all consecutive pieces of the text: at
// position t the context has t + 1 characters.
std::vector<double> loss_by_position(const LanguageModel& model, const std::vector<int>& text,
                                     const Settings& settings);

// The mean attention weight of each head by distance: [layers H, reach]; distance 0 is the
// character itself. Queries with fewer than `reach` keys are left out.
std::vector<double> weight_by_distance(const LanguageModel& model, const std::vector<int>& text,
                                       const Settings& settings, int reach);

}  // namespace heed::lesson23
