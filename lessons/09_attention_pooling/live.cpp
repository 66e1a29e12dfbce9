// How much weight is left of one telling word, by its score and by the number of everyday words.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/course/figures/figures.h"

namespace heed::lesson09 {

using namespace course;

namespace {

// One word with this score among n words with the score 0.
double weight_of_one(double score, double n) { return std::exp(score) / (std::exp(score) + n); }

Drawn draw(const Inputs& inputs) {
    const double score = inputs.number("score"), n = std::pow(10, inputs.number("words"));
    LinePlot plot{.title = "The weight of the telling word",
                  .x_label = "everyday words",
                  .y_label = "weight",
                  .log_x = true,
                  .y_range = {0, 1},
                  .x_range = {1, 100000},
                  .names_at_ends = false};
    const auto curve = [&](const std::string& name, double of_score) {
        Series series{.name = name};
        for (int eighth = 0; eighth <= 40; ++eighth) {
            series.x.push_back(std::pow(10, eighth / 8.));
            series.y.push_back(weight_of_one(of_score, series.x.back()));
        }
        plot.series.push_back(series);
    };
    curve("score 4", 4);
    curve("score 8", 8);
    curve("yours", score);
    const double weight = weight_of_one(score, n);
    BarChart chart{.title = "Who gets the weight", .value_label = "weight", .high = 1};
    chart.labels = {"telling word", "all everyday words", "one everyday word"};
    chart.sets = {{.name = "weight", .values = {weight, 1 - weight, (1 - weight) / n}}};
    return {
        .svgs = {to_svg(plot), to_svg(chart)},
        .numbers = {{"everyday words", std::round(n), 6}, {"weight of the telling word", weight}}};
}

const Registered figure(
    {.name = "dilution",
     .controls = {slider("words", "Everyday words, as a power of ten", {0, 5, 0.1, 1.8}),
                  slider("score", "Score of the telling word", {0, 16, 0.5, 6})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson09
