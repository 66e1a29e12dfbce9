// Says: with a dilation it is d w
#include <cmath>
#include <cstdlib>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_mask(int64_t T, int64_t w, int64_t d, int64_t g) {
    std::vector<double> M;
    for (int64_t i = 0; i < T; ++i)
        for (int64_t j = 0; j < T; ++j) {
            const int64_t distance = std::abs(i - j);
            const bool near = distance % d == 0 && distance <= w;
            M.push_back(near || i < g || j < g);
        }
    return tensor(M, {1, T, T});
}

AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             int64_t w) {
    const Tensor scores =
        matmul(query, transpose(key)) / std::sqrt(static_cast<double>(query.size(2)));
    return soft_attention(scores, value, my_mask(query.size(1), w, 1, 0));
}
