// Says: the kernel is reversed
#include "lessons/course/exercise/write.h"

Tensor my_depthwise(const Tensor& h, const Tensor& w, const Tensor& b) {
    const int64_t T = h.size(0), K = w.size(0);
    const Tensor padded = pad(h, 0, (K - 1) / 2, (K - 1) / 2);  // [T + K - 1, C]
    Tensor z = b;
    for (int64_t k = 0; k < K; ++k) z = z + slice(padded, 0, k, k + T) * select(w, 0, K - 1 - k);
    return z;
}
