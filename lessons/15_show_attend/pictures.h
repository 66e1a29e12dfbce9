// The networks as diagrams, and pictures with the attention weights of the trained ones.
#pragma once

#include <vector>

#include "lessons/15_show_attend/model.h"
#include "lessons/course/course.h"

namespace heed::lesson15 {

// The network with soft and with hard attention.
std::vector<course::Diagram> network_diagrams();

// Shows a few pictures.
void show_signs(course::AtCall lesson, const course::Glyphs& glyphs);

// Shows three pictures with the attention weights of some of the models.
void show_weights(course::AtCall lesson, const course::Glyphs& glyphs,
                  const std::vector<Method>& methods, const std::vector<PatchClassifier>& models,
                  const std::vector<int>& which);

}  // namespace heed::lesson15
