#include <vector>

#include "lessons/course/exercise/write.h"

// Comparisons give the sign of a difference exactly. A product of two differences would give it,
// too, but the product of two tiny numbers is rounded to 0.
double my_tau(const std::vector<double>& a, const std::vector<double>& b) {
    const auto order = [](double x, double y) { return (x > y) - (x < y); };
    int balance = 0, pairs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j) {
            balance += order(a[i], a[j]) * order(b[i], b[j]);
            ++pairs;
        }
    return static_cast<double>(balance) / pairs;
}
