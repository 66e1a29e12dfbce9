// Says: this is the new score
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_score() { return std::log(900); }

double my_growth() { return std::log(9000); }
