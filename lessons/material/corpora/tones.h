// Tones: synthesised words, so that the lesson about speech needs no download.
//
//     Rng rng(1);
//     std::vector<Tone> training = draw_tones(1000, {.first_speaker = 0, .speakers = 8}, rng);
//     std::vector<Tone> unseen = draw_tones(200, {.first_speaker = 8, .speakers = 4}, rng);
//     training[0].samples           // 8,000 a second
//     training[0].label             // 0 .. 9, see word_of_tone()
//
// Contents. Ten words of three sounds each, in five pairs: each word of a pair is the other one
// spoken backwards, "sio" and "ois". So it is not enough to hear which sounds there are; their order
// decides. The five vowels are a pulse with many harmonics, of which two resonances, the formants,
// are loud (Peterson and Barney 1952 measured them); n has low formants and is soft; s and f are
// noise. Formants glide from one sound to the next. The length of each sound, the loudness, the
// silence before and after the word, and the noise everywhere are random. All ten words are equally
// likely.
//
// Each speaker has a pitch, a size (which multiplies all formants) and a speed, which follow from the
// speaker's number alone. So a set of other speakers tests how well a model does on voices that it has
// not heard.
#pragma once

#include <string_view>
#include <vector>

#include "autograd/base/rng.h"

namespace heed::course {

inline constexpr int tone_words = 10;
std::string_view word_of_tone(int label);  // "sio"

struct ToneOptions {
    int rate = 8000;  // samples a second
    int first_speaker = 0, speakers = 6;
    double shortest = 0.07, longest = 0.13;  // seconds of a sound, at a speed of 1
    double silence = 0.1;                    // the longest before and after the word, in seconds
    double noise = 0.01;                     // standard deviation; a word's is about 0.15
};

struct Tone {
    std::vector<float> samples;
    int label = 0, speaker = 0;
    std::vector<double>
        borders;  // where the three sounds begin, and where the last ends, in seconds
};

// Throws heed::Error for options that are out of range.
std::vector<Tone> draw_tones(int count, const ToneOptions& options, Rng& rng);

}  // namespace heed::course
