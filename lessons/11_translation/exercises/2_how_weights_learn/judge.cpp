#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"grad", "backward", "vjp", "jvp", "gradcheck", "record"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const std::string formula = "dL/de_j = alpha_j (g_j - sum_k alpha_k g_k), g_j = d . h_j";
    const Tensor h = f64({1, -1, -1, 1, 1, 1}, {3, 2}), d = f64({-1, -1}, {2}),
                 third = f64({1 / 3., 1 / 3., 1 / 3.}, {3});
    judge.given({{"weights", third}, {"annotations", h}, {"d", d}});
    judge.equal(
        "the example: 2/9, 2/9 and -4/9", [&] { return my_gradient(third, h, d); },
        f64({2 / 9., 2 / 9., -4 / 9.}, {3}),
        {.formula = formula,
         .mistakes = {{"these are the derivatives of the weights, not yet of the scores",
                       f64({0, 0, -2}, {3})},
                      {"the mean of all g is not subtracted: a score also takes weight "
                       "from the other words",
                       f64({0, 0, -2 / 3.}, {3})},
                      {"the factor alpha_j is missing", f64({2 / 3., 2 / 3., -4 / 3.}, {3})},
                      {"the sign is the other way about", f64({-2 / 9., -2 / 9., 4 / 9.}, {3})},
                      {"the sum of all g is subtracted, without the weights",
                       f64({2 / 3., 2 / 3., 0}, {3})}}});
    Rng rng(1);
    Tensor e = normal({6}, 0, 1, rng, Dtype::float64);
    const Tensor rows = normal({6, 4}, 0, 1, rng, Dtype::float64),
                 random = normal({4}, 0, 1, rng, Dtype::float64);
    const Tensor alpha = softmax(e), g = matmul(rows, random);
    e.set_requires_grad();
    const Tensor expected = grad(matmul(softmax(e), rows), {e}, false, random)[0];
    e = copy_of(e);
    judge.equal(
        "six random annotations of width 4, against the backward pass of the library",
        [&] { return my_gradient(alpha, rows, random); }, expected,
        {.formula = formula,
         .mistakes = {{"the plain mean of the g is subtracted, not the one with the weights",
                       alpha * (g - mean(g))},
                      {"the factor alpha_j is missing", g - sum(alpha * g)},
                      {"the mean of all g is not subtracted", alpha * g},
                      {"the derivative of the softmax is that of a sigmoid here; other "
                       "words are left out",
                       alpha * (1 - alpha) * g}}});
    judge.equal(
        "all derivatives sum to 0, whatever the weights are",
        [&] { return sum(my_gradient(alpha, rows, random)); }, scalar(0, Dtype::float64));
    judge.equal(
        "one word alone: nothing can change",
        [&] {
            return my_gradient(f64({1}, {1}), f64({2, 3}, {1, 2}), d);
        },
        f64({0}, {1}));
    const Tensor zero = f64({0, 0, 0}, {3});
    judge.given({{"scores", zero}});
    judge.equal("a step with the rate 3 from equal scores: the weight of the third word grows",
                [&] { return my_new_weights(zero, h, d, 3); },
                softmax(f64({-2 / 3., -2 / 3., 4 / 3.}, {3})),
                {.formula = "softmax(e - rate dL/de)",
                 .mistakes = {{"this step climbs: descent goes against the derivative",
                               softmax(f64({2 / 3., 2 / 3., -4 / 3.}, {3}))},
                              {"these are the new scores; the weights are their softmax",
                               f64({-2 / 3., -2 / 3., 4 / 3.}, {3})},
                              {"the derivatives were computed from the scores; my_gradient needs "
                               "the weights, which are their softmax",
                               third},
                              {"the step was made with the weights, and not with the scores",
                               third - 3. * f64({2 / 9., 2 / 9., -4 / 9.}, {3})}}});
    judge.equal("a step from random scores", [&] { return my_new_weights(e, rows, random, 0.5); },
                softmax(e - 0.5 * expected), {.formula = "softmax(e - rate dL/de)"});
}
