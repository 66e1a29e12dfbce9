#include <cmath>

#include "lessons/course/exercise/write.h"

// A head of the broken version holds T pieces. A token has H pieces, so these are T / H whole
// tokens.
double my_reach(int64_t T, int64_t H) { return static_cast<double>(T / H); }

// reshape cuts the width of each token; transpose then puts the axis of heads before that of
// tokens.
Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    const int64_t B = q.size(0), T = q.size(1), D = q.size(2), W = D / H;
    const auto split = [&](const Tensor& x) { return transpose(reshape(x, {B, T, H, W}), 1, 2); };
    const Tensor scores = matmul(split(q), transpose(split(k))) / std::sqrt(static_cast<double>(W));
    const Tensor contexts = matmul(softmax(scores, -1), split(v));  // [B, H, T, W]
    return reshape(transpose(contexts, 1, 2), {B, T, D});
}
