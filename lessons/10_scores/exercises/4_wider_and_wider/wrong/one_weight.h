// Says: this is the entropy of a single weight
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_dot() { return "falls"; }

std::string my_scaled() { return "flat"; }

std::string my_match() { return "falls"; }

std::string my_gradient() { return "falls"; }

std::string my_variance() { return "falls"; }

double my_limit() { return 0; }
