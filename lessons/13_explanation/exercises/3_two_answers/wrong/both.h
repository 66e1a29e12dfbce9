// Says: only the first of the two halves is there
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

using List = std::vector<double>;

double my_distance(const List& p, const List& q) {
    double moved = 0;
    for (std::size_t i = 0; i < p.size(); ++i) moved += std::abs(p[i] - q[i]);
    return moved / 2;
}

double my_divergence(const List& a, const List& b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double m = (a[i] + b[i]) / 2;
        if (a[i] > 0) total += a[i] * std::log(a[i] / m);
    }
    return total / 2;
}
