#include "lessons/material/sound/log_mel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "lessons/material/sound/fourier.h"

namespace heed::course {

namespace {

int samples_of(double seconds, int rate) { return static_cast<int>(std::lround(seconds * rate)); }

}  // namespace

double mel_of_hertz(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz_of_mel(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

int transform_size(const LogMelOptions& o) {
    const int window = samples_of(o.window, o.rate);
    check(
        window > 0 && samples_of(o.hop, o.rate) > 0,
        "log_mel: windows of {} s every {} s at {} samples a second; expected at least one sample",
        o.window, o.hop, o.rate);
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(window)));
}

Tensor mel_filters(const LogMelOptions& o, int size) {
    const double high = o.high > 0 ? o.high : o.rate / 2.0;
    check(o.channels > 0 && o.low >= 0 && o.low < high && high <= o.rate / 2.0,
          "mel_filters: {} channels from {} to {} Hz at {} samples a second; expected 0 <= low < "
          "high <= half the rate",
          o.channels, o.low, high, o.rate);
    std::vector<double> corners;  // in Hz: M peaks, and both ends
    const double first = mel_of_hertz(o.low), last = mel_of_hertz(high);
    for (int i = 0; i <= o.channels + 1; ++i)
        corners.push_back(hertz_of_mel(first + (last - first) * i / (o.channels + 1)));

    const int bins = size / 2 + 1;
    std::vector<double> weights;
    for (std::size_t m = 1; m <= static_cast<std::size_t>(o.channels); ++m) {
        double sum = 0;
        for (int k = 0; k < bins; ++k) {
            const double f = static_cast<double>(k) * o.rate / size;
            const double rising = (f - corners[m - 1]) / (corners[m] - corners[m - 1]);
            const double falling = (corners[m + 1] - f) / (corners[m + 1] - corners[m]);
            weights.push_back(std::max(0.0, std::min(rising, falling)));
            sum += weights.back();
        }
        check(
            sum > 0,
            "mel_filters: channel {} of {}, {:.0f} to {:.0f} Hz, contains none of the frequencies, "
            "which are {:.1f} Hz apart; use fewer channels or a longer window",
            m - 1, o.channels, corners[m - 1], corners[m + 1], static_cast<double>(o.rate) / size);
    }
    return tensor(weights, {o.channels, bins});
}

Tensor log_mel(const std::vector<float>& samples, const LogMelOptions& o) {
    check(!samples.empty(), "log_mel: the sound has no samples");
    Fourier fourier(transform_size(o));
    const Tensor filters = mel_filters(o, fourier.size());  // [M, F]
    const auto window = static_cast<std::size_t>(samples_of(o.window, o.rate));
    const auto hop = static_cast<std::size_t>(samples_of(o.hop, o.rate));

    std::vector<double> fade;  // Hann
    for (std::size_t n = 0; n < window; ++n)
        fade.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) /
                                            static_cast<double>(window)));
    const std::size_t frames = samples.size() < window ? 1 : 1 + (samples.size() - window) / hop;
    const std::size_t channels = static_cast<std::size_t>(o.channels);
    const std::size_t bins = static_cast<std::size_t>(fourier.bins());
    const std::vector<double> weights = filters.to_vector();
    std::vector<double> result, frame(window);
    for (std::size_t t = 0; t < frames; ++t) {
        for (std::size_t n = 0; n < window; ++n)
            frame[n] = t * hop + n < samples.size() ? fade[n] * samples[t * hop + n] : 0.0;
        const std::vector<double> power = fourier.power(frame);
        for (std::size_t m = 0; m < channels; ++m) {
            double energy = 0;
            for (std::size_t k = 0; k < bins; ++k) energy += weights[m * bins + k] * power[k];
            result.push_back(std::log(std::max(energy, o.floor)));
        }
    }
    return tensor(result, {static_cast<int64_t>(frames), o.channels});
}

}  // namespace heed::course
