// Says: only the newest token is seen
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Cache {
    Tensor k, v;  // [H, n, d] after n tokens
};

Tensor my_step(const Tensor& q, const Tensor& k, const Tensor& v, Cache& cache) {
    cache.k = k;
    cache.v = v;
    const Tensor scores =
        matmul(q, transpose(cache.k)) / std::sqrt(static_cast<double>(q.size(-1)));
    return matmul(softmax(scores), cache.v);
}
