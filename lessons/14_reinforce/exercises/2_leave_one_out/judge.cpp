#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"leave_one_out"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const std::string formula = "the mean loss of the other samples of the same problem";
    const Tensor four = f64({2, 6, 2, 2}, {4, 1});
    judge.given({{"losses", four}});
    judge.equal(
        "the losses 2, 6, 2 and 2", [&] { return my_leave_one_out(four); },
        f64({10 / 3., 2, 10 / 3., 10 / 3.}, {4, 1}),
        {.formula = formula,
         .mistakes = {
             {"the sample's own loss is in its baseline", f64({3, 3, 3, 3}, {4, 1})},
             {"the sum of the others is divided by S, not by S - 1",
              f64({2.5, 1.5, 2.5, 2.5}, {4, 1})},
             {"the sum of the others is not divided", f64({10, 6, 10, 10}, {4, 1})},
             {"this is L - b; only b is asked", f64({-4 / 3., 4, -4 / 3., -4 / 3.}, {4, 1})}}});
    Rng rng(1);
    const Tensor losses = normal({4, 3}, 2, 1, rng, Dtype::float64);
    const Tensor total = sum(losses);
    judge.equal(
        "four samples of three problems", [&] { return my_leave_one_out(losses); },
        leave_one_out(losses),
        {.formula = formula,
         .mistakes = {
             {"the mean runs over the problems, and not over the samples of a problem",
              (sum(losses, 1, true) - losses) / 2.},
             {"the losses of other problems are in the baseline", (total - losses) / 11.},
             {"the sample's own loss is in its baseline", mean(losses, 0, true) + 0. * losses}}});
    judge.equal(
        "two samples: each has the loss of the other",
        [&] {
            return my_leave_one_out(f64({1, 2, 5, 7}, {2, 2}));
        },
        f64({5, 7, 1, 2}, {2, 2}));
    judge.refuses(
        "a single sample",
        [&] {
            my_leave_one_out(f64({1, 2}, {1, 2}));
        },
        "With one sample there are no others, and 0 is divided by 0. Throw an error: "
        "check(S >= 2, \"...\").");
    for (int samples : {2, 4, 20})
        judge.number(
            fmt::format("the share that is left with {} samples", samples),
            [=] { return my_share(samples); }, (samples - 1.) / samples,
            {.mistakes = {{"this is the share that is lost", samples == 2 ? -1 : 1. / samples},
                          {"it is one half for two samples only", samples == 2 ? -1 : 0.5},
                          {"the division of two whole numbers drops the fraction", 0},
                          {"the baseline contains the sample's own loss, so something is "
                           "lost",
                           1},
                          {"this is the reciprocal", samples / (samples - 1.)}}});
}
