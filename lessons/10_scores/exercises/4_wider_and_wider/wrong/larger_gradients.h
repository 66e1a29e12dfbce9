// Says: to expect larger gradients from larger scores
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_dot() { return "falls"; }

std::string my_scaled() { return "flat"; }

std::string my_match() { return "falls"; }

std::string my_gradient() { return "rises"; }

std::string my_variance() { return "falls"; }

double my_limit() { return std::log(32.); }
