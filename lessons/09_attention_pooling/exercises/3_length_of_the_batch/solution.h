#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

// N counts the padding, too. In a batch with a long document, N is larger, so the scores are smaller
// and the weights are more equal, although the document is the same.
std::string my_broken_law() { return "padding"; }

// words [B, N, D], mask [B, N] -> [B, N]
Tensor my_weights(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const Tensor keys = tanh(matmul(words, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores = sum(keys * pooling.q, 2);                             // [B, N]
    return softmax(where(mask, scores, -1e9), 1) * mask;
}
