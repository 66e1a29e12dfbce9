// Says: the weights are treated as independent
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor& g) { return g * y * (1 - y); }
