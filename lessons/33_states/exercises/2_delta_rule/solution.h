#include "lessons/course/exercise/write.h"

Tensor my_delta(const Tensor& S, const Tensor& k, const Tensor& v, double beta) {
    return S + matmul(transpose(k), v - matmul(k, S)) * beta;
}

// The key reads k S - beta |k|^2 k S afterwards, which is 0 for beta = 1 / |k|^2.
Tensor my_erase(const Tensor& S, const Tensor& k) {
    return my_delta(S, k, zeros({1, S.size(1)}, S.dtype()), 1 / sum(square(k)).item());
}
