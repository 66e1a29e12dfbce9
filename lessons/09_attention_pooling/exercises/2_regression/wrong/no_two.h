// Says: the factor 2 in the exponent is missing
#include "lessons/course/exercise/write.h"

Tensor my_regression(const Tensor& queries, const Tensor& positions, const Tensor& values,
                     double h) {
    const Tensor distances = unsqueeze(queries, 1) - unsqueeze(positions, 0);  // [Q, N]
    const Tensor scores = square(distances) / (-h * h);
    return matmul(softmax(scores, 1), values);
}
