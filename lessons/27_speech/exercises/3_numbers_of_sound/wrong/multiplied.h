// Says: the reaches add up
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_frames() { return 1 + std::floor((8000 - 200) / 160.); }

double my_step() { return std::log(100.); }

double my_reach() { return 7 * 7; }
