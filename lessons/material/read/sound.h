// Sound as a list of numbers, read by libsndfile from WAV, FLAC and Ogg files, which are told apart by
// their first bytes.
//
//     const Sound sound = read_sound("7_jackson_12.wav");     // 8000 numbers a second
//
// The two channels of stereo are averaged. Whole numbers of 8 to 32 bits become numbers from -1 to
// below 1; floating-point numbers stay as they are.
//
//     a.wav: expected 1 or 2 channels, found 6
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/input_file.h"

namespace heed::course {

struct Sound {
    int rate = 0;                // samples per second
    std::vector<float> samples;  // mono
};

// The largest file, and the longest sound: 25 minutes at 44.1 kHz.
inline constexpr std::uint64_t most_sound = std::uint64_t{256} << 20;
inline constexpr std::size_t most_samples = std::size_t{1} << 26;

// Throws InputError, with the file, for one that is incomplete, malformed, has no samples, or is
// written in another way. parse_sound() reads bytes in memory, which errors call `name`.
Sound parse_sound(std::string_view bytes, const std::string& name, std::size_t most = most_samples);
Sound read_sound(const std::string& path);

// A recording of one digit, 0 to 9.
struct SpokenDigit {
    std::string path, speaker;
    int digit = 0;
    Sound sound;
};

// The sounds of a folder (.wav, .flac, .ogg) in the order of their names, which are
// DIGIT_SPEAKER_NUMBER as in the Free Spoken Digit Dataset. Throws heed::Error for another name, and
// for less than 8000 samples a second.
std::vector<SpokenDigit> read_spoken_digits(const std::string& folder);

}  // namespace heed::course
