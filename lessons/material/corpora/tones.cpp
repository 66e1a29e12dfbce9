#include "lessons/material/corpora/tones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "autograd/base/error.h"
#include "lessons/material/corpora/dice.h"

namespace heed::course {

namespace {

constexpr std::array<std::string_view, tone_words> words{"sio", "ois", "aun", "nua", "foe",
                                                         "eof", "sai", "ias", "neu", "uen"};

// A sound of the language: two formants in Hz and how loud pulse and noise are.
struct Phone {
    char letter;
    double first, second;
    double pulse, noise, hiss;  // hiss: noise of high frequencies
};
constexpr std::array<Phone, 8> phones{{{'a', 730, 1090, 1, 0, 0},
                                       {'e', 530, 1840, 1, 0, 0},
                                       {'i', 270, 2290, 1, 0, 0},
                                       {'o', 570, 840, 1, 0, 0},
                                       {'u', 300, 870, 1, 0, 0},
                                       {'n', 250, 1000, 0.4, 0, 0},
                                       {'f', 500, 1500, 0, 0.12, 0},
                                       {'s', 500, 1500, 0, 0, 0.25}}};

const Phone& phone_of(char letter) {
    return *std::find_if(phones.begin(), phones.end(),
                         [&](const Phone& phone) { return phone.letter == letter; });
}

struct Speaker {
    double pitch, size, speed;

    explicit Speaker(int number) {
        Dice dice{static_cast<std::uint64_t>(number) * 7919 + 17};
        const auto between = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(dice.below(1000)) / 1000;
        };
        pitch = between(90, 230);
        size = between(0.87, 1.15);
        speed = between(0.8, 1.25);
    }
};

// How loud a frequency is: two resonances 120 Hz wide.
double resonance(double hertz, double first, double second) {
    const auto peak = [&](double formant) {
        const double d = (hertz - formant) / 120;
        return 1 / (1 + d * d);
    };
    return peak(first) + 0.7 * peak(second);
}

}  // namespace

std::string_view word_of_tone(int label) {
    check(label >= 0 && label < tone_words, "word_of_tone: {}; expected 0 to 9", label);
    return words[static_cast<std::size_t>(label)];
}

std::vector<Tone> draw_tones(int count, const ToneOptions& o, Rng& rng) {
    check(count >= 0 && o.rate >= 4000 && o.first_speaker >= 0 && o.speakers > 0 &&
              o.shortest > 0 && o.longest >= o.shortest && o.silence >= 0 && o.noise >= 0,
          "draw_tones: {} words at {} samples a second of {} speakers, sounds of {} to {} s; "
          "expected a rate of at least 4000 and positive numbers",
          count, o.rate, o.speakers, o.shortest, o.longest);
    std::vector<Tone> tones;
    for (int n = 0; n < count; ++n) {
        Tone tone;
        tone.label = static_cast<int>(rng.below(tone_words));
        tone.speaker = o.first_speaker + static_cast<int>(rng.below(o.speakers));
        const Speaker speaker(tone.speaker);
        const std::string_view word = words[static_cast<std::size_t>(tone.label)];
        const double loudness = rng.uniform(0.7, 1.3);

        tone.borders.push_back(rng.uniform(0, o.silence));
        for (int i = 0; i < 3; ++i)
            tone.borders.push_back(tone.borders.back() +
                                   rng.uniform(o.shortest, o.longest) / speaker.speed);
        const double end = tone.borders.back() + rng.uniform(0, o.silence);

        double phase = 0, last_noise = 0;
        for (int s = 0; s < static_cast<int>(end * o.rate); ++s) {
            const double t = static_cast<double>(s) / o.rate;
            const double white = rng.normal();
            double x = o.noise * rng.normal();
            if (t >= tone.borders[0] && t < tone.borders[3]) {
                // Between two sounds everything changes linearly for 40 ms.
                std::size_t i = t < tone.borders[1] ? 0 : t < tone.borders[2] ? 1 : 2;
                double share = 0;  // of the sound j
                std::size_t j = i;
                if (i > 0 && t - tone.borders[i] < 0.02)
                    j = i - 1, share = 0.5 - (t - tone.borders[i]) / 0.04;
                else if (i < 2 && tone.borders[i + 1] - t < 0.02)
                    j = i + 1, share = 0.5 - (tone.borders[i + 1] - t) / 0.04;
                const Phone &a = phone_of(word[i]), &b = phone_of(word[j]);
                const auto mixed = [&](double of_a, double of_b) {
                    return of_a + share * (of_b - of_a);
                };
                const double first = speaker.size * mixed(a.first, b.first);
                const double second = speaker.size * mixed(a.second, b.second);
                // The pitch falls by a fifth during the word.
                const double pitch =
                    speaker.pitch *
                    (1.1 - 0.2 * (t - tone.borders[0]) / (tone.borders[3] - tone.borders[0]));
                phase += pitch / o.rate;
                const double pulse = mixed(a.pulse, b.pulse);
                double voice = 0;
                if (pulse > 0)
                    for (int k = 1; k * pitch < 0.45 * o.rate; ++k)
                        voice += resonance(k * pitch, first, second) *
                                 std::sin(2 * std::numbers::pi * k * phase);
                // Fading in and out for 15 ms.
                const double fade =
                    std::min({1.0, (t - tone.borders[0]) / 0.015, (tone.borders[3] - t) / 0.015});
                x += fade * loudness *
                     (0.1 * pulse * voice + mixed(a.noise, b.noise) * white +
                      mixed(a.hiss, b.hiss) * (white - last_noise) / std::numbers::sqrt2);
            }
            last_noise = white;
            tone.samples.push_back(static_cast<float>(std::clamp(x, -1.0, 1.0)));
        }
        tones.push_back(std::move(tone));
    }
    return tones;
}

}  // namespace heed::course
