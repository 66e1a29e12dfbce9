#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_positions(int64_t first, int64_t count, int64_t D) {  // [count, D]
    std::vector<double> numbers;
    for (int64_t t = first; t < first + count; ++t)
        for (int64_t i = 0; i < D / 2; ++i) {
            const double angle = t * std::pow(10000., -2. * i / D);
            numbers.push_back(std::sin(angle));
            numbers.push_back(std::cos(angle));
        }
    return tensor(numbers, {count, D});
}

// The square of the sine and that of the cosine sum to 1 for each hand.
double my_squared_length(int64_t D) { return D / 2.; }

// Each hand adds the cosine of the angle between its two positions.
double my_product(int64_t d, int64_t D) {
    double product = 0;
    for (int64_t i = 0; i < D / 2; ++i) product += std::cos(d * std::pow(10000., -2. * i / D));
    return product;
}
