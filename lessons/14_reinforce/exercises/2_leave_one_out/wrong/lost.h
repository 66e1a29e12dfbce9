// Says: this is the share that is lost
#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& losses) {  // [S, N] -> [S, N]
    const int64_t S = losses.size(0);
    check(S >= 2, "leave-one-out needs at least two samples of each problem, got {}", S);
    return (sum(losses, 0, true) - losses) / static_cast<double>(S - 1);
}

double my_share(int S) { return 1. / S; }
