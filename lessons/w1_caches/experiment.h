// The speed of several ways to multiply two matrices, on one core: the loops of the workshop in all
// six orders, and tables and plots of what was measured.
//
// Other programs on the computer disturb the measurement, so the methods run in turn, several times
// over, and the shortest time of each counts: a disturbance only ever makes a run slower.
#pragma once

#include <cstdint>
#include <vector>

#include "lessons/course/course.h"

namespace heed::workshop1 {

// C = A B for square matrices, stored row after row.
using Product = void(const float* a, const float* b, float* c, int n);

struct Method {
    const char* name;
    Product* product;  // null: the library's matmul
};

struct Result {
    double gflops;  // billions of operations a second: n³ multiplications and n³ additions
    double error;   // largest difference from the library's product, against its largest element
};

// All methods multiply the same two random n x n matrices. One result for each method.
std::vector<Result> measure_speed(const std::vector<Method>& methods, int n, int repetitions,
                                  std::uint64_t seed);

// --- the six orders -----------------------------------------------------------------------------

// Six methods; the name is the order of the loops, outermost first: "i j k", "j i k", ...
const std::vector<Method>& six_orders();

// What the measurement of the six orders gave, as ratios of times.
struct OrderResult {
    double slowest;  // the slowest order against the fastest
    double longer;   // the worst order at n + 8 against itself at n
};

// `lines` and `groups`: for each order, the cache lines a step needs and the cache groups that the
// numbers of a column use, at n and at n + 8.
OrderResult show_six_orders(course::AtCall lesson, int n, const std::vector<double>& lines,
                            const std::vector<int>& groups);

// Four products at n and over sizes: how much faster the last is than the first, and the largest
// relative difference between their results.
struct ProductResult {
    double gain, error;
};
ProductResult show_products(course::AtCall lesson, const std::vector<Method>& products, int n);

}  // namespace heed::workshop1
