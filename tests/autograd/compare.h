// What the tests of the engine share: comparing tensors, and a scalar to differentiate.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/autograd.h"
#include "tests/catch.h"

namespace heed {

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The largest |a - b|; infinite where one is NaN or the shapes differ.
inline double largest_difference(const Tensor& a, const Tensor& b) {
    if (!(a.shape() == b.shape())) return infinity;
    const std::vector<double> va = a.to_vector(), vb = b.to_vector();
    double largest = 0;
    for (std::size_t i = 0; i < va.size(); ++i) {
        if (va[i] == vb[i]) continue;
        const double difference = std::abs(va[i] - vb[i]);
        largest = difference >= 0 ? std::max(largest, difference) : infinity;
    }
    return largest;
}

// float64 numbers around 0, the same for the same seed.
inline Tensor numbers(const Shape& shape, uint64_t seed = 1) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, Dtype::float64);
}

// Σ c y with a random c: unlike the plain sum it sees every element.
inline Tensor weighed(const Tensor& y, uint64_t seed = 99) {
    return y.dtype() == Dtype::float64 ? sum(y * numbers(y.shape(), seed))
                                       : sum(y * to_dtype(numbers(y.shape(), seed), y.dtype()));
}

// The gradients of weighed(f(leaves)), computed by the kernels' own backward passes.
template <class F>
std::vector<Tensor> gradients_of(const F& f, const std::vector<Tensor>& inputs) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : inputs) leaves.push_back(detach(x).set_requires_grad());
    return grad(weighed(f(leaves)), leaves);
}

// f and definition agree in values and gradients to 1e-12, and f's gradients are right to order 2.
template <class F, class Definition>
void check_against(const F& f, const Definition& definition, const std::vector<Tensor>& inputs) {
    CHECK(largest_difference(f(inputs), definition(inputs)) < 1e-12);
    const std::vector<Tensor> fast = gradients_of(f, inputs);
    const std::vector<Tensor> plain = gradients_of(definition, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        CHECK(largest_difference(fast[i], plain[i]) < 1e-12);
    // A gradient may be 0 in some of the shapes: the softmax of a single number is constant.
    const GradcheckReport report = gradcheck(f, inputs, {.order = 2, .floor = 0});
    INFO(to_string(report));
    CHECK(report.pass);
}

}  // namespace heed
