// The synthesised words: sizes, repeatability, speakers, and what can be heard in them.
#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "lessons/material/corpora/tones.h"
#include "lessons/material/sound/log_mel.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("tones: the words are five pairs, one the other backwards", "[lesson]") {
    for (int label = 0; label < tone_words; label += 2) {
        std::string word(word_of_tone(label));
        std::reverse(word.begin(), word.end());
        CHECK(word == word_of_tone(label + 1));
    }
    CHECK_THROWS_WITH(word_of_tone(10), ContainsSubstring("0 to 9"));
}

TEST_CASE("tones: the same seed gives the same sounds, all words and speakers come", "[lesson]") {
    const auto draw = [] {
        Rng rng(3);
        return draw_tones(120, {.first_speaker = 2, .speakers = 3}, rng);
    };
    const std::vector<Tone> tones = draw(), again = draw();
    std::set<int> labels, speakers;
    for (std::size_t i = 0; i < tones.size(); ++i) {
        const Tone& tone = tones[i];
        CHECK(tone.samples == again[i].samples);
        labels.insert(tone.label);
        speakers.insert(tone.speaker);
        REQUIRE(tone.borders.size() == 4);
        const double seconds = static_cast<double>(tone.samples.size()) / 8000;
        CHECK((tone.borders[3] > tone.borders[0] + 3 * 0.07 / 1.26 &&
               tone.borders[3] < seconds + 1e-3));
        CHECK(seconds < 0.2 + 3 * 0.13 / 0.79);
        for (const float x : tone.samples) REQUIRE(std::abs(x) <= 1);
    }
    CHECK(labels.size() == 10);
    CHECK((speakers == std::set<int>{2, 3, 4}));
    Rng rng(1);
    CHECK_THROWS_WITH(draw_tones(1, {.speakers = 0}, rng), ContainsSubstring("0 speakers"));
}

TEST_CASE("tones: a vowel is loud at its formants, s at high frequencies", "[lesson]") {
    Rng rng(5);
    const LogMelOptions how;
    const Tensor filters = mel_filters(how, transform_size(how));
    const auto hertz_of = [&](int channel) {
        return 8000.0 / 256 * static_cast<double>(argmax(select(filters, 0, channel))[0]);
    };
    int vowels = 0, hisses = 0;
    for (const Tone& tone : draw_tones(60, {.speakers = 8, .noise = 0.001}, rng)) {
        const Tensor frames = log_mel(tone.samples, how);
        const std::string_view word = word_of_tone(tone.label);
        for (std::size_t i = 0; i < 3; ++i) {
            const double middle = (tone.borders[i] + tone.borders[i + 1]) / 2;
            const auto frame = static_cast<int64_t>((middle - how.window / 2) / how.hop);
            const auto level = [&](double low,
                                   double high) {  // of the loudest channel between them
                double most = -100;
                for (int c = 0; c < how.channels; ++c)
                    if (hertz_of(c) >= low && hertz_of(c) <= high)
                        most = std::max(most, frames.at({frame, c}));
                return most;
            };
            // Formants of a: 730 and 1090 Hz, of i: 270 and 2290 Hz, times 0.87 to 1.15.
            if (word[i] == 'a') CHECK(level(550, 1300) > level(1900, 4000) + 1);
            if (word[i] == 'i') CHECK(level(0, 450) > level(700, 1500) + 1);
            if (word[i] == 'i') CHECK(level(1900, 2700) > level(700, 1500) + 1);
            if (word[i] == 's') CHECK(level(1900, 4000) > level(0, 700));
            vowels += word[i] == 'a' || word[i] == 'i';
            hisses += word[i] == 's';
        }
    }
    CHECK(vowels > 20);
    CHECK(hisses > 10);
}
