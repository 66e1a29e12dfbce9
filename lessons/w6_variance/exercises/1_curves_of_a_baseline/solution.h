#include <string>

#include "lessons/course/exercise/write.h"

// E[b g] = b (0.6 * 0.4 - 0.4 * 0.6) = 0, whatever b is.
std::string my_mean() { return "flat"; }

// E[(L - b)^2 g^2] is a parabola in b, and the square of the mean does not change.
std::string my_variance() { return "valley"; }

// (0.6 * 0.16 * 3 + 0.4 * 0.36 * 7) / (0.6 * 0.16 + 0.4 * 0.36)
double my_lowest() { return 5.4; }

// The variance of a mean is that of one estimate, divided by n.
std::string my_samples() { return "falls"; }

// The estimate is (1 - c) L g, so its mean is the share 1 - c of the derivative.
std::string my_own() { return "rises"; }
