// Says: z keeps half of the gradient at each step
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_answer() {
    const double z = 0.5;
    return std::log(z / (1 - z));
}
