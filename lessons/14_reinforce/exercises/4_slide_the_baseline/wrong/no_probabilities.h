// Says: this is the mean of the two losses
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_variance() { return "valley"; }

double my_lowest() { return 3; }

std::string my_mean() { return "flat"; }

std::string my_larger_losses() { return "rises"; }

std::string my_own_loss() { return "rises"; }
