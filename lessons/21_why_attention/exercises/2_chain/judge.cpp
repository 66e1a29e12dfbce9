#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <vector>

#include HEED_ANSWER

// The same with one thing wrong.
Tensor chain(const Tensor& W, const Tensor& U, const Tensor& x, const Tensor& c,
             const std::string& slip = "") {
    const int64_t T = x.size(0);
    std::vector<Tensor> h, result(T);
    for (int64_t t = 0; t < T; ++t) {
        const Tensor in = matmul(U, select(x, 0, t));
        h.push_back(tanh(t == 0 ? in : matmul(W, h.back()) + in));
    }
    Tensor g = c;
    for (int64_t t = T - 1; t >= 0; --t) {
        const Tensor slope = 1. - square(h[slip == "last state" ? T - 1 : t]);
        const Tensor a = slip == "no slopes" ? g : g * slope;
        result[t] = matmul(slip == "U" ? U : transpose(U), a);
        if (slip == "order") result[t] = matmul(transpose(U), g) * slope;
        g = slip == "slope at x only" ? matmul(transpose(W), g)
                                      : matmul(slip == "W" ? W : transpose(W), a);
    }
    return stack(slip == "reversed" ? std::vector<Tensor>(result.rbegin(), result.rend()) : result);
}

void judge(course::Judge& judge) {
    judge.own({"grad", "backward", "vjp", "jacobian", "gradient_by_distance", "jvp"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    judge.equal(
        "D = 1, W = 0.5, inputs of 0: 0.25, 0.5 and 1",
        [&] {
            return my_gradients(f64({0.5}, {1, 1}), f64({1}, {1, 1}), f64({0, 0, 0}, {3, 1}),
                                f64({1}, {1}));
        },
        f64({0.25, 0.5, 1}, {3, 1}),
        {.formula = "going back one step multiplies by W and by the slope",
         .mistakes = {
             {"the rows stand in the opposite order: row 0 is the first input",
              f64({1, 0.5, 0.25}, {3, 1})},
             {"the gradient is not multiplied by W on its way", f64({1, 1, 1}, {3, 1})},
             {"the last input gets the gradient of its state, without W: W stands between states",
              f64({0.125, 0.25, 0.5}, {3, 1})}}});
    const double h = std::tanh(1.);
    judge.equal(
        "one input of 1 with U = 1, c = 2: twice the slope of tanh at 1, 0.84",
        [&] {
            return my_gradients(f64({0.5}, {1, 1}), f64({1}, {1, 1}), f64({1}, {1, 1}),
                                f64({2}, {1}));
        },
        f64({2 * (1 - h * h)}, {1, 1}),
        {.formula = "1 - h^2, with the state h = tanh(1)",
         .mistakes = {{"the slope of tanh is missing", f64({2}, {1, 1})},
                      {"the slope is 1 - h^2 of the state, not of the input", f64({0}, {1, 1})},
                      {"c is not used: y is c times the last state", f64({1 - h * h}, {1, 1})}}});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 0.6, rng, Dtype::float64);
    };
    const Tensor W = random({3, 3}), U = random({3, 3}), x = random({5, 3}), c = random({3});
    const auto with = [&](const char* slip) { return chain(W, U, x, c, slip); };
    Tensor leaf = copy_of(x).set_requires_grad();
    Tensor state = zeros({3}, Dtype::float64);
    for (int64_t t = 0; t < 5; ++t) state = tanh(matmul(W, state) + matmul(U, select(leaf, 0, t)));
    const Tensor right = grad(sum(c * state), {leaf})[0];
    judge.given({{"W", W}, {"U", U}, {"x", x}, {"c", c}});
    judge.equal(
        "five random inputs of width 3, against the engine",
        [&] { return my_gradients(W, U, x, c); }, right,
        {.formula = "a = g (1 - h_t^2); x_t gets U^T a, and h_{t-1} gets W^T a",
         .mistakes = {
             {"W is not transposed on the way back", with("W")},
             {"U is not transposed on the way back", with("U")},
             {"the slopes are missing", with("no slopes")},
             {"the slopes of the last state are used at every step", with("last state")},
             {"the slopes are multiplied after the matrix, not before it", with("order")},
             {"the slopes are left out on the way to the state before", with("slope at x only")},
             {"the rows stand in the opposite order: row 0 is the first input",
              with("reversed")}}});
    const Tensor small = random({2, 2}), other = random({2, 2}), many = random({40, 2}),
                 last = random({2});
    judge.equal(
        "forty inputs of width 2", [&] { return my_gradients(small, other, many, last); },
        chain(small, other, many, last));
    judge.equal(
        "forty inputs once more, the first row alone, relative to its size",
        [&] {
            return select(my_gradients(small, other, many, last), 0, 0) /
                   max(abs(chain(small, other, many, last)[0]));
        },
        chain(small, other, many, last)[0] / max(abs(chain(small, other, many, last)[0])));
}
