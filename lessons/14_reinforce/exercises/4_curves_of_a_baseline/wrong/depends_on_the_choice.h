// Says: to forget that this baseline depends on the choice
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_mean() { return "flat"; }

std::string my_variance() { return "valley"; }

double my_lowest() { return 5.4; }

std::string my_samples() { return "falls"; }

std::string my_own() { return "flat"; }
