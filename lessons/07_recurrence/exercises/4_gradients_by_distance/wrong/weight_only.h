// Says: to look at the weight 2 only
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { return "falls"; }

std::string my_tanh() { return "flat"; }

std::string my_saturated() { return "rises"; }

std::string my_gate() { return "rises"; }

double my_distance() { return 44; }
