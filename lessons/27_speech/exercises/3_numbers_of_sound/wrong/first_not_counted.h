// Says: the first frame is not counted
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_frames() { return std::floor((8000 - 200) / 160.); }

double my_step() { return std::log(100.); }

double my_reach() { return 7 + 3 + 3; }
