// The figures of the lesson.
#pragma once

#include "lessons/36_assistant/experiment.h"

namespace heed::lesson36 {

// A layer of the trained model with an adapter beside it.
course::Diagram adapter_diagram();

// Noise of the gradient against the probability p of the right one of two answers, without a baseline and
// with p as the baseline, for rewards offset and offset + 1: the variance in closed form over the square
// of the gradient.
double noise_of_two(double p, double offset, double baseline);
course::LinePlot noise_plot(double offset, double baseline);

// The exact share and the mean reward as a training goes on.
course::LinePlot fooled_plot(const std::string& title, const Progress& progress);

}  // namespace heed::lesson36
