// Says: a wrong caption has e^0 = 1, not 0
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_collapse() { return std::log(64.); }

double my_probability() { return 1; }

double my_recall() { return 0.5 * 1 + 0.5 * 0.5; }
