// Says: this weight is 0.5
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_score() { return std::log(100); }

double my_growth() { return std::log(10); }
