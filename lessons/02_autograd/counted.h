// A number that counts what is done with it: each addition, subtraction, multiplication and tanh is
// one operation. Whatever is generic in its numbers can be weighed with it.
#pragma once

#include <cmath>
#include <cstddef>

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

// Two programs to weigh, for inputs of any kind of number: x₁ x₂ ... xₙ, and a neuron,
// tanh(Σ wᵢ cᵢ), whose constants cᵢ want no derivative.
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
