// Says: the powers are squares
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_frames() { return 1 + std::floor((8000 - 200) / 160.); }

double my_step() { return std::log(10.); }

double my_reach() { return 7 + 3 + 3; }
