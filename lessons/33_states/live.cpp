// Pairs written into a state of 16 x 16 numbers, and read back: the error of each pair, from the oldest to
// the newest, by three rules. The mean of many draws, because in a single one the noise hides the rule.
#include "lessons/course/live/live.h"

#include "autograd/autograd.h"
#include "lessons/33_states/experiment.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson33 {

using namespace course;

namespace {

Drawn draw(const Inputs& inputs) {
    const double alpha = inputs.number("alpha"), beta = inputs.number("beta");
    const int count = inputs.whole("pairs");
    const bool twice = inputs.chosen("written") == 1;
    const int draws = inputs.whole("draws");
    const std::vector<std::pair<std::string, Write>> rules{
        {"sum", [](const Tensor& S, const Tensor& k,
                   const Tensor& v) { return S + matmul(transpose(k), v); }},
        {"decay", [=](const Tensor& S, const Tensor& k,
                      const Tensor& v) { return S * alpha + matmul(transpose(k), v); }},
        {"delta rule", [=](const Tensor& S, const Tensor& k, const Tensor& v) {
             return S + matmul(transpose(k), v - matmul(k, S)) * beta;
         }}};
    LinePlot plot{
        .title = fmt::format("What the state holds for each key: mean of {} draws", draws),
        .x_label = "pair, from the oldest to the newest",
        .y_label = "squared error",
        .names_at_ends = false};
    Drawn drawn;
    for (const auto& [name, write] : rules) {
        Series series{.name = name, .dots = true};
        for (int i = 1; i <= count; ++i) series.x.push_back(i), series.y.push_back(0);
        double error = 0, share = 0;
        Rng rng(1);  // the same pairs for each rule
        for (int one = 0; one < draws; ++one) {
            const ReadBack read = read_back(random_pairs(count, 16, twice, rng), count, write);
            for (std::size_t i = 0; i < series.y.size(); ++i) series.y[i] += read.errors[i] / draws;
            error += read.error / draws, share += read.share / draws;
        }
        plot.series.push_back(series);
        drawn.numbers.push_back({name + ": mean error", error});
        drawn.numbers.push_back({name + ": share recognised", share});
    }
    drawn.svgs = {to_svg(plot)};
    return drawn;
}

const Registered figure({.name = "pairs",
                         .controls = {slider("pairs", "Pairs", {2, 48, 1, 12}),
                                      choice("written", "Each key is written", {"once", "twice"}),
                                      slider("alpha", "Decay α", {0.5, 1, 0.01, 0.9}),
                                      slider("beta", "Delta rule β", {0, 2, 0.05, 1}),
                                      slider("draws", "Draws", {1, 40, 1, 20})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson33
