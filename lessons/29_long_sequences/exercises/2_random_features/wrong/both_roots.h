// Says: so their product by D
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_features(const Tensor& x, const Tensor& w) {
    const Tensor exponents = matmul(x, transpose(w)) - 0.5 * sum(square(x), 1, true);  // [T, M]
    return exp(exponents) / std::sqrt(static_cast<double>(w.size(0)));
}

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w) {
    const double root = std::pow(static_cast<double>(q.size(1)), 0.5);
    const Tensor of_q = my_features(q / root, w), of_k = my_features(k / root, w);
    const Tensor sums = matmul(transpose(of_k), v);   // [M, V]
    const Tensor total = matmul(of_q, sum(of_k, 0));  // [Q]
    return matmul(of_q, sums) / unsqueeze(total, 1);
}
