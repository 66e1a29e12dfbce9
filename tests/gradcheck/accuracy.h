// How exact every elementwise function is, and its slope: the largest error over its whole range, in
// units in the last place, against long double. `./heed gradcheck --ulp` prints the table; the test
// tests/autograd/ops/test_accuracy.cpp holds each row to its bar.
//
// Where long double is no wider than double (64-bit Arm under macOS), the float64 rows are left out.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

inline constexpr bool reference_is_wider =
    std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits;

struct Accuracy {
    std::string name;  // "tanh", "tanh, slope", "pow(a, b), slope of a"
    Dtype dtype;
    double error = 0;       // the largest, in units in the last place; infinite if NaN or an
                            // infinity is wrong
    double at[2] = {0, 0};  // the argument, or the two, where it is
    double found = 0, expected = 0;
    double bar = 0;
    bool holds() const { return error <= bar; }
};

// All rows whose name contains the filter, measured now.
std::vector<Accuracy> measure_accuracy(const std::string& filter = "");

// Rows with a reference; every elementwise operation must be among their first words.
std::vector<std::string> accuracy_names();

}  // namespace heed
