#include "lessons/course/exercise/write.h"

// With vectors of length 1, one product of matrices has the cosines of all pairs.
Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {
    const Tensor unit_a = a / norm(a, 2, 1, true), unit_b = b / norm(b, 2, 1, true);
    return matmul(unit_a, transpose(unit_b)) / tau;
}

// The table is read twice, by rows (axis 1: which caption?) and by columns (axis 0: which
// picture?). log_softmax does not overflow. The right answers are on the diagonal.
Tensor my_loss(const Tensor& scores) {
    const Tensor rows = diagonal(log_softmax(scores, 1)),
                 columns = diagonal(log_softmax(scores, 0));
    return -0.5 * (mean(rows) + mean(columns));
}
