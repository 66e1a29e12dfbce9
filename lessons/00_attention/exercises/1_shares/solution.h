#include "lessons/course/exercise/write.h"

Tensor my_attention(const Tensor& q, const Tensor& W) {
    const Tensor scores = matmul(q, transpose(W));  // [1, K]
    const Tensor weights = softmax(scores);
    return matmul(weights, W);
}
