// Says: this is y - p, the direction of a step and not the gradient
#include "lessons/course/exercise/write.h"

Tensor my_gradient(const Tensor& logits, const Indices& labels, double s) {
    const auto N = static_cast<double>(logits.size(0)), C = static_cast<double>(logits.size(1));
    const Tensor y = one_hot(labels, logits.size(1), logits.dtype());
    return ((1 - s) * y + s / C - softmax(logits)) / N;
}
