// Says: to expect that more is always better
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_variance() { return "falls"; }

double my_lowest() { return 4; }

std::string my_mean() { return "flat"; }

std::string my_larger_losses() { return "rises"; }

std::string my_own_loss() { return "rises"; }
