#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"softmax", "softmax_definition", "masked_softmax", "log_softmax", "logsumexp",
               "log_softmax_definition", "attention_weights", "logaddexp", "sigmoid"});
    Rng rng(1);
    const Tensor weather = tensor({2., 1., 0.});
    const char* formula = "p_j = e^(z_j / τ) / sum over k of e^(z_k / τ)";
    judge.given({{"z", weather}});
    judge.equal(
        "the logits 2, 1 and 0: 0.665, 0.245 and 0.090", [&] { return my_softmax(weather); },
        softmax(weather),
        {.formula = formula,
         .mistakes = {{"the exponentials are not divided by their sum", exp(weather)},
                      {"the logits are divided by their sum, without an exponential", weather / 3.},
                      {"the exponentials are divided by the largest one, not by the sum",
                       exp(weather - 2.)}}});
    judge.equal("τ = 2: 0.506, 0.307 and 0.186", [&] { return my_softmax(weather, 2); },
                softmax(weather / 2.),
                {.formula = formula,
                 .mistakes = {{"the logits are multiplied by τ", softmax(weather * 2.)},
                              {"τ is not used", softmax(weather)},
                              {"the probabilities are divided by τ, not the logits",
                               softmax(weather) / 2.}}});
    judge.equal("the logits 1000, 999 and 998", [&] { return my_softmax(weather + 998.); },
                softmax(weather),
                {.formula = "subtract the same number from all logits first",
                 .mistakes = {{"the exponentials overflow, and infinity by infinity is NaN",
                               full({3}, std::nan(""))}}});
    judge.equal("the logits -1000, -1001 and -1002", [&] { return my_softmax(weather - 1002.); },
                softmax(weather),
                {.mistakes = {{"all exponentials are rounded to 0, and 0 by 0 is NaN",
                               full({3}, std::nan(""))}}});

    const Tensor rows = normal({4, 6}, 0, 1, rng);
    judge.equal("four rows of six logits", [&] { return my_softmax(rows); }, softmax(rows),
                {.formula = "each row has a sum of its own",
                 .mistakes = {
                     {"the softmax runs over the rows, not within each row", softmax(rows, 0)},
                     {"one sum is taken over all rows", reshape(softmax(flatten(rows)), {4, 6})}}});
    const Tensor far_apart = rows + tensor({500, 0, -500, 3}, {4, 1});
    judge.equal("rows whose logits are far apart, at 500, 0 and -500",
                [&] { return my_softmax(far_apart); }, softmax(far_apart),
                {.tolerance = 1e-4,
                 .formula = "subtract from each row its own largest logit",
                 .mistakes = {}});
    judge.equal("the same at τ = 0.01, where the exponents are a hundred times as large",
                [&] { return my_softmax(rows, 0.01); }, softmax(rows * 100.), {.tolerance = 1e-4});
    judge.equal("a logit of minus infinity",
                [&] {
                    return my_softmax(tensor({1, -INFINITY, 0}));
                },
                softmax(tensor({1, -INFINITY, 0})),
                {.formula = "an excluded outcome has the probability 0"});
    judge.equal(
        "the shape [2, 3, 5]",
        [&] {
            return my_softmax(reshape(arange(30) / 7., {2, 3, 5}));
        },
        softmax(reshape(arange(30) / 7., {2, 3, 5})));
    judge.gradient("its gradient, with a random covector",
                   [](const auto& x) { return my_softmax(x[0], 1.7); },
                   {normal({3, 5}, 0, 1, rng)});
}
