#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

struct Network {
    Tensor W, b, w, c;  // [6, 2], [6], [6], []
    std::vector<Tensor> all() const { return {W, b, w, c}; }
};

// Gradient descent on 30 points, of which 10 belong to class 1.
void train(Network& network, int steps) {
    Rng rng(1);
    const Tensor x = normal({30, 2}, 0, 1, rng, Dtype::float64);
    const Tensor is_one = concat({ones({10}, Dtype::float64), zeros({20}, Dtype::float64)}, 0);
    for (Tensor& parameter : std::vector<Tensor>{network.W, network.b, network.w, network.c})
        parameter.set_requires_grad();
    for (int step = 0; step < steps; ++step) {
        const Tensor h = tanh(matmul(x, transpose(network.W)) + network.b),
                     z = matmul(h, network.w) + network.c;
        const std::vector<Tensor> g = grad(mean(softplus(z) - is_one * z), network.all());
        std::vector<Tensor> parameters = network.all();
        for (std::size_t i = 0; i < g.size(); ++i)
            parameters[i].assign(detach(parameters[i]) - 0.5 * g[i]);
    }
}

int different_rows(const Tensor& rows) {
    int count = 0;
    for (int i = 0; i < rows.size(0); ++i) {
        bool is_new = true;
        for (int j = 0; j < i; ++j)
            is_new &= max(abs(select(rows, 0, i) - select(rows, 0, j))).item() > 1e-9;
        count += is_new;
    }
    return count;
}

void judge(course::Judge& judge) {
    judge.own({"grad", "backward", "tanh", "matmul"});
    const auto list = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto units = [](const Network& n) {  // [6, 4]
        return detach(concat({n.W, unsqueeze(n.b, 1), unsqueeze(n.w, 1)}, 1));
    };
    const Tensor zero = scalar(0, Dtype::float64);

    Network a{list({.5, .5, .5, .5, .5, .5, -.5, .2, -.5, .2, -.5, .2}, {6, 2}),
              list({0, 0, 0, 0, 0, .1}, {6}), list({1, 1, 2, 1, 1, 1}, {6}), copy_of(zero)};
    train(a, 100);
    judge.number(
        "A: different units after 100 steps", my_different_units, different_rows(units(a)),
        {.mistakes = {{"only the rows of W are compared; b and w belong to a unit as well", 2},
                      {"one of b and w is left out: both belong to a unit", 3},
                      {"to expect that training makes equal units different", 6},
                      {"to expect that all units become equal", 1}}});

    Network b{zeros({6, 2}, Dtype::float64), zeros({6}, Dtype::float64), zeros({6}, Dtype::float64),
              copy_of(zero)};
    train(b, 100);
    double changed = 0;
    for (const Tensor& parameter : b.all())
        for (double number : parameter.to_vector()) changed += number != 0;
    judge.number(
        "B: parameters that have changed", my_changed_parameters, changed,
        {.mistakes = {
             {"to count weights only; none of them changes, but one parameter is not a weight", 0},
             {"b is counted, but its gradient is multiplied by w, which is 0", 7},
             {"b is counted, but its gradient is multiplied by w, which is 0", 6},
             {"all are counted, but the gradients of W and b are multiplied by w, which is 0",
              25}}});

    Network c{zeros({6, 2}, Dtype::float64), zeros({6}, Dtype::float64),
              list({.1, -.4, .7, 1.2, -.9, .3}, {6}), copy_of(zero)};
    train(c, 1);
    judge.number(
        "C: different rows of W after one step", my_different_rows, different_rows(c.W),
        {.mistakes = {
             {"to look at the rows of W only, and not at those of its gradient", 1},
             {"to expect no gradient for W, but it is multiplied by w, which is not 0", 0}}});
}
