// Says: the weights of a mean sum to 1
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_y1() { return 1 / std::sqrt(2. * 3) * 1 + 1 / std::sqrt(2. * 2) * 4; }

double my_ratio() { return std::sqrt(3. / 2); }

double my_ratio_of_means() { return std::sqrt(3. / 2); }
