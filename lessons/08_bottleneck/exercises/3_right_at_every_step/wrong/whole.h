// Says: 1 / 35 is 0 for C++
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_share() { return std::pow(0.99, 35); }  // 0.7034

double my_needed() { return std::pow(0.9, 1 / 35); }  // 0.9970
