// Says: the sum over the samples was taken, not the mean
#include "lessons/course/exercise/write.h"

Tensor my_reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    const Tensor factor = detach(unsqueeze(loss, 1) - baseline);  // [N, T]
    return sum(loss + sum(factor * log_prob, 1));
}
