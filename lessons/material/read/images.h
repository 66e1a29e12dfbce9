// Images with labels: the glyphs of glyphs.h, and the files that idx.h reads.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed::course {

struct Images {
    Tensor pixels;            // [N, height, width], 0 paper to 1 ink (noise may exceed that)
    std::vector<int> labels;  // [N]

    int size() const { return static_cast<int>(labels.size()); }
};

// The images with these indices, and those of the range [first, end). They throw heed::Error for
// indices outside.
Images pick(const Images& images, const std::vector<int>& indices);
Images range(const Images& images, int first, int end);

}  // namespace heed::course
