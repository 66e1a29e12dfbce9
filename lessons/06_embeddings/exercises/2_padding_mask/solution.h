#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_mask(const Indices& ids) {
    std::vector<double> mask;
    for (int id : ids) mask.push_back(id != 0);
    return tensor(mask, ids.shape());
}

// The mask takes part twice: in the sum, and in the divisor. The sum of a sentence without words is
// 0, and 0 / 1 is 0.
Tensor my_mean(const Tensor& vectors, const Tensor& mask) {
    const Tensor words = sum(unsqueeze(mask, 2) * vectors, 1);  // [B, D]
    const Tensor counts = sum(mask, 1, true);                   // [B, 1]
    return words / clamp(counts, 1, 1e9);
}
