// Says: the cosine is multiplied by tau, not divided
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_collapse() { return std::log(64.); }

double my_probability() { return std::exp(0.1) / (std::exp(0.1) + 63); }

double my_recall() { return 0.5 * 1 + 0.5 * 0.5; }
