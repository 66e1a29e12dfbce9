// The comparison of all methods, and the measurements of this lesson.
#pragma once

#include "lessons/15_show_attend/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson15 {

// One entry for each method; means over seeds.
struct Comparison {
    std::vector<PatchClassifier> models;  // of the first seed
    std::vector<double> right, found;     // on the test set
    // Patches read in training until the mean validation accuracy reaches 80 %; infinite if it
    // never does.
    std::vector<double> read_to_80;
};
// Trains every method with each of `seeds` seeds. Shows the table and the curves.
Comparison compare_methods(course::AtCall lesson, const std::vector<Method>& methods,
                           const Data& data, int steps, int seeds);

// gradient_variance() of each method; 0 for the mean of all patches, which has no scores. Shows the
// table.
std::vector<double> compare_noise(course::AtCall lesson, const std::vector<Method>& methods,
                                  const PatchClassifier& model, const Batch& batch);

// From scores and ln p(y | j), both [B, K]: the gap between ln p(y) and its bound with 1, 2, 4, 8,
// 16 and 32 samples, from the same 2,048 samples. Shows the plot.
std::vector<double> show_bounds(course::AtCall lesson, const Tensor& scores, const Tensor& log_p);

}  // namespace heed::lesson15
