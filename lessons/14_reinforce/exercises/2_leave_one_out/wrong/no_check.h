// Says: With one sample there are no others
#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& losses) {  // [S, N] -> [S, N]
    const int64_t S = losses.size(0);
    return (sum(losses, 0, true) - losses) / static_cast<double>(S - 1);
}

double my_share(int S) { return (S - 1.) / S; }
