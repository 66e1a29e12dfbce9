// Says: a word was paired with itself
#include <vector>

#include "lessons/course/exercise/write.h"

double my_tau(const std::vector<double>& a, const std::vector<double>& b) {
    const auto order = [](double x, double y) { return (x > y) - (x < y); };
    int balance = 0, pairs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i; j < a.size(); ++j) {
            balance += i == j ? 1 : order(a[i], a[j]) * order(b[i], b[j]);
            ++pairs;
        }
    return static_cast<double>(balance) / pairs;
}
