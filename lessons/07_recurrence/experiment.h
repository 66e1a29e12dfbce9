// What the lesson trains: adders on the adding problem.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/07_recurrence/model.h"
#include "nn/nn.h"

namespace heed::lesson07 {

struct Training {
    int length = 20, steps = 1000;
    double rate = 0.01;  // of Adam; a fifth of it in the last third of the steps
};

// The mean squared error on 1,000 new problems.
double error_on_new_problems(const Adder& adder, int length, Rng& rng);

// Trains an adder and returns its error on new problems.
using Train = std::function<double(const Adder& adder, const Training& training, Rng& rng)>;

// Trains several adders, each with a seed of its own, at the better of the learning rates 0.003 and
// 0.01. That rate is chosen first, with one more seed.
struct TrainedAdders {
    double rate;
    std::vector<double> errors;
    Adder last;
};
TrainedAdders train_adders(const Train& train, CellKind kind, int length, int steps, int adders,
                           std::uint64_t seed);

}  // namespace heed::lesson07
