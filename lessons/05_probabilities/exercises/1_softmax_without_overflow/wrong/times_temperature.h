// Says: the logits are multiplied by T
#include "lessons/course/exercise/write.h"

Tensor my_softmax(const Tensor& z, double T = 1) {
    const Tensor e = exp((z - max(z, -1, true)) * T);
    return e / sum(e, -1, true);
}
