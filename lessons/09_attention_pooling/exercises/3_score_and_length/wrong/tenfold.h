// Says: the score does not grow by a factor
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_score() { return std::log(900); }

double my_growth() { return 10; }
