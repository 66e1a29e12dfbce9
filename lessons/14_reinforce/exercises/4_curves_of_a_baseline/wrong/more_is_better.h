// Says: to expect that more is better
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_mean() { return "flat"; }

std::string my_variance() { return "falls"; }

double my_lowest() { return 5.4; }

std::string my_samples() { return "falls"; }

std::string my_own() { return "rises"; }
