// Says: At index [0]: expected -0.10
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor&) { return zeros_like(y); }
