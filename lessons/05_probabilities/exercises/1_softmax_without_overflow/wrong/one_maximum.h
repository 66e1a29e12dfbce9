// Says: subtract from each row its own largest logit
#include "lessons/course/exercise/write.h"

Tensor my_softmax(const Tensor& z, double T = 1) {
    const Tensor e = exp((z - max(z)) / T);
    return e / sum(e, -1, true);
}
