//! # What makes a small network learn faster?
//! Part: From numbers to gradients
//!
//! The network of lesson {learning} tells two spirals apart. It has few steps to do so. You say
//! what would help it, and by how much: momentum, another learning rate, more units, Adam, smaller
//! batches, or something that you write yourself. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"
#include "lessons/material/corpora/spirals.h"

struct Setting {
    std::int64_t width = 32;  // hidden units
    int steps = 3000, batch = 50;
    double rate = 0.1, momentum = 0;
    bool adam = false;
};

// The share of 1,000 new points that the network classifies correctly after its training.
double accuracy_after(const Setting& setting, std::uint64_t seed) {
    Rng rng(seed);
    const course::Sets sets(rng);
    const Sequential network(Linear(2, setting.width, rng), Tanh{},
                             Linear(setting.width, setting.width, rng), Tanh{},
                             Linear(setting.width, 1, rng));
    const auto spiral = [&](const Tensor& x) { return reshape(network(x), {-1}); };
    const auto step_with = [&](auto optimiser) {
        for (int step = 0; step < setting.steps; ++step) {
            std::vector<int> some;
            for (int i = 0; i < setting.batch; ++i)
                some.push_back(static_cast<int>(rng.below(400)));
            optimiser.zero_grad();
            backward(
                binary_cross_entropy_with_logits(spiral(index_select(sets.training.x, 0, some)),
                                                 index_select(sets.training.t, 0, some)));
            optimiser.step();
        }
    };
    if (setting.adam)
        step_with(Adam(parameters(network), {.lr = setting.rate}));
    else
        step_with(Sgd(parameters(network), {.lr = setting.rate, .momentum = setting.momentum}));
    return course::accuracy_on(sets.test, spiral);
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "With momentum 0.9 the network is right on 10 % more points after 3,000 steps."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of points.
double first(std::uint64_t seed) { return accuracy_after({.momentum = 0.9}, seed); }
double second(std::uint64_t seed) { return accuracy_after({}, seed); }
