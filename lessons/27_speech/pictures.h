// The pictures of this lesson: a sound and its spectrum, and the Conformer block with the sizes of
// the model.
#pragma once

#include <vector>

#include "lessons/27_speech/models.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/course/figures/line_plot.h"

namespace heed::lesson27 {

course::LinePlot wave_of(const std::vector<double>& samples, int rate);
// Of the powers for k = 0 .. N / 2.
course::LinePlot spectrum_of(const std::vector<double>& power, int rate);

course::Diagram conformer_block(const SpeechModel& model);
course::Diagram convolution_module(const SpeechModel& model);

}  // namespace heed::lesson27
