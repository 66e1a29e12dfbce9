#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"leave_one_out", "group_advantage", "stddev", "var"});
    const auto d64 = Dtype::float64;
    const Tensor one = tensor({1, 0, 0, 0}, {4, 1}, d64);
    const double third = 1.0 / 3;
    judge.given({{"reward", one}});
    judge.equal("leave-one-out of 1, 0, 0, 0", [&] { return my_leave_one_out(one); },
                tensor({1, -third, -third, -third}, {4, 1}, d64),
                {.formula = "1 - 0, and 0 - 1/3",
                 .mistakes = {{"the mean contains the answer's own reward",
                               tensor({0.75, -0.25, -0.25, -0.25}, {4, 1}, d64)},
                              {"this is the baseline; subtract it from the reward",
                               tensor({0, third, third, third}, {4, 1}, d64)}}});
    const double sigma = std::sqrt(0.1875) + 1e-6;
    judge.equal("the group's advantage of 1, 0, 0, 0", [&] { return my_group(one); },
                tensor({0.75 / sigma, -0.25 / sigma, -0.25 / sigma, -0.25 / sigma}, {4, 1}, d64),
                {.tolerance = 1e-4,
                 .formula = "m = 0.25, sigma = 0.433",
                 .mistakes = {{"divided by S - 1 in sigma; the text has S",
                               tensor({1.5, -0.5, -0.5, -0.5}, {4, 1}, d64)},
                              {"divided by the variance, not by its root",
                               tensor({4, -4 * third, -4 * third, -4 * third}, {4, 1}, d64)}}});
    Rng rng(1);
    const Tensor many = uniform({5, 3}, 0, 1, rng, d64);
    judge.equal(
        "three questions with five answers each", [&] { return my_leave_one_out(many); },
        many - leave_one_out(many),
        {.mistakes = {{"the mean goes over all questions; each question is a group of its own",
                       many - (sum(many) - many) / 14.0}}});
    judge.equal(
        "the same by the group", [&] { return my_group(many); }, group_advantage(many));
    judge.equal(
        "all answers have the reward 1: the group's advantage is 0",
        [&] {
            return my_group(ones({4, 2}, d64));
        },
        zeros({4, 2}, d64));
    Tensor watched = copy_of(many);
    watched.set_requires_grad();
    judge.holds(
        "no gradient flows into the rewards",
        [&] {
            return !my_leave_one_out(watched).requires_grad() && !my_group(watched).requires_grad();
        },
        "A gradient flows into them. They are numbers from outside: detach(reward) is the same numbers without "
        "a gradient.");
}
