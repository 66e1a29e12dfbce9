#include <cmath>

#include "lessons/course/exercise/write.h"

// The last frame starts at sample 48 * 160 = 7,680. The next one would end at sample 8,040.
double my_frames() { return 1 + std::floor((8000 - 200) / 160.); }

// Both sums grow by a factor of 10, so the power grows by 100. The logarithm of a product is a sum.
double my_step() { return std::log(100.); }

// The second convolution reads 7 frames. The outermost two of them have read 3 more frames each.
double my_reach() { return 7 + 3 + 3; }
