#include <cmath>

#include "lessons/course/exercise/write.h"

// Just after 8 the window covers the words 4 to 13: ten of them, because 3 has left. The distance R
// is two times sigma for every R, so the Gaussian is e^-2 again.
double my_jump() { return std::exp(-2) / 10; }

double my_smooth_jump() { return std::exp(-2) / 20; }
