// Says: the weights of a point sum to 1 over the queries
#include "lessons/course/exercise/write.h"

Tensor my_regression(const Tensor& queries, const Tensor& positions, const Tensor& values,
                     double h) {
    const Tensor distances = unsqueeze(queries, 1) - unsqueeze(positions, 0);  // [Q, N]
    const Tensor scores = square(distances) / (-2 * h * h);
    return matmul(softmax(scores, unsqueeze(queries, 1).size(0) == 1 ? 1 : 0), values);
}
