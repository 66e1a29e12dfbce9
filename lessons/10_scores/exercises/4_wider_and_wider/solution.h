#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

// The standard deviation of the scores grows from 2 to 23, and one weight gets nearly all.
std::string my_dot() { return "falls"; }

// The scores have the variance 1 at every width.
std::string my_scaled() { return "flat"; }

// The score of the equal key is about sqrt(D), in spite of the division.
std::string my_match() { return "falls"; }

// Saturated weights: where a weight is 1 its bracket is 0, elsewhere the weight is 0.
std::string my_gradient() { return "falls"; }

// A number divided by D has its variance divided by D^2, and D / D^2 = 1 / D.
std::string my_variance() { return "falls"; }

// All scores come close to 0, so all 32 weights are equal.
double my_limit() { return std::log(32.); }
