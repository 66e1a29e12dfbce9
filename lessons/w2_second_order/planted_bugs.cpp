#include "lessons/w2_second_order/planted_bugs.h"

#include "autograd/autograd.h"

namespace heed::workshop2 {

namespace {

using Inputs = std::vector<Tensor>;

// y = f(x) with the given gradient rule: rule_of(x) returns the function g -> dL/dx.
template <class Function, class RuleOf>
PlantedBug planted(const char* operation, const char* mistake, Shape shape, Function f,
                   RuleOf rule_of) {
    const auto wrong = [=](const Inputs& xs) {
        const Tensor x = detach(xs[0]);
        return record("planted", f(x), xs[0], rule_of(x));
    };
    return {operation, mistake, {shape}, wrong, [f](const Inputs& xs) { return f(xs[0]); }};
}

// The same for y = f(a, b), with a rule for each input.
template <class Function, class RuleA, class RuleB>
PlantedBug planted(const char* operation, const char* mistake, Shape shape_a, Shape shape_b,
                   Function f, RuleA rule_a, RuleB rule_b) {
    const auto wrong = [=](const Inputs& xs) {
        const Tensor a = detach(xs[0]), b = detach(xs[1]);
        return record("planted", f(a, b), xs[0], rule_a(a, b), xs[1], rule_b(a, b));
    };
    const auto right = [f](const Inputs& xs) { return f(xs[0], xs[1]); };
    return {operation, mistake, {shape_a, shape_b}, wrong, right};
}

}  // namespace

std::vector<PlantedBug> planted_bugs() {
    using T = const Tensor&;
    const Indices labels{2, 0, 1};
    return {
        planted(
            "softmax", "all zeros", {3, 4}, [](T x) { return softmax(x); },
            [](T) { return [](T g) { return g * 0.0; }; }),
        planted(
            "layer norm", "deviation held constant", {3, 4}, [](T x) { return layer_norm(x); },
            [](T x) {
                const Tensor s = sqrt(var(x, -1, true, 0) + 1e-5);
                return [s](T g) { return (g - mean(g, -1, true)) / s; };
            }),
        planted(
            "flip", "not flipped back", {5}, [](T x) { return flip(x, 0); },
            [](T) { return [](T g) { return g; }; }),
        planted(
            "transpose", "reshaped, not transposed", {3, 4}, [](T x) { return transpose(x); },
            [](T) { return [](T g) {
                        return reshape(g, {3, 4});
                    }; }),
        planted(
            "matrix product", "a transpose forgotten", {3, 3}, {3, 3},
            [](T a, T b) { return matmul(a, b); },
            [](T, T b) { return [b = b](T g) { return matmul(g, b); }; },
            [](T a, T) { return [a = a](T g) { return matmul(transpose(a), g); }; }),
        planted(
            "relu", "sign of g, not of x", {20}, [](T x) { return relu(x); },
            [](T) { return [](T g) { return relu(g); }; }),
        planted(
            "tanh", "1 - x² for 1 - y²", {5}, [](T x) { return tanh(x); },
            [](T x) { return [x = x](T g) { return g * (1 - x * x); }; }),
        planted(
            "scaled product", "scale forgotten", {2, 4}, {3, 4},
            [](T q, T k) { return matmul(q, transpose(k)) / 2; },
            [](T, T k) { return [k = k](T g) { return matmul(g, k); }; },
            [](T q, T) { return [q = q](T g) { return matmul(transpose(g), q); }; }),
        planted(
            "bias", "mean of rows, not sum", {3, 4}, {4}, [](T x, T b) { return x + b; },
            [](T, T) { return [](T g) { return g; }; },
            [](T, T) { return [](T g) { return mean(g, 0); }; }),
        planted(
            "x times x", "one use of two", {5}, [](T x) { return x * x; },
            [](T x) { return [x = x](T g) { return g * x; }; }),
        planted(
            "cross-entropy", "not divided by rows", {3, 4},
            [labels](T x) { return cross_entropy(x, labels); },
            [labels](T x) {
                const Tensor p = softmax(x), q = one_hot(labels, 4, Dtype::float64);
                return [p, q](T g) { return g * (p - q); };
            }),
        // Right to first order: the derivative has the right value, but it is a constant.
        planted(
            "tanh again", "slope held constant", {5}, [](T x) { return tanh(x); },
            [](T x) { return [y = tanh(x)](T g) { return g * (1 - y * y); }; }),
    };
}

}  // namespace heed::workshop2
