// Says: the plain mean is subtracted
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor& g) { return y * (g - mean(g, -1, true)); }
