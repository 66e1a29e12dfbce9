#include <cmath>

#include "lessons/course/exercise/write.h"

// 35 steps with the end symbol, and all of them have to be right.
double my_share() { return std::pow(0.99, 35); }  // 0.7034

// The other direction: the 35th root.
double my_needed() { return std::pow(0.9, 1. / 35); }  // 0.9970
