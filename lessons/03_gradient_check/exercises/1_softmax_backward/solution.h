#include "lessons/course/exercise/write.h"

// sum_i g_i y_i (delta_ij - y_j) = g_j y_j - y_j sum_i g_i y_i = y_j (g_j - sum_i g_i y_i)
// The sum is the mean of the g_i with the weights y_i. A score gets a gradient only if its own g_j
// differs from this mean.
Tensor my_softmax_backward(const Tensor& y, const Tensor& g) {
    return y * (g - sum(g * y, -1, true));
}
