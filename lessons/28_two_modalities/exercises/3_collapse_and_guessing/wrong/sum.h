// Says: L is their mean, not their sum
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_collapse() { return 2 * std::log(64.); }

double my_probability() { return std::exp(10.) / (std::exp(10.) + 63); }

double my_recall() { return 0.5 * 1 + 0.5 * 0.5; }
