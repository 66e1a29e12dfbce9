// Says: the error of 0.1 was divided by 35
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_share() { return std::pow(0.99, 35); }  // 0.7034

double my_needed() { return 1 - 0.1 / 35; }  // 0.9970
