// Says: the sum runs over all rows together
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor& g) { return y * (g - sum(g * y)); }
