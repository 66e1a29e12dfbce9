// Says: the sign of b is wrong
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_answer() {
    const double z = std::pow(0.5, 1. / 50);
    return std::log((1 - z) / z);
}
