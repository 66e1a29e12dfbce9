// Says: the word 3 has left, and the word 13 has entered
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_jump() { return std::exp(-2) / 11; }

double my_smooth_jump() { return std::exp(-2) / 20; }
