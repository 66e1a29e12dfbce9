// Says: the last of these frames would reach beyond
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_frames() { return 8000 / 160.; }

double my_step() { return std::log(100.); }

double my_reach() { return 7 + 3 + 3; }
