#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"softmax", "softmax_definition", "masked_softmax", "log_softmax", "grad", "backward",
               "vjp", "jacobian", "diag", "eye", "put_on_diagonal"});
    Rng rng(1);
    const Tensor y = softmax(tensor({2, 1, 0}, Dtype::float64)),
                 g = tensor({1, 2, 0}, Dtype::float64);
    judge.given({{"y", y}, {"g", g}});
    judge.equal("the example of the lesson: -0.103, 0.207 and -0.104",
                [&] { return my_softmax_backward(y, g); }, y * (g - sum(g * y)),
                {.formula = "the derivative for x_j is the sum over i of g_i y_i (delta_ij - y_j)",
                 .mistakes = {{"the weights are treated as independent: the gradient of a score "
                               "comes from its own weight only",
                               g * y * (1 - y)},
                              {"the sum is not weighted with the weights", y * (g - sum(g))},
                              {"the plain mean is subtracted, not the mean with the weights",
                               y * (g - mean(g))},
                              {"a factor y is missing in front", g - sum(g * y)},
                              {"the term with delta is missing", -y * sum(g * y)},
                              {"the sum is missing", g * y},
                              {"the signs are exchanged", y * (sum(g * y) - g)}}});
    judge.equal(
        "g = (1, 1, 1): the weights always sum to 1, so all derivatives are 0",
        [&] { return my_softmax_backward(y, ones_like(y)); }, zeros_like(y));

    const Tensor rows = softmax(normal({4, 6}, 0, 1, rng, Dtype::float64)),
                 arrives = normal({4, 6}, 0, 1, rng, Dtype::float64);
    judge.equal("four rows of six scores", [&] { return my_softmax_backward(rows, arrives); },
                rows * (arrives - sum(arrives * rows, -1, true)),
                {.formula = "each row has a sum of its own",
                 .mistakes = {{"the sum runs over the rows, not within each row",
                               rows * (arrives - sum(arrives * rows, 0, true))},
                              {"the sum runs over all rows together",
                               rows * (arrives - sum(arrives * rows))}}});
    const Tensor sure = tensor({1, 0, 0}, Dtype::float64);
    judge.equal(
        "all weight on one score: no score gets a gradient",
        [&] { return my_softmax_backward(sure, g); }, zeros({3}, Dtype::float64));

    // The library's softmax with the reader's gradient, against finite differences.
    judge.gradient("finite differences agree, with a random covector, shape [2, 3, 5]",
                   [](const auto& in) {
                       return record("softmax", detach(softmax(in[0])), in[0],
                                     [](const Tensor& of_y, const Tensor& result) {
                                         return my_softmax_backward(result, of_y);
                                     });
                   },
                   {normal({2, 3, 5}, 0, 1, rng)});
}
