// Says: the sums are added as they are
#include <algorithm>
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Sums {
    Tensor m, l, a;  // [Q, 1], [Q, 1], [Q, D]
};

Sums my_tile(const Tensor& s, const Tensor& v) {
    const Tensor m = max(s, 1, true);
    const Tensor p = exp(s - m);
    return {m, sum(p, 1, true), matmul(p, v)};
}

Sums my_join(const Sums& x, const Sums& y) {
    const Tensor m = maximum(x.m, y.m);
    return {m, x.l + y.l, x.a + y.a};
}

Tensor my_result(const Sums& x) { return x.a / x.l; }

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t tile) {
    const double root = std::sqrt(static_cast<double>(q.size(1)));
    Sums sums;
    for (int64_t first = 0; first < k.size(0); first += tile) {
        const int64_t last = std::min(first + tile, k.size(0));
        const Tensor s = matmul(q, transpose(slice(k, 0, first, last))) / root;
        const Sums next = my_tile(s, slice(v, 0, first, last));
        sums = first == 0 ? next : my_join(sums, next);
    }
    return my_result(sums);
}
