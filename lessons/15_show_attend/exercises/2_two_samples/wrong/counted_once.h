// Says: one sample of each patch can be drawn in two orders
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_log_marginal() { return std::log(0.6 * 0.8 + 0.4 * 0.2); }  // ln 0.56 = -0.580

double my_bound_of_one() { return 0.6 * std::log(0.8) + 0.4 * std::log(0.2); }  // -0.778

double my_bound_of_two() {
    return 0.36 * std::log(0.8) + 0.24 * std::log(0.5) + 0.16 * std::log(0.2);
}
