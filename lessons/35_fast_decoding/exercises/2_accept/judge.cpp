#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"acceptance", "residual_distribution", "speculative_decode"});
    const auto d64 = Dtype::float64;
    const Tensor p = tensor({0.2, 0.5, 0.3}, {3}, d64), q = tensor({0.4, 0.2, 0.4}, {3}, d64);
    judge.given({{"p", p}, {"q", q}});
    judge.equal("the acceptance of p = (0.2, 0.5, 0.3) and q = (0.4, 0.2, 0.4)",
                [&] { return my_acceptance(p, q); }, tensor({0.5, 1, 0.75}, {3}, d64),
                {.formula = "min(1, p / q)",
                 .mistakes = {{"a probability is above 1; the minimum with 1 is missing", p / q},
                              {"p and q have changed places", minimum(q / p, ones_like(p))}}});
    judge.equal(
        "the residual of the same", [&] { return my_residual(p, q); }, tensor({0, 1, 0}, {3}, d64),
        {.formula = "max(0, p - q) over its sum",
         .mistakes = {{"it is not divided by its sum", tensor({0, 0.3, 0}, {3}, d64)},
                      {"it is the target's own distribution; what was accepted would come too "
                       "often",
                       p}}});
    const Tensor half = full({3}, 0.5, d64), other = tensor({0.1, 0.2, 0.7}, {3}, d64);
    judge.given({{"acceptance", half}, {"residual", other}});
    judge.equal(
        "what comes out if half of all tokens are accepted, and a refused one is sampled from "
        "(0.1, 0.2, 0.7)",
        [&] { return my_output(q, half, other); }, (q + other) * 0.5,
        {.formula = "q * acceptance + (1 - sum(q * acceptance)) * residual",
         .mistakes = {{"the residual counts in full, but only refused tokens come from it",
                       q * 0.5 + other}}});
    Rng rng(2);
    const Tensor a = softmax(normal({9}, 0, 1, rng, d64)), b = softmax(normal({9}, 0, 1, rng, d64));
    judge.equal("nine tokens: what comes out is p",
                [&] { return my_output(b, my_acceptance(a, b), my_residual(a, b)); }, a,
                {.formula = "min(p, q) + (p - min(p, q))"});
}
