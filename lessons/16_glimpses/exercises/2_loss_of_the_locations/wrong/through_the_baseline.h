// Says: no gradient reaches the baseline
#include "lessons/course/exercise/write.h"

Tensor my_location_loss(const Tensor& mu, const Tensor& at, const Tensor& L, const Tensor& b,
                        double sigma) {
    const Tensor log_p = -sum(square(detach(at) - mu), -1) / (2 * sigma * sigma);  // [B, T]
    const Tensor cost = unsqueeze(L, 1) - b;                                       // [B, T]
    return mean(sum(cost * log_p, -1));
}
