#include <string>

#include "lessons/course/exercise/write.h"

// Two rounds of n - 1 steps, each with one chunk of 4 P / n bytes.
double my_sent() { return 2 * 3 / 4. * 4; }

// 2 (n - 1) / n times 4 P, divided by (n - 1) / n, is 8 P.
std::string my_curve() { return "flat"; }
