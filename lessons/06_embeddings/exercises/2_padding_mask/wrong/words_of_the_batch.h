// Says: every sentence is divided by the words of the whole batch
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_mask(const Indices& ids) {
    std::vector<double> mask;
    for (int id : ids) mask.push_back(id != 0);
    return tensor(mask, ids.shape());
}

Tensor my_mean(const Tensor& vectors, const Tensor& mask) {
    return sum(unsqueeze(mask, 2) * vectors, 1) / sum(mask);
}
