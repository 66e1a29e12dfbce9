// Says: this is the plain mean of the neighbours
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_y1() { return (1 + 4) / 2.; }

double my_ratio() { return std::sqrt(3. / 2); }

double my_ratio_of_means() { return 1; }
