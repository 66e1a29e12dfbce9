#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"cross_entropy", "nll_loss", "MaskedLanguageModel"});
    const auto one = [](double number) { return scalar(number, Dtype::float64); };
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor five = f64({9, 9, 9, 2, 1, 0, 9, 9, 9, 9, 9, 9, 0, 0, 0}, {1, 5, 3});
    const Indices asked(std::vector<int>{-100, 0, -100, -100, 2}, {1, 5});
    const double a = 0.40760596444438, b = std::log(3.);
    judge.given({{"logits", five}});
    judge.equal(
        "the five words of the lesson: 0.7531", [&] { return my_masked_loss(five, asked); },
        one((a + b) / 2),
        {.formula = "the mean of -ln p over the chosen positions",
         .mistakes = {
             {"the sum is divided by all positions, not by the chosen ones", one((a + b) / 5)},
             {"the sum is not divided by the number of chosen positions", one(a + b)},
             {"the sign is missing: ln p is negative", one(-(a + b) / 2)},
             {"the logits are added without a softmax", one(-1)},
             {"the mean is taken of p, not of -ln p", one((std::exp(-a) + std::exp(-b)) / 2)}}});
    // The first text is asked once, the second twice, the third never.
    Rng rng(1);
    const Tensor logits = normal({3, 4, 5}, 0, 1, rng, Dtype::float64);
    const Indices labels({-100, 3, -100, -100, 0, -100, -100, 4, -100, -100, -100, -100}, {3, 4});
    const Tensor log_p = log_softmax(logits);
    const double x = -log_p.at({0, 1, 3}), y = -log_p.at({1, 0, 0}), z = -log_p.at({1, 3, 4});
    judge.equal(
        "three texts of four words, asked once, twice and never",
        [&] { return my_masked_loss(logits, labels); }, cross_entropy(logits, labels),
        {.formula = "M holds the chosen positions of all texts together",
         .mistakes = {{"each text has a mean of its own; then texts with few gaps count more",
                       one((x + (y + z) / 2) / 2)},
                      {"each text has a mean of its own; then texts with few gaps count more",
                       one((x + (y + z) / 2) / 3)},
                      {"the sum is divided by all positions, not by the chosen ones",
                       one((x + y + z) / 12)}}});
    judge.equal("nothing is chosen: 0",
                [&] {
                    return my_masked_loss(slice(logits, 0, 2, 3),
                                          Indices({-100, -100, -100, -100}, {1, 4}));
                },
                one(0), {.mistakes = {{"0 is divided by 0", one(std::nan(""))}}});
    judge.equal(
        "logits of 1000 and 0 where the second word is right: 1000",
        [&] {
            return my_masked_loss(f64({1000, 0}, {1, 1, 2}), Indices({1}, {1, 1}));
        },
        one(1000),
        {.formula = "log_softmax subtracts the largest logit before it takes exponentials"});
    judge.equal(
        "what the network says at other positions does not count",
        [&] {
            return my_masked_loss(
                concat({slice(logits, 1, 0, 2), 50. * slice(logits, 1, 2, 4)}, 1),
                Indices({-100, 3, -100, -100, 0, 1, -100, -100, -100, -100, -100, -100}, {3, 4}));
        },
        one((x + y - log_p.at({1, 1, 1})) / 3));
    judge.gradient("the gradient of the logits; it is 0 at the other positions",
                   [&](const auto& in) { return my_masked_loss(in[0], labels); }, {logits});
}
