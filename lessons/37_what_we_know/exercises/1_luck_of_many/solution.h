#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

double my_expected(const std::vector<double>& p) {
    double sum = 0;
    for (double one : p) sum += one;
    return sum;
}

double my_at_least_one(const std::vector<double>& p) {
    double none = 1;
    for (double one : p) none *= 1 - one;
    return 1 - none;
}

// together = 1 - (1 - p)^n, solved for p.
double my_each(int n, double together) { return 1 - std::pow(1 - together, 1.0 / n); }
