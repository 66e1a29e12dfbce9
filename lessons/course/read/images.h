// Pictures with labels: what the glyphs of glyphs.h and the files of idx.h both become.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed::course {

struct Images {
    Tensor pixels;            // [N, Y, X], 0 paper to 1 ink (noise may lead outside)
    std::vector<int> labels;  // [N]

    int size() const { return static_cast<int>(labels.size()); }
};

// Some of them, by number; a range [first, end) of them. Throw heed::Error for numbers outside.
Images pick(const Images& images, const std::vector<int>& numbers);
Images range(const Images& images, int first, int end);

}  // namespace heed::course
