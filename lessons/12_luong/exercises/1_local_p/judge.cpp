#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

// The weights in other words, also with known mistakes.
struct Way {
    double sigma = 0;        // R / 2 if 0
    double factor = 2;       // in the exponent
    bool all_words = false;  // in the softmax
    bool gauss = true;
    int shift = 0;      // of the indices
    double reach = 0;   // R if 0
    bool open = false;  // < in the place of <=
    bool no_window = false;
};
Tensor weights_of(const std::vector<double>& e, double p, double R, const Way& way = {}) {
    const double sigma = way.sigma > 0 ? way.sigma : R / 2, reach = way.reach > 0 ? way.reach : R;
    std::vector<double> result(e.size(), 0);
    double total = 0;
    for (int pass : {0, 1})
        for (std::size_t j = 0; j < e.size(); ++j) {
            const double d = static_cast<double>(j) + way.shift - p;
            const bool inside =
                way.no_window || (way.open ? std::abs(d) < reach : std::abs(d) <= reach);
            if (pass == 0 && (inside || way.all_words)) total += std::exp(e[j]);
            if (pass == 1 && inside)
                result[j] = std::exp(e[j]) / total *
                            (way.gauss ? std::exp(-d * d / (way.factor * sigma * sigma)) : 1);
        }
    return tensor(result, Dtype::float64);
}

void judge(course::Judge& judge) {
    judge.own({"AttentionSpan", "masked_softmax", "attention_weights", "soft_attention",
               "local_weights", "window_around"});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const auto f64 = [](double number) { return scalar(number, Dtype::float64); };
    const Tensor I = eye(2, Dtype::float64), one = tensor({1, 1}, Dtype::float64);
    const double t = std::tanh(2.) + std::tanh(0.5), z = 1 / (1 + std::exp(-t));
    judge.given({{"U", I}, {"v", one}});
    judge.equal("the centre for s = (2, 0.5), U the identity, v = (1, 1) and K = 5",
                [&] {
                    return my_centre(I, one, tensor({2, 0.5}, Dtype::float64), 5);
                },
                f64(5 * z),
                {.formula = "p = K / (1 + exp(-v . tanh(U s)))",
                 .mistakes = {{"the tanh is missing", f64(5 / (1 + std::exp(-2.5)))},
                              {"the fraction is not multiplied by K", f64(z)},
                              {"it is multiplied by K - 1, and not by K", f64(4 * z)},
                              {"the sigmoid is missing", f64(5 * t)}}});
    const Tensor U = random({4, 3}), v = random({4}), s = random({3});
    judge.equal("the centre for a random state of width 3 and K = 9",
                [&] { return my_centre(U, v, s, 9); }, 9. * sigmoid(sum(v * tanh(matmul(U, s)))),
                {.formula = "p = K / (1 + exp(-v . tanh(U s)))"});

    const std::vector<double> e{5, 7, 1, 0, 2};
    const std::string formula =
        "alpha_j = softmax inside the window times exp(-(j - p)^2 / (2 sigma^2))";
    const Tensor right = weights_of(e, 4, 2);
    const auto found = [](const std::vector<double>& scores, double p, double R) {
        return [=] {
            return my_local_weights(tensor(scores, Dtype::float64), scalar(p, Dtype::float64), R);
        };
    };
    judge.equal(
        "the scores 5, 7, 1, 0 and 2, p = 4 and R = 2: 0, 0, 0.033, 0.055, 0.665", found(e, 4, 2),
        right,
        {.formula = formula,
         .mistakes = {
             {"the weights were divided by their sum again", right / sum(right)},
             {"the softmax runs over all words, and not over those in the window",
              weights_of(e, 4, 2, {.all_words = true})},
             {"there is no window: words outside have the weight 0",
              weights_of(e, 4, 2, {.all_words = true, .no_window = true})},
             {"sigma is R, and not half of it", weights_of(e, 4, 2, {.sigma = 2})},
             {"the Gaussian is missing", weights_of(e, 4, 2, {.gauss = false})},
             {"the factor 2 in the exponent is missing", weights_of(e, 4, 2, {.factor = 1})},
             {"the indices begin at 0, not at 1", weights_of(e, 4, 2, {.shift = 1})},
             {"the words at the distance R belong to the window",
              weights_of(e, 4, 2, {.open = true})},
             {"the window reaches R / 2 to each side, and not R",
              weights_of(e, 4, 2, {.reach = 1})}}});
    std::vector<double> random_scores = random({9}).to_vector();
    for (double p : {0.2, 3.0, 4.4, 8.97})
        judge.equal(fmt::format("nine random scores, p = {} and R = 3", p),
                    found(random_scores, p, 3), weights_of(random_scores, p, 3),
                    {.formula = formula});
    judge.equal("large scores outside the window", found({900, 0, 1, 2, 900}, 2.1, 1),
                weights_of({0, 0, 1, 2, 0}, 2.1, 1),
                {.formula = formula,
                 .mistakes = {{"the softmax runs over all words, and not over those in the window",
                               zeros({5}, Dtype::float64)}}});
    judge.equal(
        "large scores inside the window", found({0, 900, 901, 902, 0}, 2.1, 1.5),
        weights_of({0, 0, 1, 2, 0}, 2.1, 1.5),
        {.mistakes = {{"exp(900) is infinite: softmax() subtracts the largest score first",
                       tensor({0, std::nan(""), std::nan(""), std::nan(""), 0}, Dtype::float64)}}});
    const Tensor scores = random({9});
    judge.given({{"scores", scores}});
    judge.holds(
        "a gradient reaches the centre",
        [&] {
            Tensor p = f64(4.4).set_requires_grad();
            const Tensor w = my_local_weights(scores, p, 3);
            if (!w.requires_grad()) return false;
            const Tensor g = grad(sum(w * arange(9, Dtype::float64)), {p})[0];
            return g.defined() && std::abs(g.item()) > 1e-6;
        },
        "The derivative with respect to p is 0, so U and v cannot learn. Was p made a number, or "
        "detached, before the Gaussian?");
    judge.gradient("the gradients of scores and centre, away from the jumps",
                   [&](const auto& x) { return my_local_weights(x[0], x[1], 3); },
                   {scores, f64(4.4)});
    judge.gradient("the gradients of U, v and the state",
                   [&](const auto& x) { return my_centre(x[0], x[1], x[2], 9); }, {U, v, s});
}
