// A reliability diagram of forecasts that are too sure, or not sure enough, at a temperature.
#include "lessons/course/live/live.h"

#include <array>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::workshop4 {

using namespace course;

namespace {

constexpr int days = 3000;

Drawn draw(const Inputs& inputs) {
    // The true logits of each day; the outcome is drawn from their softmax. The forecaster has them
    // multiplied by a number.
    Rng rng(1);
    const Tensor truth = normal({days, 3}, 0, 1, rng);
    const Indices outcomes = categorical(softmax(truth), rng);
    const Tensor said = log_softmax(truth * inputs.number("sure") / inputs.number("temperature"));

    struct Bin {
        double days = 0, confidence = 0, right = 0;
    };
    std::array<Bin, 10> bins;
    double loss = 0;
    const Indices guess = argmax(said);
    for (int i = 0; i < days; ++i) {
        const double confidence = std::exp(said.at({i, guess[i]}));
        Bin& bin = bins[std::min<std::size_t>(9, static_cast<std::size_t>(10 * confidence))];
        ++bin.days;
        bin.confidence += confidence;
        bin.right += guess[i] == outcomes[i];
        loss -= said.at({i, outcomes[i]}) / days;
    }
    Series forecasts{.name = "the forecaster"}, diagonal{"calibrated", {0, 1}, {0, 1}};
    double error = 0;
    for (const Bin& bin : bins) {
        if (bin.days == 0) continue;
        forecasts.x.push_back(bin.confidence / bin.days);
        forecasts.y.push_back(bin.right / bin.days);
        error += std::abs(bin.right - bin.confidence) / days;
    }
    const LinePlot plot{.title = "Reliability",
                        .x_label = "confidence",
                        .y_label = "share right",
                        .series = {forecasts, diagonal},
                        .y_range = {0, 1},
                        .x_range = {0, 1},
                        .names_at_ends = false};
    return {.svgs = {to_svg(plot)},
            .numbers = {{"expected calibration error", error}, {"loss", loss}}};
}

const Registered figure({.name = "reliability",
                         .controls = {slider("sure", "Logits, times the true ones",
                                             {0.5, 4, 0.1, 3}),
                                      slider("temperature", "Temperature", {0.5, 4, 0.1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop4
