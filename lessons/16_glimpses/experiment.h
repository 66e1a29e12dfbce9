// The settings of this lesson and its data; training the model with a given loss, and measures of
// the trained model.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/16_glimpses/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson16 {

// --- training -----------------------------------------------------------------------------------

using Loss = std::function<Tensor(const GlimpseModel&, const Output&, const Indices& labels)>;

struct Method {
    std::string name;
    LocationRule rule;  // in training and afterwards
    Loss loss;
};

struct Budget {
    int epochs = 1, batch = 64;
    double lr = 1e-3;  // of Adam; falls along a cosine to a fiftieth
};

// Called after each epoch, counted from 1, with the mean loss of its steps.
using OnEpoch = std::function<void(int epoch, double loss)>;
// `changing` are the variables that on_epoch changes, for the checkpoint.
void train(const GlimpseModel& model, const Method& method, const course::Images& images,
           const Budget& budget, Rng& rng, const OnEpoch& on_epoch = {},
           std::vector<SavedState> changing = {});

// The share of pictures classified correctly, with one sample of the locations for each picture.
double accuracy(const GlimpseModel& model, const course::Images& images, LocationRule rule,
                std::uint64_t seed);

// The variance, over samples of the locations, of the gradient of the location network on the same
// pictures; summed over its weights.
double gradient_variance(const GlimpseModel& model, const Method& method,
                         const course::Images& images, int draws, Rng& rng);

// --- the comparison -----------------------------------------------------------------------------

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

// One entry for each method; means over seeds.
struct Comparison {
    std::vector<GlimpseModel> models;  // of the first seed
    std::vector<double> accuracy;      // on the test set

    template <class F>
    void visit(F&& f) {
        f("eyes", models);
    }
};
// Throws before anything is shown if the file of --load holds no such models.
void check_file_to_load(const course::Lesson& lesson, const std::vector<Method>& methods,
                        const Settings& settings);
// Trains each method with three seeds, in quick mode with one. Shows the curves and the table. With
// --load nothing is trained: the five models are loaded from a file that --save wrote.
Comparison compare_methods(course::AtCall lesson, const std::vector<Method>& methods,
                           const Data& data, const Settings& settings);

// The share of all ink that lies in the first glimpse, in the first two, ...
std::vector<double> ink_seen(const GlimpseModel& model, const course::Images& images,
                             LocationRule rule, std::uint64_t seed);

// --- handwritten digits -------------------------------------------------------------------------

// --data: handwritten digits.
void run_on_digits(course::AtCall lesson, const Settings& settings, const Method& method);

}  // namespace heed::lesson16
