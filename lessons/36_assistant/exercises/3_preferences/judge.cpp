#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"dpo_loss", "binary_cross_entropy_with_logits"});
    const auto d64 = Dtype::float64;
    const auto ln = [&](double p) { return log(tensor({p}, {1}, d64)); };
    const auto one = [&](double value) { return scalar(value, d64); };
    judge.equal(
        "twice and half as probable, beta 1",
        [&] { return my_dpo(ln(0.4), ln(0.1), ln(0.2), ln(0.2), 1); }, one(std::log(1.25)),
        {.formula = "-ln sigmoid(ln 4) = -ln 0.8",
         .mistakes = {{"better and worse are exchanged", one(std::log(5))},
                      {"the minus in front of the logarithm is missing", one(-std::log(1.25))}}});
    judge.equal("beta 0.5: sigmoid(ln 2)",
                [&] { return my_dpo(ln(0.4), ln(0.1), ln(0.2), ln(0.2), 0.5); }, one(std::log(1.5)),
                {.mistakes = {{"beta is not used", one(std::log(1.25))}}});
    judge.equal("the start prefers one of them already",
                [&] { return my_dpo(ln(0.3), ln(0.3), ln(0.6), ln(0.1), 1); },
                one(std::log(1 + 6.0)),
                {.formula = "ratios 1/2 and 3: -ln sigmoid(ln(1/6))",
                 .mistakes = {
                     {"the start is missing: the ratios are taken without it", one(std::log(2))}}});
    Rng rng(1);
    const auto draw = [&] { return normal({6}, -3, 1, rng, d64); };
    const Tensor w = draw(), l = draw(), w0 = draw(), l0 = draw();
    judge.given({{"better", w}, {"worse", l}, {"better_at_start", w0}, {"worse_at_start", l0}});
    judge.equal(
        "six random pairs", [&] { return my_dpo(w, l, w0, l0, 0.3); },
        dpo_loss(w, l, w0, l0, {.beta = 0.3}),
        {.mistakes = {{"the mean over the pairs is asked for, not their sum",
                       dpo_loss(w, l, w0, l0, {.beta = 0.3, .reduction = Reduction::sum})}}});
    judge.equal("a difference of -2000 stays finite",
                [&] {
                    return my_dpo(one(-2300) + zeros({1}, d64), one(-300) + zeros({1}, d64),
                                  one(-300) + zeros({1}, d64), one(-300) + zeros({1}, d64), 1);
                },
                one(2000),
                {.mistakes = {{"sigmoid is 0 there and its logarithm infinite; softplus is exact",
                               one(INFINITY)}}});
    judge.gradient("its gradient",
                   [=](const auto& x) { return my_dpo(x[0], x[1], x[2], x[3], 0.3); },
                   {w, l, w0, l0});
}
