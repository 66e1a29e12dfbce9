#include "lessons/36_assistant/pictures.h"

namespace heed::lesson36 {

using namespace course;

Diagram adapter_diagram() {
    using enum Diagram::Kind;
    Diagram d{.title = "The weight stays; two narrow matrices are trained beside it"};
    d.boxes = {
        {.name = "x", .lines = {"32"}, .column = 0, .row = 0, .kind = input},
        {.name = "times W", .lines = {"32 x 32", "frozen"}, .column = 2, .row = 0},
        {.name = "A", .lines = {"2 x 32"}, .column = 1, .row = 1, .kind = learned},
        {.name = "2 numbers", .column = 2, .row = 1},
        {.name = "B", .lines = {"32 x 2", "0 at first"}, .column = 3, .row = 1, .kind = learned},
        {.name = "+", .column = 4, .row = 0, .round = true},
        {.name = "y", .lines = {"32"}, .column = 5, .row = 0, .kind = output}};
    d.arrows = {{0, 1}, {0, 2}, {2, 3}, {3, 4}, {1, 5}, {4, 5}, {5, 6}};
    return d;
}

// By the logit z of the right answer: the gradient of ln p is 1 - p, that of ln (1 - p) for the wrong one
// is -p, and that of the expected reward is p (1 - p).
double noise_of_two(double p, double offset, double baseline) {
    const double right = (offset + 1 - baseline) * (1 - p), wrong = (offset - baseline) * -p;
    const double mean = p * (1 - p);
    return (p * right * right + (1 - p) * wrong * wrong) / (mean * mean) - 1;
}

LinePlot noise_plot(double offset, double baseline) {
    LinePlot plot{.title = "Noise of the gradient, two answers of which one is right",
                  .x_label = "probability p of the right answer",
                  .y_label = "variance over squared gradient",
                  .y_range = {0, 10}};
    Series none{.name = "no baseline"}, own{.name = "this baseline"}, share{.name = "baseline p"};
    for (double p = 0.04; p < 0.965; p += 0.02) {
        for (Series* s : {&none, &own, &share}) s->x.push_back(p);
        none.y.push_back(std::min(10.0, noise_of_two(p, offset, 0)));
        own.y.push_back(std::min(10.0, noise_of_two(p, offset, baseline)));
        share.y.push_back(std::min(10.0, noise_of_two(p, offset, offset + p)));
    }
    plot.series = {none, share};
    if (baseline != 0) plot.series.push_back(own);
    return plot;
}

LinePlot fooled_plot(const std::string& title, const Progress& progress) {
    return {.title = title,
            .x_label = "step",
            .y_label = "share of the answers",
            .series = {{.name = "the judge's reward", .x = progress.steps, .y = progress.reward},
                       {.name = "really right", .x = progress.steps, .y = progress.exact}},
            .y_range = {0, 1}};
}

}  // namespace heed::lesson36
