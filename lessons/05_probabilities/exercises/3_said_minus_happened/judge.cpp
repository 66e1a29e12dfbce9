#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"cross_entropy", "cross_entropy_definition", "grad", "backward", "vjp",
               "log_softmax", "logsumexp"});
    Rng rng(1);
    const Tensor example = tensor({2, 1, 0}, {1, 3}, Dtype::float64), p = softmax(example),
                 saw = tensor({0, 0, 1}, {1, 3}, Dtype::float64);
    judge.given({{"logits", example}});
    judge.equal(
        "saw: 0.665, 0.245 and -0.910", [&] { return my_gradient(example, {2}, 0); }, p - saw,
        {.formula = "p - y",
         .mistakes = {
             {"this is y - p, the direction of a step and not the gradient", saw - p},
             {"the logits stand in place of the probabilities", example - saw},
             {"p - y is multiplied by p once more; softmax is already in p - y", p * (p - saw)},
             {"the division is by all numbers; the mean runs over the rows only", (p - saw) / 3.},
             {"what happened is not subtracted", p}}});
    const Tensor rows = normal({4, 5}, 0, 1, rng, Dtype::float64);
    const Indices labels{3, 0, 4, 1};
    const Tensor y = one_hot(labels, 5, Dtype::float64), P = softmax(rows);
    judge.equal(
        "four rows of five logits", [&] { return my_gradient(rows, labels, 0); }, (P - y) / 4.,
        {.formula = "(p - y) / N",
         .mistakes = {
             {"the division by N is missing; the loss is a mean", P - y},
             {"the division is by all numbers; the mean runs over the rows only", (P - y) / 20.},
             {"the softmax runs over the rows", (softmax(rows, 0) - y) / 4.}}});
    judge.equal("label smoothing, s = 0.1", [&] { return my_gradient(rows, labels, 0.1); },
                (P - (0.9 * y + 0.02)) / 4.,
                {.formula = "q_j = (1 - s) y_j + s / C",
                 .mistakes = {{"s is not used", (P - y) / 4.},
                              {"the share s is spread over the other outcomes only",
                               (P - (0.9 * y + 0.025 * (1 - y))) / 4.},
                              {"the share is not divided by the number of outcomes",
                               (P - (0.9 * y + 0.1)) / 4.},
                              {"the label keeps all of its 1, so that q sums to more than 1",
                               (P - (y + 0.02)) / 4.}}});
    judge.equal(
        "large logits, 1000 and 0",
        [] {
            return my_gradient(tensor({1000, 0}, {1, 2}, Dtype::float64), {1}, 0);
        },
        tensor({1, -1}, {1, 2}, Dtype::float64));
    judge.gradient("finite differences of the loss agree",
                   [labels](const auto& in) {
                       const Tensor loss = cross_entropy(in[0], labels, {.smoothing = 0.3});
                       return record("loss", detach(loss), in[0],
                                     [x = in[0], labels](const Tensor& g) {
                                         return g * my_gradient(x, labels, 0.3);
                                     });
                   },
                   {rows});
}
