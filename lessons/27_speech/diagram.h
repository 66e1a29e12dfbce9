// The Conformer block of this lesson as a picture, with the sizes of the model.
#pragma once

#include "lessons/27_speech/models.h"
#include "lessons/course/figures/diagram.h"

namespace heed::lesson27 {

course::Diagram conformer_block(const SpeechModel& model);
course::Diagram convolution_module(const SpeechModel& model);

}  // namespace heed::lesson27
