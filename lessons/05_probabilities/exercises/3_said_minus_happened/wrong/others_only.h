// Says: the share s is spread over the other outcomes only
#include "lessons/course/exercise/write.h"

Tensor my_gradient(const Tensor& logits, const Indices& labels, double s) {
    const auto N = static_cast<double>(logits.size(0)), C = static_cast<double>(logits.size(1));
    const Tensor y = one_hot(labels, logits.size(1), logits.dtype());
    return (softmax(logits) - ((1 - s) * y + s / (C - 1) * (1 - y))) / N;
}
