// Says: to divide the variance by D;
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_dot() { return "falls"; }

std::string my_scaled() { return "flat"; }

std::string my_match() { return "falls"; }

std::string my_gradient() { return "falls"; }

std::string my_variance() { return "flat"; }

double my_limit() { return std::log(32.); }
