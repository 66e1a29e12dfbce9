// Says: the frames go round
#include "lessons/course/exercise/write.h"

Tensor my_depthwise(const Tensor& h, const Tensor& w, const Tensor& b) {
    const int64_t K = w.size(0);
    Tensor z = b;
    for (int64_t k = 0; k < K; ++k) z = z + roll(h, (K - 1) / 2 - k, 0) * select(w, 0, k);
    return z;
}
