// Says: in half of the scenes both shades are equal
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_collapse() { return std::log(64.); }

double my_probability() { return std::exp(10.) / (std::exp(10.) + 63); }

double my_recall() { return 0.5; }
