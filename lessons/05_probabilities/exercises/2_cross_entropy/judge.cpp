#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"cross_entropy", "cross_entropy_definition", "log_softmax", "logsumexp", "softmax",
               "log_softmax_definition", "softmax_definition", "logaddexp", "softplus",
               "log_sigmoid"});
    Rng rng(1);
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto one = [](double number) { return scalar(number, Dtype::float64); };
    const Tensor example = f64({2, 1, 0}, {1, 3});
    const double lse = std::log(std::exp(2) + std::exp(1) + 1);
    judge.given({{"logits", example}});
    judge.equal(
        "one word with the logits 2, 1, 0, and saw: 2.408",
        [&] { return my_cross_entropy(example, {2}); }, one(lse),
        {.formula = "ln of the sum of e^z_k, minus z_y",
         .mistakes = {
             {"the label is not used, or only one of the two terms is shifted", one(lse - 2)},
             {"the logarithm is missing: this is minus the probability", one(-std::exp(-lse))},
             {"the sign is wrong", one(-lse)},
             {"the result has to be one number, without axes", f64({lse}, {1})},
             {"the result has to be one number, without axes", f64({lse}, {1, 1})}}});
    judge.equal("one word with the logits 2, 1, 0, and am: 0.408",
                [&] { return my_cross_entropy(example, {0}); }, one(lse - 2),
                {.mistakes = {{"the logit of what happened is not subtracted", one(lse)}}});
    const Tensor three = expand(example, {3, 3});
    judge.equal("am, am and saw: 1.074",
                [&] {
                    return my_cross_entropy(three, {0, 0, 2});
                },
                one(lse - 4. / 3),
                {.formula = "the mean of the losses of all rows",
                 .mistakes = {{"the sum is taken over the rows, not the mean", one(3 * lse - 4)},
                              {"the mean runs over the outcomes as well: divide by N, not by N C",
                               one((lse - 4. / 3) / 3)}}});
    const Tensor rows = normal({5, 4}, 0, 2, rng, Dtype::float64);
    const Indices labels{3, 0, 1, 1, 2};
    judge.equal(
        "five random rows of four logits", [&] { return my_cross_entropy(rows, labels); },
        cross_entropy(rows, labels));
    judge.equal(
        "the logits 1000 and 0, and the outcome 1: the loss is 1000",
        [&] {
            return my_cross_entropy(f64({1000, 0}, {1, 2}), {1});
        },
        one(1000),
        {.formula = "m + ln of the sum of e^(z_k - m), with the largest logit m",
         .mistakes = {{"the exponentials overflow, or a probability was rounded to 0 before its "
                       "logarithm",
                       one(INFINITY)},
                      {"the exponentials overflow, or a probability was rounded to 0 before its "
                       "logarithm",
                       one(std::nan(""))}}});
    judge.equal("the logits -1000 and -1001, and the outcome 0",
                [&] {
                    return my_cross_entropy(f64({-1000, -1001}, {1, 2}), {0});
                },
                one(std::log1p(std::exp(-1))),
                {.mistakes = {{"all exponentials are rounded to 0", one(-INFINITY)},
                              {"all exponentials are rounded to 0", one(INFINITY)}}});
    const Tensor apart = rows + f64({800, 0, -800, 5, 0}, {5, 1});
    judge.equal("rows whose logits are far apart, at 800, 0 and -800",
                [&] { return my_cross_entropy(apart, labels); }, cross_entropy(apart, labels),
                {.formula = "subtract from each row its own largest logit"});
    judge.equal(
        "an excluded outcome, with a logit of minus infinity",
        [&] {
            return my_cross_entropy(f64({1, -INFINITY, 0}, {1, 3}), {0});
        },
        one(std::log1p(std::exp(-1))),
        {.formula = "take the logit of the label, and do not multiply all logits by 0 or 1"});
    judge.equal(
        "float32 as well",
        [&] {
            return my_cross_entropy(tensor({100, 0, 3, 4}, {2, 2}), {1, 0});
        },
        cross_entropy(tensor({100, 0, 3, 4}, {2, 2}), {1, 0}));
    judge.gradient("its gradient", [&](const auto& x) { return my_cross_entropy(x[0], labels); },
                   {rows});
}
