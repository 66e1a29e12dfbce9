#include <cmath>

#include "lessons/course/exercise/write.h"

double my_log_marginal() { return std::log(0.6 * 0.8 + 0.4 * 0.2); }  // ln 0.56 = -0.580

double my_bound_of_one() { return 0.6 * std::log(0.8) + 0.4 * std::log(0.2); }  // -0.778

// Both are the first patch with 0.6 * 0.6, both the second one with 0.4 * 0.4. The mixed case has
// two orders, so it counts twice. The result lies between the two others: -0.671.
double my_bound_of_two() {
    return 0.36 * std::log(0.8) + 0.48 * std::log(0.5) + 0.16 * std::log(0.2);
}
