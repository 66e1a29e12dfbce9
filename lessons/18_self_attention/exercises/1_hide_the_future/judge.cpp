#include "lessons/course/exercise/judge.h"

void judge(Judge& judge) {
    judge.own({"causal_mask", "masked_softmax", "attend", "scaled_dot_product_attention", "tril",
               "triu"});
    Rng rng(1);
    const double inf = std::numeric_limits<double>::infinity();
    const auto weights = [](const Tensor& scores) { return softmax(scores); };
    judge.holds(
        "the token itself can be seen",
        [&] {
            const Tensor first = my_hide_future(ones({4, 4}));
            return select(select(first, 0, 0), 0, 0).item() == 1 &&
                   select(select(first, 0, 3), 0, 3).item() == 1;
        },
        "the scores of the diagonal, where a token looks at itself, are hidden");
    judge.equal(
        "three tokens with equal scores: weights 1, then 1/2, then 1/3",
        [&] { return weights(my_hide_future(ones({3, 3}))); },
        tensor({1, 0, 0, 0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3}, {3, 3}),
        {.formula = "e_tj = -infinity for j > t",
         .mistakes = {{"earlier keys are hidden instead of the later ones",
                       tensor({1. / 3, 1. / 3, 1. / 3, 0, 0.5, 0.5, 0, 0, 1}, {3, 3})},
                      {"the hidden scores are 0, which is a score like any other",
                       weights(tensor({1, 0, 0, 1, 1, 0, 1, 1, 1}, {3, 3}))},
                      {"nothing is hidden", full({3, 3}, 1. / 3)},
                      {"the next token is seen: the mask begins one place too late",
                       tensor({0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3},
                              {3, 3})}}});
    judge.holds(
        "the scores of later keys are minus infinity",
        [&] { return select(select(my_hide_future(ones({4, 4})), 0, 0), 0, 3).item() == -inf; },
        "in row 0 and column 3 of four tokens stands a finite score; a large one would win");
    const Tensor scores = normal({2, 3, 5, 5}, 0, 1, rng);
    judge.equal("the weights of two sequences with three heads",
                [&] { return weights(my_hide_future(scores)); },
                masked_softmax(scores, causal_mask(5)));
    const Tensor large = 1000 * scores;
    judge.equal("scores of a thousand", [&] { return weights(my_hide_future(large)); },
                masked_softmax(large, causal_mask(5)),
                {.formula = "a hidden key has the weight 0, whatever the scores are"});
    judge.gradient("the gradient of the weights",
                   [](const auto& x) { return softmax(my_hide_future(x[0])); }, {scores});
}
