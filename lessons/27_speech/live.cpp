// Two tones in one frame: the samples, and the powers of the frequencies, from a product with a matrix of
// cosines and sines.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson27 {

using namespace course;

namespace {

constexpr double rate = 8000, pi = 3.14159265358979323846;  // samples a second

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const auto N = static_cast<std::int64_t>(1) << inputs.whole("length");  // samples of the frame
    const Tensor t = arange(N, Dtype::float64);
    const auto tone = [&](const char* name) {
        return sin(2 * pi * inputs.number(name) / rate * t);
    };
    Tensor frame = tone("first") + inputs.number("loudness") * tone("second");
    if (inputs.chosen("window") == 1)  // Hann: the frame fades in and out
        frame = frame * (0.5 - 0.5 * cos(2 * pi / double(N) * t));
    // X_k = sum over n of x_n (cos - i sin)(2 pi k n / N), k = 0 ... N / 2
    const Tensor angles =
        unsqueeze(arange(N / 2 + 1, Dtype::float64), 1) * unsqueeze(t, 0) * (2 * pi / double(N));
    const Tensor x = unsqueeze(frame, 1);
    const Tensor power =
        reshape(square(matmul(cos(angles), x)) + square(matmul(sin(angles), x)), {-1});
    std::vector<double> decibels =
        (10 / std::log(10.0) * log(power / max(power) + 1e-9)).to_vector();

    Series samples{.name = "samples", .y = frame.to_vector()},
        spectrum{.name = "power", .y = decibels};
    for (std::int64_t n = 0; n < N; ++n) samples.x.push_back(1000 * double(n) / rate);
    for (std::int64_t k = 0; k <= N / 2; ++k) spectrum.x.push_back(double(k) * rate / double(N));
    const LinePlot wave{.title = "The frame",
                        .x_label = "milliseconds",
                        .series = {samples},
                        .y_range = {-2, 2},
                        .x_range = {0, 64},
                        .names_at_ends = false};
    const LinePlot powers{.title = "Power of each frequency, in decibels below the largest",
                          .x_label = "hertz",
                          .series = {spectrum},
                          .y_range = {-90, 0},
                          .x_range = {0, 4000},
                          .names_at_ends = false};
    return {.svgs = {to_svg(wave), to_svg(powers)},
            .numbers = {
                {"samples in the frame", double(N), 4},
                {"milliseconds", 1000 * double(N) / rate},
                {"hertz between two frequencies", rate / double(N), 4},
                {"largest power at, in hertz", double(argmax(power)[0]) * rate / double(N), 5}}};
}

const Registered figure(
    {.name = "frame",
     .controls = {slider("first", "First tone, in hertz", {100, 3900, 10, 800}),
                  slider("second", "Second tone, in hertz", {100, 3900, 10, 1000}),
                  slider("loudness", "Loudness of the second", {0, 1, 0.01, 0.1}),
                  slider("length", "Samples of the frame, as a power of 2", {5, 9, 1, 7}),
                  choice("window", "Window", {"none", "Hann"})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson27
