// Says: the term with the gradient of the loss is missing
#include "lessons/course/exercise/write.h"

Tensor my_reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    const Tensor factor = detach(unsqueeze(loss, 1) - baseline);  // [N, T]
    return mean(sum(factor * log_prob, 1));
}
