// Says: divided by the largest one, not by the sum
#include "lessons/course/exercise/write.h"

Tensor my_softmax(const Tensor& z, double T = 1) { return exp((z - max(z, -1, true)) / T); }
