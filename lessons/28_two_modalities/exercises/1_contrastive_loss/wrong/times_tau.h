// Says: the cosines are multiplied by tau
#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {
    const Tensor unit_a = a / norm(a, 2, 1, true), unit_b = b / norm(b, 2, 1, true);
    return matmul(unit_a, transpose(unit_b)) * tau;
}

Tensor my_loss(const Tensor& scores) {
    const Tensor rows = diagonal(log_softmax(scores, 1)),
                 columns = diagonal(log_softmax(scores, 0));
    return -0.5 * (mean(rows) + mean(columns));
}
