// What the workshop shows of its experiments: curves of a training, the table and the diagram of the
// remedies, and their calibration by the number of training days.
#pragma once

#include <map>

#include "lessons/course/figures/figures.h"
#include "lessons/w4_calibration/experiment.h"

namespace heed::workshop4 {

// Confidence, accuracy and losses at some steps of a training.
struct Curves {
    course::LinePlot sure, losses;
    Curves();

    // `fresh`: forecasts for test days, with their loss, that on the training days and that of the truth.
    void add(int step, const Sureness& fresh, double loss, double loss_in_training,
             double loss_of_truth);
    void show(course::AtCall lesson) const;
};

void show_remedies(course::AtCall lesson, const Findings& found, const Unlearned& unlearned,
                   const Training& how, int climates);

// The findings for each number of training days.
void show_days(course::AtCall lesson, const std::map<int, Findings>& found, int climates);

}  // namespace heed::workshop4
