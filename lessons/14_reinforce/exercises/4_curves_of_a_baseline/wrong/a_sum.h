// Says: to take a mean for a sum
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_mean() { return "flat"; }

std::string my_variance() { return "valley"; }

double my_lowest() { return 5.4; }

std::string my_samples() { return "rises"; }

std::string my_own() { return "rises"; }
