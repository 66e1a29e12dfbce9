// Says: Which of the two products
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_features(const Tensor& x, const Tensor& w) {
    const Tensor exponents = matmul(x, transpose(w)) - 0.5 * sum(square(x), 1, true);  // [T, M]
    return exp(exponents) / std::sqrt(static_cast<double>(w.size(0)));
}

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w) {
    const double root = std::pow(static_cast<double>(q.size(1)), 0.25);
    const Tensor of_q = my_features(q / root, w), of_k = my_features(k / root, w);
    const Tensor weights = matmul(of_q, transpose(of_k));
    return matmul(weights, v) / sum(weights, 1, true);
}
