// Says: to take the share of the new input
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { return "falls"; }

std::string my_tanh() { return "flat"; }

std::string my_saturated() { return "falls"; }

std::string my_gate() { return "falls"; }

double my_distance() { return 44; }
