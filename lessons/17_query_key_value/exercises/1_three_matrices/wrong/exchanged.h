// Says: queries and keys are exchanged
#include <cmath>

#include "lessons/course/exercise/write.h"

AttentionOutput my_attention(const Tensor& X, const Tensor& W_Q, const Tensor& W_K,
                             const Tensor& W_V) {
    const Tensor q = matmul(X, transpose(W_Q)), k = matmul(X, transpose(W_K)),
                 v = matmul(X, transpose(W_V));
    const Tensor scores = matmul(k, transpose(q)) / std::sqrt(static_cast<double>(q.size(1)));
    const Tensor weights = softmax(scores, -1);
    return {matmul(weights, v), weights};
}
