// Says: mean and standard deviation are treated as constants
#include "lessons/course/exercise/write.h"

inline constexpr double eps = 1e-5;

Tensor my_layer_norm_backward(const Tensor& x, const Tensor& g) {
    const Tensor centred = x - mean(x, -1, true);
    return g / sqrt(mean(square(centred), -1, true) + eps);
}
