// The Vision Transformer of this lesson as a picture, with the sizes of the model.
#pragma once

#include "lessons/25_images/models.h"
#include "lessons/course/figures/diagram.h"

namespace heed::lesson25 {

course::Diagram diagram_of(const PatchNetwork& network);

}  // namespace heed::lesson25
