#include "lessons/material/read/images.h"

#include <numeric>

#include "autograd/ops/index/indexing.h"
#include "autograd/record/grad_mode.h"

namespace heed::course {

Images pick(const Images& images, const std::vector<int>& indices) {
    const NoGrad no_grad;
    Images picked{index_select(images.pixels, 0, Indices(indices)), {}};
    for (int index : indices) picked.labels.push_back(images.labels.at(index));
    return picked;
}

Images range(const Images& images, int first, int end) {
    check(first >= 0 && first < end && end <= images.size(), "range: images {} to {} of {}", first,
          end, images.size());
    std::vector<int> indices(end - first);
    std::iota(indices.begin(), indices.end(), first);
    return pick(images, indices);
}

}  // namespace heed::course
