// Says: divided by d, and not by its root
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Cache {
    Tensor k, v;  // [H, n, d] after n tokens
};

Tensor my_step(const Tensor& q, const Tensor& k, const Tensor& v, Cache& cache) {
    cache.k = cache.k.defined() ? concat({cache.k, k}, 1) : k;
    cache.v = cache.v.defined() ? concat({cache.v, v}, 1) : v;
    const Tensor scores =
        matmul(q, transpose(cache.k)) / static_cast<double>(q.size(-1));
    return matmul(softmax(scores), cache.v);
}
