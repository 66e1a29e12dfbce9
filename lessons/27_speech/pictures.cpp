#include "lessons/27_speech/pictures.h"

#include <fmt/format.h>

#include "autograd/base/error.h"

namespace heed::lesson27 {

using namespace course;

LinePlot wave_of(const std::vector<double>& samples, int rate) {
    LinePlot plot{.title = "A vowel", .x_label = "milliseconds", .y_label = "pressure"};
    plot.series.push_back({.name = "samples"});
    for (std::size_t n = 0; n < samples.size(); ++n) {
        plot.series[0].x.push_back(1000.0 * static_cast<double>(n) / rate);
        plot.series[0].y.push_back(samples[n]);
    }
    return plot;
}

LinePlot spectrum_of(const std::vector<double>& power, int rate) {
    LinePlot plot{.title = "Its spectrum", .x_label = "Hz", .y_label = "power"};
    plot.series.push_back({.name = "power"});
    const double step = rate / (2.0 * static_cast<double>(power.size() - 1));
    for (std::size_t k = 0; k < power.size(); ++k) {
        plot.series[0].x.push_back(static_cast<double>(k) * step);
        plot.series[0].y.push_back(power[k]);
    }
    return plot;
}

Diagram conformer_block(const SpeechModel& model) {
    check(model.conformer && !model.conformer->layers.empty(),
          "conformer_block: the model is no Conformer");
    const ConformerBlock& block = model.conformer->layers[0];
    const int64_t width = model.input.weight.size(0);
    const std::string feed_forward =
        fmt::format("{} → {} → {}", width, block.first_feed_forward.hidden.weight.size(0), width);
    const auto learned = Diagram::Kind::learned;
    Diagram diagram{.title = "A Conformer block", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "x", .lines = {fmt::format("frames x {}", width)}, .kind = Diagram::Kind::input},
        {.name = "feed-forward", .lines = {feed_forward}, .row = 1, .kind = learned},
        {.name = "+ ½", .row = 2, .round = true},
        {.name = "self-attention", .lines = {"relative positions"}, .row = 3, .kind = learned},
        {.name = "+", .row = 4, .round = true},
        {.name = "convolution module",
         .lines = {fmt::format("{} frames wide", block.convolution.depthwise.weight.size(2))},
         .row = 5,
         .kind = learned},
        {.name = "+", .row = 6, .round = true},
        {.name = "feed-forward", .lines = {feed_forward}, .row = 7, .kind = learned},
        {.name = "+ ½", .row = 8, .round = true},
        {.name = "norm", .row = 9, .kind = learned},
        {.name = "y", .row = 10, .kind = Diagram::Kind::output}};
    for (int i = 0; i < 10; ++i) diagram.arrows.push_back({i, i + 1});
    for (int i = 0; i < 8; i += 2) diagram.arrows.push_back({i, i + 2, "", Diagram::Side::left});
    diagram.frames = {
        {fmt::format("{} blocks", model.conformer->layers.size()), {1, 2, 3, 4, 5, 6, 7, 8, 9}}};
    return diagram;
}

Diagram convolution_module(const SpeechModel& model) {
    check(model.conformer && !model.conformer->layers.empty(),
          "convolution_module: the model is no Conformer");
    const ConformerConvolution& module = model.conformer->layers[0].convolution;
    const int64_t width = module.project.weight.size(0);
    const auto learned = Diagram::Kind::learned;
    Diagram diagram{.title = "The convolution module", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "norm of x",
         .lines = {fmt::format("frames x {}", width)},
         .column = 0.5,
         .kind = Diagram::Kind::input},
        {.name = "dense", .lines = {fmt::format("p: {}", width)}, .row = 1, .kind = learned},
        {.name = "dense",
         .lines = {fmt::format("q: {}", width)},
         .column = 1,
         .row = 1,
         .kind = learned},
        {.name = "σ", .column = 1, .row = 2, .round = true},
        {.name = "×", .row = 2, .round = true},
        {.name = "depthwise convolution",
         .lines = {fmt::format("a kernel of {} for each channel", module.depthwise.weight.size(2))},
         .row = 3,
         .kind = learned},
        {.name = "batch norm, swish", .row = 4, .kind = learned},
        {.name = "dense",
         .lines = {fmt::format("{} → {}", width, width)},
         .row = 5,
         .kind = learned},
        {.name = "y", .row = 6, .kind = Diagram::Kind::output}};
    diagram.arrows = {{0, 1}, {0, 2}, {2, 3}, {3, 4, "gate"}, {1, 4},
                      {4, 5}, {5, 6}, {6, 7}, {7, 8}};
    return diagram;
}

}  // namespace heed::lesson27
