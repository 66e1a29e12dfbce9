#include "lessons/course/exercise/write.h"

// Row i of the new part is v times number i of the key.
Tensor my_state(const Tensor& S, const Tensor& k, const Tensor& v, double alpha) {
    return S * alpha + matmul(transpose(k), v);
}

// First write, then read.
Tensor my_recurrence(const Tensor& q, const Tensor& k, const Tensor& v, double alpha) {
    Tensor S = zeros({k.size(1), v.size(1)}, k.dtype());
    std::vector<Tensor> outputs;
    for (int64_t t = 0; t < q.size(0); ++t) {
        S = my_state(S, slice(k, 0, t, t + 1), slice(v, 0, t, t + 1), alpha);
        outputs.push_back(matmul(slice(q, 0, t, t + 1), S));
    }
    return concat(outputs, 0);
}
