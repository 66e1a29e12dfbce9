// Says: to expect that what is subtracted from the loss is missing in the mean
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_mean() { return "falls"; }

std::string my_variance() { return "valley"; }

double my_lowest() { return 5.4; }

std::string my_samples() { return "falls"; }

std::string my_own() { return "rises"; }
