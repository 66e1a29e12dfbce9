#include <string>

#include "lessons/course/exercise/write.h"

// 0.9 to the power of d
std::string my_linear() { return "falls"; }

// At 0 the derivative of tanh is 1, and so is each factor.
std::string my_tanh() { return "flat"; }

// Each factor is 2 (1 - 0.9575^2) = 0.166: the weight is large, and tanh is flat there.
std::string my_saturated() { return "falls"; }

// Each factor is the gate itself, and it comes nearer to 1 as its bias grows.
std::string my_gate() { return "rises"; }

// 0.9^43 = 0.0108 and 0.9^44 = 0.0097
double my_distance() { return 44; }
