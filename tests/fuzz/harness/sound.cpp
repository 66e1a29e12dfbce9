// Sounds. The second reader knows only the plainest WAV file: a header of 44 bytes, then numbers of 16
// bits up to the end.
#include "lessons/material/read/sound.h"

#include <cmath>

#include "tests/fuzz/harness.h"

namespace {

std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value += std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
    return value;
}

}  // namespace

void heed::fuzz::sound(std::string_view bytes) {
    constexpr std::size_t header = 44, most = 1 << 16;
    course::Sound read;
    if (!accepts([&] { read = course::parse_sound(bytes, file, most); })) return;
    if (read.rate < 1 || read.rate > 1'000'000) wrong("the rate");
    if (read.samples.empty() || read.samples.size() > most) wrong("the number of samples");
    for (const float sample : read.samples)
        if (!std::isfinite(sample)) wrong("a sample that is not finite");

    const std::size_t block = 2 * (bytes.size() > header ? little(bytes, 22, 2) : 0);
    if (block == 0 || !bytes.starts_with("RIFF") || bytes.substr(12, 4) != "fmt " ||
        little(bytes, 16, 4) != 16 || little(bytes, 20, 2) != 1 || little(bytes, 34, 2) != 16 ||
        little(bytes, 32, 2) != block || bytes.substr(36, 4) != "data" ||
        little(bytes, 40, 4) != bytes.size() - header || (bytes.size() - header) % block != 0)
        return;
    if (static_cast<std::uint64_t>(read.rate) != little(bytes, 24, 4)) wrong("the rate");
    if (read.samples.size() * block != bytes.size() - header) wrong("the number of samples");
    for (std::size_t i = 0; i < read.samples.size(); ++i) {
        double mean = 0;
        for (std::size_t at = header + i * block; at < header + (i + 1) * block; at += 2)
            mean += static_cast<std::int16_t>(little(bytes, at, 2)) / 32768.0 /
                    static_cast<double>(block / 2);
        if (std::abs(mean - read.samples[i]) > 1e-7) wrong("a sample");
    }
}
