// The settings of this lesson, its data, and the figures and tables of the trained models.
#pragma once

#include <string>
#include <vector>

#include "lessons/16_glimpses/training.h"
#include "lessons/material/corpora/glyphs.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson16 {

struct Settings {
    int epochs = 0;  // 0: 16, in quick mode 6; on --data 60, in quick mode 5
    int glimpses = 6;
    double deviation = 0.17;
};
void add_options(course::Lesson& lesson, Settings& settings);
// Fills in the defaults of settings that are 0. Throws for values out of range.
void complete_settings(Settings& settings, const course::Lesson& lesson);
ModelOptions model_options(const Settings& settings, int hidden);

struct Data {
    course::Images train, valid, test;
};
// Data of signs: 8,000 training, 500 validation and 2,000 test pictures; in quick mode 2,000,
// 300 and 500.
Data draw_pictures(bool quick, std::uint64_t seed);

// One step of the recurrent attention model.
course::Diagram step_diagram();

// Shows three pictures.
void show_signs(course::Lesson& lesson, const Data& data);

// One entry for each method; means over seeds.
struct Comparison {
    std::vector<GlimpseModel> models;  // of the first seed
    std::vector<double> accuracy;      // on the test set

    template <class F>
    void visit(F&& f) {
        f("eyes", models);
    }
};
// Trains each method with three seeds, in quick mode with one. Shows the curves and the table. With
// --load nothing is trained: the five models are loaded from a file that --save wrote.
Comparison compare_methods(course::Lesson& lesson, const std::vector<Method>& methods,
                           const Data& data, const Settings& settings);

// The share of all ink that lies in the first glimpse, in the first two, ...
std::vector<double> ink_seen(const GlimpseModel& model, const course::Images& images,
                             LocationRule rule, std::uint64_t seed);
// Shows this share for each method. Returns the share after the last glimpse.
std::vector<double> show_ink(course::Lesson& lesson, const std::vector<Method>& methods,
                             const std::vector<GlimpseModel>& models, const course::Images& images);

// gradient_variance() of one model with the loss of each method, on 256 pictures, divided by that
// of the first method. Shows the table.
std::vector<double> show_variance(course::Lesson& lesson, const std::vector<Method>& methods,
                                  const GlimpseModel& model, const course::Images& images);

// Shows the locations of the glimpses of some models on three pictures.
void show_paths(course::Lesson& lesson, const std::vector<Method>& methods,
                const std::vector<GlimpseModel>& models, const std::vector<int>& which,
                const course::Images& images);
// The first `count` pictures with the path of the glimpses, titled with the label and the answer.
std::vector<course::Picture> paths(const GlimpseModel& model, const course::Images& images,
                                   LocationRule rule, int count,
                                   const std::function<std::string(int)>& name);

// --data: handwritten digits.
void run_on_digits(course::Lesson& lesson, const Settings& settings, const Method& method);

}  // namespace heed::lesson16
