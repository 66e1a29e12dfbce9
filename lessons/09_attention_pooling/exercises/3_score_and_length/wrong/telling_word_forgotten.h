// Says: the telling word is in the divisor, too
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_score() { return std::log(90); }

double my_growth() { return std::log(10); }
