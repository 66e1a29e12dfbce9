#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

// The gradients of the number with respect to loss, log_prob and baseline, in a row.
struct Leaves {
    Tensor loss, log_prob, baseline;
};
using Estimator = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&)>;
Leaves gradients(const Estimator& f, const Leaves& at) {
    Tensor loss = copy_of(at.loss), log_prob = copy_of(at.log_prob), b = copy_of(at.baseline);
    loss.set_requires_grad();
    log_prob.set_requires_grad();
    b.set_requires_grad();
    const Tensor number = f(loss, log_prob, b);
    check(number.numel() == 1, "the result has the shape {}, expected is a single number",
          number.shape());
    check(number.requires_grad(), "the result has no gradient at all: too much was detached");
    // Added with the factor 0, so that each of them is reached.
    const Tensor all = sum(number) + 0. * (sum(loss) + sum(log_prob) + sum(b));
    const std::vector<Tensor> g = grad(all, {loss, log_prob, b});
    return {g[0], g[1], g[2]};
}

void judge(course::Judge& judge) {
    judge.own({"reinforce", "score_function_term", "reinforce_by_hand"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    // One sample of the two cameras, x = ln 4: the derivative of ln p is 0.2 for A, -0.8 for B.
    const auto camera = [&](bool a, double b) {
        return [=] {
            Tensor x = scalar(std::log(4.), Dtype::float64).set_requires_grad();
            const Tensor log_p = a ? log_sigmoid(x) : log_sigmoid(-x);
            const Tensor number =
                my_reinforce(f64({a ? 2. : 6.}, {1}), reshape(log_p, {1, 1}), f64({b}, {1, 1}));
            check(number.requires_grad(), "the result has no gradient: too much was detached");
            return grad(sum(number), {x})[0];
        };
    };
    const auto one = [](double number) { return scalar(number, Dtype::float64); };
    const std::string formula = "the mean of grad L + sum_t (L - b_t) grad ln p_t";
    judge.equal(
        "camera A with b = 2.8: -0.16", camera(true, 2.8), one(-0.16),
        {.formula = formula,
         .mistakes = {{"the sign of L - b is the other way about", one(0.16)},
                      {"the baseline is not subtracted", one(0.4)},
                      {"the baseline is added", one(0.96)},
                      {"the probability stands in the place of its logarithm", one(-0.8 * 0.16)}}});
    judge.equal("camera B with b = 2.8: -2.56", camera(false, 2.8), one(-2.56),
                {.formula = formula});

    Rng rng(1);
    const Leaves at{normal({5}, 1, 1, rng, Dtype::float64),
                    normal({5, 3}, -1, 0.3, rng, Dtype::float64),
                    normal({5, 3}, 1, 1, rng, Dtype::float64)};
    const Tensor L = unsqueeze(at.loss, 1), factor = (L - at.baseline) / 5.;
    const Tensor zero = zeros({5, 3}, Dtype::float64), fifth = full({5}, 0.2, Dtype::float64);
    const auto mine = [&] { return gradients(my_reinforce, at); };
    const Tensor last = pad(slice(factor, 1, 2, 3), 1, 2, 0);
    judge.equal(
        "the gradient of the log-probabilities, N = 5 samples with T = 3 choices",
        [&] { return mine().log_prob; }, factor,
        {.formula = "(L - b_t) / N",
         .mistakes = {{"the sum over the samples was taken, not the mean", factor * 5.},
                      {"the mean over the choices was taken, too; they are summed", factor / 3.},
                      {"only the last choice gets a gradient: the sum runs over all of them", last},
                      {"only the first choice gets a gradient: the sum runs over all of them",
                       pad(slice(factor, 1, 0, 1), 1, 0, 2)},
                      {"the sign of L - b is the other way about", -factor},
                      {"the baseline is not subtracted", (L + zero) / 5.}}});
    judge.equal(
        "no gradient goes into the baseline", [&] { return mine().baseline; }, zero,
        {.formula = "L - b_t is a constant factor",
         .mistakes = {{"the baseline is not detached, so its network is trained with - ln p",
                       at.log_prob / -5.},
                      {"the loss of the baseline is none of this function's business",
                       (at.baseline - L) * 2. / 15.}}});
    judge.equal(
        "the gradient of the loss is that of the plain mean: 1 / N", [&] { return mine().loss; },
        fifth,
        {.formula = "the term grad L",
         .mistakes = {
             {"the term with the gradient of the loss is missing", zeros({5}, Dtype::float64)},
             {"the loss is not detached in the factor: ln p times its gradient is added",
              fifth + sum(at.log_prob, 1) / 5.},
             {"the loss is not detached in the factor, and its own term is missing",
              sum(at.log_prob, 1) / 5.},
             {"the sum over the samples was taken, not the mean", ones({5}, Dtype::float64)},
             {"the loss is added once for each choice", fifth * 3.}}});
    const Leaves other{normal({2}, 0, 9, rng, Dtype::float64),
                       normal({2, 4}, -1, 0.3, rng, Dtype::float64),
                       normal({2, 4}, 1, 1, rng, Dtype::float64)};
    judge.equal(
        "another batch, against the library",
        [&] {
            const Leaves g = gradients(my_reinforce, other);
            return concat({unsqueeze(g.loss, 1), g.log_prob, g.baseline}, 1);
        },
        [&] {
            const Leaves g = gradients([](const Tensor& l, const Tensor& p,
                                          const Tensor& b) { return reinforce(l, p, b); },
                                       other);
            return concat({unsqueeze(g.loss, 1), g.log_prob, g.baseline}, 1);
        }());
}
