// Says: to compare with the length
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_gru() { return "flat"; }

std::string my_attention() { return "rises"; }

std::string my_window() { return "flat"; }

std::string my_waiting() { return "flat"; }

std::string my_share() { return "falls"; }

std::string my_width() { return "rises"; }

double my_twice() { return 256; }
