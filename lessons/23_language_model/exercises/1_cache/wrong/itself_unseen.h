// Says: the newest token does not see itself
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Cache {
    Tensor k, v;
};

Tensor my_step(const Tensor& q, const Tensor& k, const Tensor& v, Cache& cache) {
    const Tensor keys = cache.k.defined() ? cache.k : k, values = cache.v.defined() ? cache.v : v;
    cache.k = cache.k.defined() ? concat({cache.k, k}, 1) : k;
    cache.v = cache.v.defined() ? concat({cache.v, v}, 1) : v;
    const Tensor scores = matmul(q, transpose(keys)) / std::sqrt(static_cast<double>(q.size(-1)));
    return matmul(softmax(scores), values);
}
