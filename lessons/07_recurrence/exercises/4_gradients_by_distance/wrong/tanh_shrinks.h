// Says: to expect that tanh always makes the gradient smaller
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { return "falls"; }

std::string my_tanh() { return "falls"; }

std::string my_saturated() { return "falls"; }

std::string my_gate() { return "rises"; }

double my_distance() { return 44; }
