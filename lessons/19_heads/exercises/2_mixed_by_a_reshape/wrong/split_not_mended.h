// Says: the contexts are joined rightly, but the split is still by reshape alone
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_reach(int64_t T, int64_t H) { return static_cast<double>(T / H); }

Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    const int64_t B = q.size(0), T = q.size(1), D = q.size(2), W = D / H;
    const auto split = [&](const Tensor& x) { return reshape(x, {B, H, T, W}); };
    const Tensor scores = matmul(split(q), transpose(split(k))) / std::sqrt(static_cast<double>(W));
    const Tensor contexts = matmul(softmax(scores, -1), split(v));  // [B, H, T, W]
    return reshape(transpose(contexts, 1, 2), {B, T, D});
}
