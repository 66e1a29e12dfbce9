#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"nadaraya_watson", "NadarayaWatson", "kernel_regression"});
    const auto f64 = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    const auto with_scores = [](const Tensor& scores, const Tensor& values) {
        return matmul(softmax(scores, 1), values);
    };
    const auto squares = [](const Tensor& q, const Tensor& k) {
        return square(unsqueeze(q, 1) - unsqueeze(k, 0));
    };
    const std::string formula =
        "f(q) = sum_j G_j v_j / sum_j G_j, G_j = exp(-(q - k_j)^2 / (2 h^2))";
    const Tensor k = f64({0, 1, 2}), v = f64({10, 20, 30}), half = f64({0.5});
    const Tensor d = squares(half, k);
    judge.given({{"queries", half}, {"positions", k}, {"values", v}});
    judge.equal(
        "points at 0, 1 and 2, h = 1: 17.3 at 0.5", [&] { return my_regression(half, k, v, 1); },
        with_scores(d / -2., v),
        {.formula = formula,
         .mistakes = {{"the factor 2 in the exponent is missing", with_scores(-d, v)},
                      {"the minus in the exponent is missing: far points count most",
                       with_scores(d / 2., v)},
                      {"the sum is not divided by the sum of the kernels", matmul(exp(d / -2.), v)},
                      {"the distance is not squared", with_scores(sqrt(d) / -2., v)}}});
    Rng rng(1);
    const Tensor q = normal({4}, 0, 1, rng, Dtype::float64),
                 keys = normal({7}, 0, 1, rng, Dtype::float64),
                 values = normal({7}, 0, 1, rng, Dtype::float64);
    const Tensor far = squares(q, keys);
    judge.equal(
        "four queries and seven points, h = 0.5",
        [&] { return my_regression(q, keys, values, 0.5); }, with_scores(far / -0.5, values),
        {.formula = formula,
         .mistakes = {
             {"h is not squared", with_scores(-far, values)},
             {"the kernel is multiplied by h^2, not divided", with_scores(far * -0.125, values)},
             {"the weights of a point sum to 1 over the queries, and not those "
              "of a query over the points",
              matmul(softmax(far / -0.5, 0), values)}}});
    judge.equal("queries that are far from all points: -100 and 1000",
                [&] {
                    return my_regression(f64({-100, 1000}), k, v, 0.5);
                },
                f64({10, 30}),
                {.formula = formula + ", and the nearest point decides",
                 .mistakes = {{"0 is divided by 0, because all kernels are rounded to 0; softmax "
                               "subtracts the largest score first",
                               f64({std::nan(""), std::nan("")})},
                              {"something was added to the divisor; the estimate then goes to 0",
                               f64({0, 0})}}});
    judge.equal(
        "a very wide kernel gives the mean",
        [&] {
            return my_regression(f64({0, 1, 5, 9}), k, v, 1e6);
        },
        f64({20, 20, 20, 20}));
    judge.gradient("the gradients of queries, positions and values",
                   [](const auto& x) { return my_regression(x[0], x[1], x[2], 0.7); },
                   {q, keys, values});
}
