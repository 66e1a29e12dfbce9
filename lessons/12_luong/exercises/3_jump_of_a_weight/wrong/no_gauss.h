// Says: the Gaussian is missing
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_jump() { return 0.1; }

double my_smooth_jump() { return std::exp(-2) / 20; }
