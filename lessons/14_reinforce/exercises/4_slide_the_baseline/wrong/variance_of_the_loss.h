// Says: to expect that the variance of the loss decides
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_variance() { return "valley"; }

double my_lowest() { return 4; }

std::string my_mean() { return "flat"; }

std::string my_larger_losses() { return "flat"; }

std::string my_own_loss() { return "rises"; }
