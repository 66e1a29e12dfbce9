#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

// The numbers in the padding are replaced by zeros, because a weight of 0 times infinity is nan. A score of
// -1e9 takes the padding out of the softmax before it is in the divisor: its exponential is 0. A document
// without words has equal weights then, and the mean of zeros is 0.
Tensor my_pool(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const Tensor own = where(unsqueeze(mask, 2), words, 0);
    const Tensor keys = tanh(matmul(own, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores = sum(keys * pooling.q, 2);                           // [B, N]
    const Tensor alpha = softmax(where(mask, scores, -1e9), 1);
    return sum(unsqueeze(alpha, 2) * own, 1);
}
