// Says: the sum of the others is divided by S, not by S - 1
#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& losses) {  // [S, N] -> [S, N]
    const int64_t S = losses.size(0);
    check(S >= 2, "leave-one-out needs at least two samples of each problem, got {}", S);
    return (sum(losses, 0, true) - losses) / static_cast<double>(S);
}

double my_share(int S) { return (S - 1.) / S; }
