// Says: sigma is R, and not half of it
#include "lessons/course/exercise/write.h"

Tensor my_centre(const Tensor& U, const Tensor& v, const Tensor& s, int64_t K) {
    return static_cast<double>(K) * sigmoid(sum(v * tanh(matmul(U, s))));
}

Tensor my_local_weights(const Tensor& scores, const Tensor& p, double R) {
    const Tensor distances = arange(scores.size(0), scores.dtype()) - p;
    const Tensor inside = abs(detach(distances)) <= R;
    const double sigma = R;
    return softmax(where(inside, scores, -1e9)) * exp(square(distances) / (-2 * sigma * sigma));
}
