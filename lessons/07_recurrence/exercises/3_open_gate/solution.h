#include <cmath>

#include "lessons/course/exercise/write.h"

// The gate has to be z = 0.5^(1/50) = 0.986, and the inverse of the sigmoid is ln(z / (1 - z)).
double my_answer() {
    const double z = std::pow(0.5, 1. / 50);
    return std::log(z / (1 - z));  // 4.27
}
