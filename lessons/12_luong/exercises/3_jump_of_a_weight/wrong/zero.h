// Says: the weight is not 0 any more
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_jump() { return std::exp(-2) / 10; }

double my_smooth_jump() { return 0; }
