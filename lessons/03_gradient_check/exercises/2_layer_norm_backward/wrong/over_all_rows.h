// Says: the means of g are taken over all rows together
#include "lessons/course/exercise/write.h"

inline constexpr double eps = 1e-5;

Tensor my_layer_norm_backward(const Tensor& x, const Tensor& g) {
    const Tensor centred = x - mean(x, -1, true);
    const Tensor sigma = sqrt(mean(square(centred), -1, true) + eps);
    const Tensor y = centred / sigma;
    return (g - mean(g) - y * mean(g * y)) / sigma;
}
