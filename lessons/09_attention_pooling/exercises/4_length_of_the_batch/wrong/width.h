// Says: the scores are divided by the root of a width
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

std::string my_broken_law() { return "padding"; }

Tensor my_weights(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const Tensor keys = tanh(matmul(words, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores =
        sum(keys * pooling.q, 2) / std::sqrt(static_cast<double>(pooling.q.size(0)));  // [B, N]
    return softmax(where(mask, scores, -1e9), 1) * mask;
}
