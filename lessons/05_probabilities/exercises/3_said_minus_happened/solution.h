#include "lessons/course/exercise/write.h"

// p - q for each row, and 1 / N because the loss is a mean. Each row of it sums to 0: p and q both
// sum to 1.
Tensor my_gradient(const Tensor& logits, const Indices& labels, double s) {
    const auto N = static_cast<double>(logits.size(0)), C = static_cast<double>(logits.size(1));
    const Tensor y = one_hot(labels, logits.size(1), logits.dtype());
    return (softmax(logits) - ((1 - s) * y + s / C)) / N;
}
