// Who multiplies fastest? A shared computer is never quiet, so all contestants take turns, several
// rounds of it, and the best time of each counts: noise only ever makes a run slower. One core.
#pragma once

#include <cstdint>
#include <vector>

// C = A B for square matrices, row after row in memory.
using Product = void(const float* a, const float* b, float* c, int n);

struct Contestant {
    const char* name;
    Product* product;  // null: the library's matmul
};

struct Result {
    double gflops;  // billions of operations a second: n³ multiplications and n³ additions
    double error;   // largest difference from the library's product, against its largest element
};

// All on the same two random matrices of n x n. One result for each contestant.
std::vector<Result> race(const std::vector<Contestant>& contestants, int n, int rounds,
                         std::uint64_t seed);
