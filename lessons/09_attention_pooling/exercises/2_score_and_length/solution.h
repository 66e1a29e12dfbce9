#include <cmath>

#include "lessons/course/exercise/write.h"

// e^s / (e^s + 100) = 0.9 gives e^s = 0.9 * 100 / 0.1 = 900.
double my_score() { return std::log(900); }

// The score depends on the number of words through its logarithm: each factor of ten adds ln 10.
double my_growth() { return std::log(10); }
