// Says: the exponentials overflow, and infinity by infinity is NaN
#include "lessons/course/exercise/write.h"

Tensor my_softmax(const Tensor& z, double T = 1) {
    const Tensor e = exp(z / T);
    return e / sum(e, -1, true);
}
