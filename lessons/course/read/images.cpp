#include "lessons/course/read/images.h"

#include <numeric>

#include "autograd/ops/indexing.h"
#include "autograd/record/grad_mode.h"

namespace heed::course {

Images pick(const Images& images, const std::vector<int>& numbers) {
    const NoGrad no_grad;
    Images picked{index_select(images.pixels, 0, Indices(numbers)), {}};
    for (int number : numbers) picked.labels.push_back(images.labels.at(number));
    return picked;
}

Images range(const Images& images, int first, int end) {
    check(first >= 0 && first < end && end <= images.size(), "range: pictures {} to {} of {}",
          first, end, images.size());
    std::vector<int> numbers(end - first);
    std::iota(numbers.begin(), numbers.end(), first);
    return pick(images, numbers);
}

}  // namespace heed::course
