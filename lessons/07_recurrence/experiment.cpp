#include "lessons/07_recurrence/experiment.h"

#include "autograd/autograd.h"
#include "lessons/07_recurrence/data.h"

namespace heed::lesson07 {

double error_on_new_problems(const Adder& adder, int length, Rng& rng) {
    const NoGrad no_grad;
    const Problems problems = adding_problems(1000, length, rng);
    return mse(adder(problems.x), problems.t).item();
}

TrainedAdders train_adders(const Train& train, CellKind kind, int length, int steps, int adders,
                           std::uint64_t seed) {
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

}  // namespace heed::lesson07
