// Says: only the last choice gets a gradient
#include "lessons/course/exercise/write.h"

Tensor my_reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    const Tensor factor = detach(unsqueeze(loss, 1) - baseline);  // [N, T]
    return mean(loss + select(factor * log_prob, 1, log_prob.size(1) - 1));
}
