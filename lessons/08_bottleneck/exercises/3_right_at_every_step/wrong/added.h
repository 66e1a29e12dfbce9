// Says: the probabilities are multiplied, not the errors added
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_share() { return 1 - 0.01 * 35; }  // 0.7034

double my_needed() { return std::pow(0.9, 1. / 35); }  // 0.9970
