// Says: this is right before the division
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_first() { return "falls"; }

std::string my_second() { return "valley"; }

double my_lowest() { return 20; }

std::string my_third() { return "flat"; }

std::string my_fourth() { return "rises"; }
