// Says: the losses of other problems are in the baseline
#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& losses) {  // [S, N] -> [S, N]
    const int64_t S = losses.size(0);
    check(S >= 2, "leave-one-out needs at least two samples of each problem, got {}", S);
    return (sum(losses) - losses) / static_cast<double>(losses.numel() - 1);
}

double my_share(int S) { return (S - 1.) / S; }
