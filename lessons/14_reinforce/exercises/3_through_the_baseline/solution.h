#include <string>

#include "lessons/course/exercise/write.h"

// The product rule: without detach, the baseline also gets the gradient -ln p. As ln p is negative,
// the baseline is pushed down at each sample, most at improbable ones.
std::string my_wrong_group() { return "baseline"; }

// A loss, a log-probability and a predicted loss for each of N samples: [N], [N], [N] -> [].
Tensor my_training_loss(const Tensor& loss, const Tensor& log_prob, const Tensor& predicted) {
    const Tensor choices = detach(loss - predicted) * log_prob;
    const Tensor error = square(predicted - detach(loss));  // trains the baseline
    return mean(loss + choices + error);
}
