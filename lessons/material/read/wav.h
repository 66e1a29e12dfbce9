// WAV files: sound as a list of numbers. A file in the RIFF format (IBM and Microsoft 1991) is a
// header of 12 bytes and then chunks, in any order: four letters, the size of the chunk as a
// little-endian 32-bit integer, its bytes, and a byte of padding if the size is odd. The chunk
// "fmt " says how the numbers are written, the chunk "data" holds them; others are skipped.
//
//     const Sound sound = read_wav("7_jackson_12.wav");     // 8000 numbers a second
//
// Read are PCM of 8, 16, 24 and 32 bits and float32, mono or stereo, also as WAVE_FORMAT_EXTENSIBLE.
// The two channels of stereo are averaged. PCM becomes numbers from -1 to below 1.
//
//     a.wav: byte 22: expected 1 or 2 channels, found 6
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nn/saved/input_file.h"

namespace heed::course {

struct Sound {
    int rate = 0;                // samples per second
    std::vector<float> samples;  // mono
};

// The largest file: 24 minutes of stereo at 44.1 kHz and 16 bits.
inline constexpr std::uint64_t most_wav = std::uint64_t{256} << 20;

// Throws InputError, with file and byte, for a file that is incomplete, contradicts itself, has no
// samples, or is written in another way. parse_wav() reads bytes in memory, which errors call
// `name`.
Sound parse_wav(std::string_view bytes, const std::string& name);
Sound read_wav(const std::string& path);

}  // namespace heed::course
