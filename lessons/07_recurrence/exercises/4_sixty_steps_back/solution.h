#include <string>

#include "lessons/course/exercise/write.h"

// The state is kept, but a step multiplies by 2 (1 - 0.9575^2) = 0.166.
std::string my_first() { return "falls"; }

// Each step multiplies the length by 1.
std::string my_second() { return "flat"; }

// 1.2 times 0.8 is 0.96. After 60 steps 0.086 is left.
std::string my_third() { return "falls"; }

// 1.5 times 0.8 is 1.2. After 60 steps the length is 56,000 times as large.
std::string my_fourth() { return "rises"; }

// The border is at rho s = 1.
double my_border() { return 1 / 0.8; }

// Near 1 is not 1: 0.953^60 = 0.054.
std::string my_fifth() { return "falls"; }
