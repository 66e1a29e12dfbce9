// A large weight is not a large contribution: weights, contributions, input gradients, and what happens
// when a word is really removed, for a document of three words.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson13 {

using namespace course;

namespace {

const std::vector<std::string> words{"the", "thunder", "again"};

// The logit: words [3, 2] hold the score of each word and its content u·h. A removed word is (0, 0).
Tensor logit(const Tensor& x) { return sum(softmax(select(x, 1, 0)) * select(x, 1, 1)); }

// Each number as a share of all, without its sign.
std::vector<double> shares(std::vector<double> values) {
    double all = 1e-12;
    for (const double value : values) all += std::abs(value);
    for (double& value : values) value = std::abs(value) / all;
    return values;
}

Drawn draw(const Inputs& inputs) {
    std::vector<double> numbers;
    for (const std::string& word : words) {
        numbers.push_back(inputs.number("score_" + word));
        numbers.push_back(inputs.number("content_" + word));
    }
    Tensor x = tensor(numbers, {3, 2}, Dtype::float64);
    x.set_requires_grad();
    const Tensor z = logit(x), gradient = grad(z, {x})[0];
    const NoGrad no_grad;
    const Tensor weights = softmax(select(x, 1, 0));
    std::vector<double> removed;
    for (int j = 0; j < 3; ++j) {
        std::vector<double> kept = numbers;
        kept[static_cast<std::size_t>(2 * j)] = kept[static_cast<std::size_t>(2 * j + 1)] = 0;
        removed.push_back((z - logit(tensor(kept, {3, 2}, Dtype::float64))).item());
    }
    const BarChart chart{
        .title = "Which word counts? Four answers, each as shares of 1",
        .value_label = "share",
        .labels = words,
        .sets = {{.name = "weight", .values = weights.to_vector()},
                 {.name = "contribution",
                  .values = shares((weights * select(x, 1, 1)).to_vector())},
                 {.name = "input gradient", .values = shares(sum(x * gradient, 1).to_vector())},
                 {.name = "if removed", .values = shares(removed)}},
        .high = 1};
    return {.svgs = {to_svg(chart)},
            .numbers = {{"logit", z.item()},
                        {"input gradient of thunder", sum(x * gradient, 1).at({1})},
                        {"change if thunder is removed", removed[1]}}};
}

const Registered figure({.name = "weight_or_gradient",
                         .controls = {slider("score_the", "Score of \"the\"", {-3, 3, 0.1, 1}),
                                      slider("content_the", "Its content, u · h", {-5, 5, 0.1, 0}),
                                      slider("score_thunder", "Score of \"thunder\"",
                                             {-3, 3, 0.1, 0.6}),
                                      slider("content_thunder", "Its content", {-5, 5, 0.1, 5}),
                                      slider("score_again", "Score of \"again\"", {-3, 3, 0.1, -1}),
                                      slider("content_again", "Its content", {-5, 5, 0.1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson13
