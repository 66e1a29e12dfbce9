#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"Adam", "Sgd", "AdamW", "RMSprop", "Optimiser"});
    const auto list = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    const double rate = 0.1;

    // Theta after each step, for one parameter that begins at 1.
    const auto by_momentum = [&](const std::vector<double>& gradients) {
        Tensor theta = list({1});
        MomentumState state{list({0})};
        std::vector<double> path;
        for (double g : gradients) {
            theta = my_momentum(theta, list({g}), state, rate);
            path.push_back(theta.item());
        }
        return tensor(path, Dtype::float64);
    };
    const auto by_adam = [&](const std::vector<double>& gradients) {
        Tensor theta = list({1});
        AdamState state{list({0}), list({0}), 0};
        std::vector<double> path;
        for (double g : gradients) {
            theta = my_adam(theta, list({g}), state, rate);
            path.push_back(theta.item());
        }
        return tensor(path, Dtype::float64);
    };
    judge.equal(
        "momentum: 1, then 0.8 and 0.72, for the gradients 2 and -1",
        [&] {
            return by_momentum({2, -1});
        },
        list({0.8, 0.72}),
        {.formula = "v = 0.9 v + g, theta = theta - eta v",
         .mistakes = {
             {"the velocity of the step before is forgotten, as in plain descent",
              list({0.8, 0.9})},
             {"the gradient is multiplied by 0.1; that belongs to Adam", list({0.98, 0.972})},
             {"the velocity is used before the new gradient is added", list({1, 0.8})},
             {"the velocity is added to theta, not subtracted", list({1.2, 1.28})},
             {"the velocity is not made smaller by 0.9", list({0.8, 0.7})}}});
    // m / 0.1 = 2 and s / 0.001 = 4; then m / 0.19 and s / 0.001999.
    const double second = 0.08 / 0.19 / (std::sqrt(0.004996 / 0.001999) + 1e-8);
    judge.equal(
        "Adam's first step has the size of the rate, 0.1, for g = 2 and for g = 0.002",
        [&] {
            return concat({by_adam({2}), by_adam({0.002})}, 0);
        },
        list({1 - 0.1 / (1 + 5e-9), 1 - 0.1 / (1 + 5e-6)}),
        {.tolerance = 1e-9,
         .formula = "theta - eta (m / (1 - 0.9^n)) / (root of s / (1 - 0.999^n) + 1e-8)",
         .mistakes = {
             {"the averages are not corrected",
              list({1 - 0.02 / (std::sqrt(0.004) + 1e-8), 1 - 0.00002 / (std::sqrt(4e-9) + 1e-8)})},
             {"1e-8 is added under the root, not to the root",
              list({1 - 0.1 * 2 / std::sqrt(4 + 1e-8), 1 - 0.1 * 0.002 / std::sqrt(4e-6 + 1e-8)})},
             {"n is 0 in the first step, and the correction divides by 0",
              list({std::nan(""), std::nan("")})},
             {"the root of the mean square is missing",
              list({1 - 0.2 / (4 + 1e-8), 1 - 0.0002 / (4e-6 + 1e-8)})},
             {"the step is added, not subtracted",
              list({1 + 0.1 / (1 + 5e-9), 1 + 0.1 / (1 + 5e-6)})}}});
    judge.equal("Adam's second step, for the gradients 2 and -1",
                [&] {
                    return by_adam({2, -1});
                },
                list({0.9, 0.9 - 0.1 * second}),
                {.formula = "n is 2 now: the divisors are 0.19 and 0.001999",
                 .mistakes = {
                     {"n stays 1 in every step", list({0.9, 0.9 - 0.1 * 0.8 / std::sqrt(4.996)})},
                     {"the corrected averages are kept in the state, and corrected again",
                      list({0.9, 0.9 - 0.1 * (1.7 / 0.19) / (std::sqrt(3.997 / 0.001999) + 1e-8)})},
                     {"the averages begin anew in each step", list({0.9, 1})}}});

    // Thirty steps of a matrix, against the library's optimisers.
    Rng rng(1);
    const Tensor start = normal({3, 4}, 0, 1, rng, Dtype::float64);
    std::vector<Tensor> gradients;
    for (int i = 0; i < 30; ++i)
        gradients.push_back(normal({3, 4}, 0.3, std::exp(rng.normal()), rng, Dtype::float64));
    const auto library = [&](auto&& make) {
        Tensor theta = copy_of(start).set_requires_grad();
        auto optimiser = make(std::vector<Parameter>{{"theta", theta}});
        for (const Tensor& g : gradients) {
            optimiser.zero_grad();
            backward(sum(theta * g));
            optimiser.step();
        }
        return detach(theta);
    };
    judge.equal(
        "momentum: thirty steps of a matrix",
        [&] {
            Tensor theta = start;
            MomentumState state{zeros_like(start)};
            for (const Tensor& g : gradients) theta = my_momentum(theta, g, state, 0.01);
            return theta;
        },
        library([](auto p) { return Sgd(p, {.lr = 0.01, .momentum = 0.9}); }));
    judge.equal(
        "Adam: thirty steps of a matrix",
        [&] {
            Tensor theta = start;
            AdamState state{zeros_like(start), zeros_like(start), 0};
            for (const Tensor& g : gradients) theta = my_adam(theta, g, state, 0.01);
            return theta;
        },
        library([](auto p) { return Adam(p, {.lr = 0.01}); }));
    judge.equal("a gradient of 0 does not divide by 0",
                [&] {
                    return by_adam({0, 0});
                },
                list({1, 1}), {.formula = "1e-8 is added to the root"});
}
