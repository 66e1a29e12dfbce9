// Says: the sum runs over the rows, not within each row
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor& g) {
    return y * (g - sum(g * y, 0, true));
}
