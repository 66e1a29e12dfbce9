// Says: the end symbol is a step, too
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_share() { return std::pow(0.99, 34); }  // 0.7034

double my_needed() { return std::pow(0.9, 1. / 35); }  // 0.9970
