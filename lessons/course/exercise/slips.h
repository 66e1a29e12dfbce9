// How numbers are compared, and what a wrong result has to do with the right one. Some slips happen in every exercise: a
// sign, a factor such as the root of the width, an axis, a softmax over the queries. They are tried here on each
// wrong result, so a judge names only the mistakes of its own task.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed::course {

// NaN is the same as NaN, and an infinity only as itself.
bool same_number(double a, double b, double tolerance);

// The first index at which the numbers differ; -1 if they are the same.
int64_t first_difference(const std::vector<double>& a, const std::vector<double>& b,
                         double tolerance);

// The same shape and the same numbers.
bool same(const Tensor& a, const Tensor& b, double tolerance);

// The largest finite number without its sign, at least 1.
double scale_of(const std::vector<double>& numbers);

// A line that says what all wrong numbers have in common: "\nAll numbers have the opposite sign.". Empty if it is no slip
// that is known here.
std::string slip_in(const Tensor& found, const Tensor& expected, double tolerance);

// The same for what it has to do with an argument of the reader's function: that it was not added, or is no factor.
std::string slip_with(const std::string& name, const Tensor& input, const Tensor& found,
                      const Tensor& expected, double tolerance);

// The factor with the digits that it takes to see that it is not 1: "0.25", "1.00002".
std::string factor_text(double factor);

}  // namespace heed::course
