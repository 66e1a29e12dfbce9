// Says: 0 is divided by 0
#include "lessons/course/exercise/write.h"

Tensor my_regression(const Tensor& queries, const Tensor& positions, const Tensor& values,
                     double h) {
    const Tensor distances = unsqueeze(queries, 1) - unsqueeze(positions, 0);  // [Q, N]
    const Tensor scores = square(distances) / (-2 * h * h);
    const Tensor G = exp(scores);
    return matmul(G, values) / sum(G, 1);
}
