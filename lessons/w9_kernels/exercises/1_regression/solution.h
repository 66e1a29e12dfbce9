#include "lessons/course/exercise/write.h"

// The weights are the softmax of the exponents. softmax subtracts the largest score first, so the
// nearest point has e^0 = 1, however far away it is.
Tensor my_regression(const Tensor& queries, const Tensor& positions, const Tensor& values,
                     double h) {
    const Tensor distances = unsqueeze(queries, 1) - unsqueeze(positions, 0);  // [Q, N]
    const Tensor scores = square(distances) / (-2 * h * h);
    return matmul(softmax(scores, 1), values);
}
