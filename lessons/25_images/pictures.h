// A picture in patches, and the Vision Transformer of this lesson as a diagram, with the sizes of the model.
#pragma once

#include "lessons/25_images/models.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/course/figures/picture.h"

namespace heed::lesson25 {

// The first picture cut into patches, each shaded by its share of the ink.
course::Picture in_patches(const course::Images& images);

course::Diagram diagram_of(const PatchNetwork& network);

}  // namespace heed::lesson25
