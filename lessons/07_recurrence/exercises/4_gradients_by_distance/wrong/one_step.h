// Says: to look at one step only
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { return "flat"; }

std::string my_tanh() { return "flat"; }

std::string my_saturated() { return "falls"; }

std::string my_gate() { return "rises"; }

double my_distance() { return 44; }
