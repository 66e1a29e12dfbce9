// Says: stands a finite score
#include <limits>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_hide_future(const Tensor& scores) {
    const int64_t T = scores.size(-1);
    std::vector<double> later;
    for (int64_t t = 0; t < T; ++t)
        for (int64_t j = 0; j < T; ++j) later.push_back(j > t ? 1 : 0);
    return masked_fill(scores, tensor(later, {T, T}), -30);
}
