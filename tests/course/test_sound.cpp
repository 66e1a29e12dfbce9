// The Fourier transform against its definition, mel filters, and log-mel frames of sounds whose
// frequencies are known.
#include <cmath>
#include <complex>
#include <numbers>

#include "autograd/autograd.h"
#include "lessons/material/sound/fourier.h"
#include "lessons/material/sound/log_mel.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<double> random_numbers(int count) {
    Rng rng(3);
    return normal({count}, 0, 1, rng, Dtype::float64).to_vector();
}

std::vector<float> tone(double hertz, double seconds, int rate = 8000) {
    std::vector<float> samples;
    for (int n = 0; n < static_cast<int>(seconds * rate); ++n)
        samples.push_back(
            static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * hertz * n / rate)));
    return samples;
}

}  // namespace

TEST_CASE("the Fourier transform is its definition, for any size", "[lesson]") {
    for (const int size : {1, 2, 7, 16, 30, 256}) {
        const std::vector<double> x = random_numbers(size);
        Fourier fourier(size);
        const std::vector<double> power = fourier.power(x);
        REQUIRE(power.size() == static_cast<std::size_t>(size / 2 + 1));
        for (std::size_t k = 0; k < power.size(); ++k) {
            std::complex<double> sum = 0;
            for (std::size_t n = 0; n < x.size(); ++n)
                sum += x[n] *
                       std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * n) / size);
            CHECK(power[k] == Approx(std::norm(sum)));
        }
    }
}

TEST_CASE("Parseval: the transform keeps the energy", "[lesson]") {
    for (const int size : {15, 64}) {
        const std::vector<double> x = random_numbers(size);
        Fourier fourier(size);
        const std::vector<double> power = fourier.power(x);
        double before = 0, after = 0;
        for (const double value : x) before += value * value;
        for (int k = 0; k < size; ++k)  // the other half is the mirror image
            after += power[static_cast<std::size_t>(std::min(k, size - k))];
        CHECK(after / size == Approx(before));
    }
}

TEST_CASE("a transform continues short sounds with zeros, and refuses long ones",
          "[lesson][errors]") {
    std::vector<double> x = random_numbers(5);
    Fourier fourier(8);
    const std::vector<double> first = fourier.power(x);
    fourier.power(random_numbers(8));
    x.resize(8, 0.0);
    CHECK(fourier.power(x) == first);
    CHECK_THROWS_WITH(fourier.power(random_numbers(9)), ContainsSubstring("9 numbers"));
    CHECK_THROWS_WITH(Fourier(0), ContainsSubstring("at least 1"));
}

TEST_CASE("mel filters: shape, peaks, and weights that sum to 1", "[lesson]") {
    CHECK(mel_of_hertz(0) == 0);
    CHECK(mel_of_hertz(1000) == Approx(1000).epsilon(1e-4));  // what the scale is made for
    for (const double hertz : {50.0, 440.0, 3999.0})
        CHECK(hertz_of_mel(mel_of_hertz(hertz)) == Approx(hertz));

    const LogMelOptions o;
    const Tensor filters = mel_filters(o, 256);
    REQUIRE((filters.shape() == Shape{40, 129}));
    const Tensor of_frequency = sum(filters, 0), of_channel = sum(filters, 1);
    const double first = mel_of_hertz(o.low), last = mel_of_hertz(4000);
    const double first_peak = hertz_of_mel(first + (last - first) / 41),
                 last_peak = hertz_of_mel(last - (last - first) / 41);
    for (int k = 0; k < 129; ++k) {
        const double f = k * 8000.0 / 256;
        if (f >= first_peak && f <= last_peak) CHECK(of_frequency.at({k}) == Approx(1));
        if (f <= o.low || f >= 4000) CHECK(of_frequency.at({k}) == 0);
    }
    // High channels are wider than low ones.
    CHECK(of_channel.at({39}) > 3 * of_channel.at({5}));
    CHECK_THROWS_WITH(mel_filters({.channels = 128, .low = 0}, 256),
                      ContainsSubstring("fewer channels"));
    CHECK_THROWS_WITH(mel_filters({.high = 5000}, 256), ContainsSubstring("half the rate"));
    CHECK_THROWS_WITH(mel_filters({.low = 4000}, 256), ContainsSubstring("low <"));
}

TEST_CASE("a pure tone is loudest in its channel, in every frame", "[lesson]") {
    const LogMelOptions o;
    const double first = mel_of_hertz(o.low), last = mel_of_hertz(4000);
    for (const int channel : {8, 15, 22, 30, 38}) {
        const double hertz = hertz_of_mel(first + (last - first) * (channel + 1) / 41);
        const Tensor frames = log_mel(tone(hertz, 0.2), o);
        REQUIRE((frames.shape() == Shape{1 + (1600 - 200) / 80, 40}));
        for (const int loudest : argmax(frames, 1)) CHECK(loudest == channel);
    }
}

TEST_CASE("log-mel frames: louder, silent, short", "[lesson][errors]") {
    std::vector<float> sound = tone(700, 0.1);
    const Tensor frames = log_mel(sound);
    for (float& x : sound) x *= 2;
    // Twice the amplitude is four times the energy, in all channels above the floor.
    const Tensor louder = log_mel(sound) - frames;
    CHECK(louder.at({3, 15}) == Approx(std::log(4.0)));
    CHECK(max(log_mel(std::vector<float>(400))).item() == Approx(std::log(1e-8)));
    // Energies above the floor stay as they are.
    const double loud = frames.at({3, 15});
    CHECK(log_mel(tone(700, 0.1), {.floor = 0.5 * std::exp(loud)}).at({3, 15}) == Approx(loud));
    // A sound shorter than the window is followed by silence.
    std::vector<float> brief = tone(700, 0.01);
    const Tensor one = log_mel(brief);
    CHECK((one.shape() == Shape{1, 40}));
    brief.resize(200, 0.0f);
    CHECK(one.to_vector() == log_mel(brief).to_vector());
    CHECK((log_mel(tone(700, 0.1), {.window = 0.05, .hop = 0.025, .channels = 20}).shape() ==
           Shape{3, 20}));
    CHECK_THROWS_WITH(log_mel({}), ContainsSubstring("no samples"));
    CHECK_THROWS_WITH(log_mel(sound, {.hop = 0}), ContainsSubstring("at least one sample"));
}
