#include "lessons/course/exercise/write.h"

// Zeros at both ends make room for the kernel. Then the frames that number k of the kernel meets
// are the T rows that begin at row k, and one row of w multiplies all of them: channel by channel.
Tensor my_depthwise(const Tensor& h, const Tensor& w, const Tensor& b) {
    const int64_t T = h.size(0), K = w.size(0);
    const Tensor padded = pad(h, 0, (K - 1) / 2, (K - 1) / 2);  // [T + K - 1, C]
    Tensor z = b;
    for (int64_t k = 0; k < K; ++k) z = z + slice(padded, 0, k, k + T) * select(w, 0, k);
    return z;
}
