// A number type that counts operations: each addition, subtraction, multiplication and tanh is one
// operation. Run a function that is generic in its number type with it, and read the count from
// Counted::operations.
#pragma once

#include <cmath>
#include <cstddef>

namespace heed::lesson02 {

struct Counted {
    double value;
    static inline long operations = 0;

    Counted(double x = 0) : value(x) {}
    friend Counted operator+(Counted a, Counted b) { return ++operations, a.value + b.value; }
    friend Counted operator-(Counted a, Counted b) { return ++operations, a.value - b.value; }
    friend Counted operator*(Counted a, Counted b) { return ++operations, a.value * b.value; }
    friend Counted tanh(Counted x) { return ++operations, std::tanh(x.value); }
    void operator+=(Counted b) { *this = *this + b; }
};

// Two functions whose operations we count, generic in the number type: the product x₁ x₂ ... xₙ,
// and a neuron, tanh(Σ wᵢ cᵢ), whose inputs cᵢ are constants.
inline constexpr auto product = [](const auto& x) {
    auto y = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) y = y * x[i];
    return y;
};
inline constexpr auto neuron = [](const auto& w) {
    auto sum = w[0] * Counted(0.3);
    for (std::size_t i = 1; i < w.size(); ++i) sum = sum + w[i] * Counted(0.3);
    return tanh(sum);
};

}  // namespace heed::lesson02
