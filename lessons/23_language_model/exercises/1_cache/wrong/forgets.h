// Says: the cache forgets the earlier tokens
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

struct Head {
    Tensor query, key, value;  // [D, W]
};

struct Cache {
    Tensor keys, values;  // [P, W]; not defined before the first step
};

Tensor my_step(const Head& head, Cache& cache, const Tensor& x) {  // [N, D] -> [N, W]
    const Tensor q = matmul(x, head.query), k = matmul(x, head.key), v = matmul(x, head.value);
    const int64_t N = x.size(0), P = 0;
    cache.keys = k;
    cache.values = v;
    std::vector<double> allowed;
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < P + N; ++j) allowed.push_back(j <= P + i ? 1 : 0);
    const Tensor scores =
        matmul(q, transpose(cache.keys)) / std::sqrt(static_cast<double>(k.size(1)));
    return matmul(masked_softmax(scores, tensor(allowed, {N, P + N}, x.dtype())), cache.values);
}
