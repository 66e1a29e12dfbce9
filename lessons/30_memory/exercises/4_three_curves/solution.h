#include <string>

#include "lessons/course/exercise/write.h"

// n + 204 / n is lowest at the root of 204, about 14. That is beyond the last number, 12.
std::string my_first() { return "falls"; }

// n + 400 / n is lowest at 20, and at 100 it is 104.
std::string my_second() { return "valley"; }

double my_lowest() { return 20; }

// Only the last output is kept, whatever the depth, and one layer at a time is recorded.
std::string my_third() { return "flat"; }
