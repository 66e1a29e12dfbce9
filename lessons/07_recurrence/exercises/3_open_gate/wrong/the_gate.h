// Says: this is the gate z that is needed, and not yet its bias
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_answer() {
    const double z = std::pow(0.5, 1. / 50);
    return z;
}
