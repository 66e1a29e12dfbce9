#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& reward) {
    const double S = static_cast<double>(reward.size(0));
    const Tensor r = detach(reward);
    return r - (sum(r, 0, true) - r) / (S - 1);
}

Tensor my_group(const Tensor& reward) {
    const Tensor r = detach(reward);
    const Tensor centred = r - mean(r, 0, true);
    return centred / (sqrt(mean(square(centred), 0, true)) + 1e-6);
}
