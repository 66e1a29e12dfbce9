// Says: the scores are not divided by the root of d
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Cache {
    Tensor k, v;  // [H, n, d] after n tokens
};

Tensor my_step(const Tensor& q, const Tensor& k, const Tensor& v, Cache& cache) {
    cache.k = cache.k.defined() ? concat({cache.k, k}, 1) : k;
    cache.v = cache.v.defined() ? concat({cache.v, v}, 1) : v;
    const Tensor scores =
        matmul(q, transpose(cache.k));
    return matmul(softmax(scores), cache.v);
}
