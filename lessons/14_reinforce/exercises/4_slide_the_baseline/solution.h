#include <string>

#include "lessons/course/exercise/write.h"

// A parabola in b: 3 at b = 0, 0 at b = 4, 3 at b = 8.
std::string my_variance() { return "valley"; }

// E[L g^2] / E[g^2] = (0.75 * 0.0625 * 1 + 0.25 * 0.5625 * 5) / 0.1875 = 0.75 / 0.1875.
double my_lowest() { return 4; }

// b times E[g] is 0, whatever b is. The mean is always -0.75.
std::string my_mean() { return "flat"; }

// To add a number to the losses is to subtract it from b: away from 4.
std::string my_larger_losses() { return "rises"; }

// (L - c L) g has the mean -0.75 (1 - c). The bias is 0.75 c.
std::string my_own_loss() { return "rises"; }
