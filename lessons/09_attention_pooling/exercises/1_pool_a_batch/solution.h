#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

// The numbers in the padding are replaced first, because 0 times infinity is nan and not 0. Padding has to
// leave before the softmax: it must not be in the divisor. Its score becomes so small that the exponential is
// 0. The product with the mask changes only documents without words.
Tensor my_pool(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const Tensor own = where(unsqueeze(mask, 2), words, 0);
    const Tensor keys = tanh(matmul(own, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores = sum(keys * pooling.q, 2);                           // [B, N]
    const Tensor alpha = softmax(where(mask, scores, -1e9), 1) * mask;
    return sum(unsqueeze(alpha, 2) * own, 1);
}
