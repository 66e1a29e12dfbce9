// Says: to take the state for its derivative
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_first() { return "flat"; }

std::string my_second() { return "flat"; }

std::string my_third() { return "falls"; }

std::string my_fourth() { return "rises"; }

double my_border() { return 1 / 0.8; }

std::string my_fifth() { return "falls"; }
