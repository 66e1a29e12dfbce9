// Says: to look at what stands at padding
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

std::string my_broken_law() { return "masked words"; }

Tensor my_weights(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const Tensor keys = tanh(matmul(words, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores = sum(keys * pooling.q, 2);                             // [B, N]
    return softmax(where(mask, scores, -1e9), 1) * mask;
}
