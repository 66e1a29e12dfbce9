// Says: the wrong one was detached
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_wrong_group() { return "baseline"; }

Tensor my_training_loss(const Tensor& loss, const Tensor& log_prob, const Tensor& predicted) {
    const Tensor choices = (detach(loss) - predicted) * log_prob;
    const Tensor error = square(detach(predicted) - detach(loss));  // trains the baseline
    return mean(loss + choices + error);
}
