// Says: the product of two tiny differences is rounded to 0
#include <vector>

#include "lessons/course/exercise/write.h"

double my_tau(const std::vector<double>& a, const std::vector<double>& b) {
    int balance = 0, pairs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j) {
            const double product = (a[i] - a[j]) * (b[i] - b[j]);
            balance += (product > 0) - (product < 0);
            ++pairs;
        }
    return static_cast<double>(balance) / pairs;
}
