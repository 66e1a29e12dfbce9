// Says: head h gets every second number; its columns stand side by side
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_split(const Tensor& x, int64_t H) {
    return permute(reshape(x, {x.size(0), x.size(1), x.size(2) / H, H}), {0, 3, 1, 2});
}

Tensor my_merge(const Tensor& x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

AttentionOutput my_heads(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    const Tensor queries = my_split(q, H), keys = my_split(k, H), values = my_split(v, H);
    const double root = std::sqrt(static_cast<double>(queries.size(-1)));
    const Tensor weights = softmax(matmul(queries, transpose(keys)) / root, -1);
    return {my_merge(matmul(weights, values)), weights};
}
