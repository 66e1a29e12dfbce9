// Pairs written into a state of 16 x 16 numbers, and read back: the error of each pair, from the oldest to
// the newest, by three rules.
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
    Rng rng(static_cast<uint64_t>(inputs.whole("draw")));
    const Pairs pairs = random_pairs(count, 16, inputs.chosen("written") == 1, rng);
    const std::vector<std::pair<std::string, Write>> rules{
        {"sum", [](const Tensor& S, const Tensor& k,
                   const Tensor& v) { return S + matmul(transpose(k), v); }},
        {"decay", [=](const Tensor& S, const Tensor& k,
                      const Tensor& v) { return S * alpha + matmul(transpose(k), v); }},
        {"delta rule", [=](const Tensor& S, const Tensor& k, const Tensor& v) {
             return S + matmul(transpose(k), v - matmul(k, S)) * beta;
         }}};
    LinePlot plot{.title = "What the state holds for each key",
                  .x_label = "pair, from the oldest to the newest",
                  .y_label = "squared error",
                  .names_at_ends = false};
    Drawn drawn;
    for (const auto& [name, write] : rules) {
        const ReadBack read = read_back(pairs, count, write);
        Series series{.name = name, .y = read.errors};
        for (int i = 1; i <= count; ++i) series.x.push_back(i);
        plot.series.push_back(series);
        drawn.numbers.push_back({name + ": mean error", read.error});
        drawn.numbers.push_back({name + ": share recognised", read.share});
    }
    drawn.svgs = {to_svg(plot)};
    return drawn;
}

const Registered figure({.name = "pairs",
                         .controls = {slider("pairs", "Pairs", {2, 48, 1, 12}),
                                      choice("written", "Each key is written", {"once", "twice"}),
                                      slider("alpha", "Decay α", {0.5, 1, 0.01, 0.9}),
                                      slider("beta", "Delta rule β", {0, 2, 0.05, 1}),
                                      slider("draw", "Draw", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson33
