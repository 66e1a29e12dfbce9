#include "lessons/course/exercise/write.h"

Tensor my_rms_norm(const Tensor& x, const Tensor& weight, double eps) {
    return x / sqrt(mean(x * x, -1, true) + eps) * weight;
}

// What is left when the mean is subtracted has the variance as its mean square.
Tensor my_layer_norm(const Tensor& x, const Tensor& weight, double eps) {
    return my_rms_norm(x - mean(x, -1, true), weight, eps);
}
