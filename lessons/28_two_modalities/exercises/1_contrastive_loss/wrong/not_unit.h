// Says: the vectors are not divided by their lengths
#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {
    const Tensor unit_a = a, unit_b = b;
    return matmul(unit_a, transpose(unit_b)) / tau;
}

Tensor my_loss(const Tensor& scores) {
    const Tensor rows = diagonal(log_softmax(scores, 1)),
                 columns = diagonal(log_softmax(scores, 0));
    return -0.5 * (mean(rows) + mean(columns));
}
