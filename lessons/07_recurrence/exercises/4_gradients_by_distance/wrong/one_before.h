// Says: at this distance it is still a little above a hundredth
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { return "falls"; }

std::string my_tanh() { return "flat"; }

std::string my_saturated() { return "falls"; }

std::string my_gate() { return "rises"; }

double my_distance() { return 43; }
