#include "lessons/07_recurrence/experiment.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/07_recurrence/data.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson07 {

// --- the adding problem -------------------------------------------------------------------------

double train(const Adder& adder, const Training& training, Rng& rng) {
    Adam adam(parameters(adder), {.lr = training.rate});
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for (int64_t n : checkpoint.steps(training.steps)) {
        const Problems problems = adding_problems(32, training.length, rng);
        backward(mse(adder(problems.x), problems.t));
        clip_grad_norm(adam.parameters(), 1);
        adam.lr = 3 * (n - 1) < 2 * training.steps ? training.rate : training.rate / 5;
        adam.step();
        adam.zero_grad();
    }
    const NoGrad no_grad;
    const Problems problems = adding_problems(1000, training.length, rng);
    return mse(adder(problems.x), problems.t).item();
}

TrainedAdders train_adders(CellKind kind, int length, int steps, int adders, std::uint64_t seed) {
    TrainedAdders result;
    const auto error = [&](double rate, std::uint64_t number) {
        Rng rng(number);
        result.last = make_adder(kind, rng);
        return train(result.last, {length, steps, rate}, rng);
    };
    result.rate = error(0.003, seed) < error(0.01, seed) ? 0.003 : 0.01;
    for (int i = 1; i <= adders; ++i) result.errors.push_back(error(result.rate, seed + i));
    return result;
}

// --- the cliff ----------------------------------------------------------------------------------

CliffPoints cliff_points(int side) {
    std::vector<double> w, b;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            w.push_back(4 + 4 * (column + 0.5) / side);
            b.push_back(-1 - 4 * (row + 0.5) / side);
        }
    return {tensor(w, Dtype::float64), tensor(b, Dtype::float64)};
}

Tensor cliff_loss(const Tensor& w, const Tensor& b) {
    Tensor x = full(w.shape(), 0.5, w.dtype());
    for (int t = 0; t < 50; ++t) x = w * sigmoid(x) + b;
    return square(sigmoid(x) - 0.7);
}

Descents descend(int side, double clip_norm) {
    CliffPoints p = cliff_points(side);
    Descents d;
    d.side = side;
    for (int n = 0; n < 500; ++n) {
        p.w = clone(p.w).set_requires_grad();
        p.b = clone(p.b).set_requires_grad();
        const std::vector<Tensor> g = grad(sum(cliff_loss(p.w, p.b)), {p.w, p.b});
        const NoGrad no_grad;
        const Tensor norm = sqrt(square(g[0]) + square(g[1]) + 1e-300), all = ones_like(norm);
        const Tensor scale = clip_norm > 0 ? minimum(all, clip_norm / norm) : all;
        d.longest_step = std::max(d.longest_step, max(scale * norm).item());
        p.w = p.w - scale * g[0];
        p.b = p.b - scale * g[1];
    }
    d.loss = cliff_loss(p.w, p.b);
    d.reached = mean(d.loss < 1e-4).item();
    return d;
}

}  // namespace heed::lesson07
