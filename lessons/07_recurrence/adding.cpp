#include "lessons/07_recurrence/adding.h"

#include "autograd/autograd.h"
#include "lessons/07_recurrence/initial_values.h"
#include "lessons/course/lesson/checkpoints.h"

using namespace heed;

Problems adding_problems(int count, int length, Rng& rng) {
    std::vector<double> x(2 * count * length), t(count);
    for (int b = 0; b < count; ++b) {
        double* row = &x[2 * b * length];
        for (int i = 0; i < length; ++i) row[2 * i] = rng.uniform();
        const int half = length / 2;
        for (int64_t i : {rng.below(half), half + rng.below(length - half)}) {
            row[2 * i + 1] = 1;
            t[b] += row[2 * i];
        }
    }
    return {tensor(x, {count, length, 2}), tensor(t, {count})};
}

Tensor Adder::operator()(const Tensor& x) const {
    return reshape(output(reader(x).states[0].hidden), {-1});
}

Adder make_adder(CellKind kind, Rng& rng) {
    const int64_t width = kind == CellKind::gru ? 32 : kind == CellKind::lstm ? 28 : 56;
    Adder adder{Recurrent(kind, 2, width, {}, rng), Linear(width, 1, rng)};
    RecurrentCell& cell = adder.reader.cells[0];
    make_orthogonal(cell, rng);
    if (gates_of(kind) > 1) raise_keep_bias(cell, keep_bias);
    return adder;
}

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
