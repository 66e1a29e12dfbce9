// Measures the speed of several ways to multiply two matrices, on one core. Other programs on the
// computer disturb the measurement, so the methods run in turn, several times over, and the
// shortest time of each counts: a disturbance only ever makes a run slower.
#pragma once

#include <cstdint>
#include <vector>

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
