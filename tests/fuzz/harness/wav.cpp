// WAV files. The second reader searches the chunks from the start and computes each sample in
// double precision.
#include "lessons/material/read/wav.h"

#include <cmath>
#include <cstring>

#include "tests/fuzz/harness.h"

namespace {

std::uint64_t little(std::string_view bytes, std::size_t at, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i)
        value +=
            std::uint64_t{static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)))}
            << 8 * i;
    return value;
}

std::string_view chunk_named(std::string_view bytes, std::string_view name) {
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::uint64_t size = little(bytes, at + 4, 4);
        if (bytes.substr(at, 4) == name) return bytes.substr(at + 8, size);
        at += 8 + size + size % 2;
    }
    heed::fuzz::wrong("a chunk is missing");
}

double sample(std::string_view bytes, std::size_t at, int width, bool floating) {
    if (floating) {
        float value;
        std::memcpy(&value, &bytes.at(at), 4);
        return value;
    }
    double value = static_cast<double>(little(bytes, at, width));
    const double full = std::ldexp(1, 8 * width);
    if (width == 1) return value / 128 - 1;
    if (value >= full / 2) value -= full;
    return value / (full / 2);
}

}  // namespace

void heed::fuzz::wav(std::string_view bytes) {
    course::Sound read;
    if (!accepts([&] { read = course::parse_wav(bytes, file); })) return;
    const std::string_view format = chunk_named(bytes, "fmt "), data = chunk_named(bytes, "data");
    const auto channels = little(format, 2, 2), width = little(format, 14, 2) / 8,
               code = little(format, 0, 2);
    const bool floating = (code == 0xFFFE ? little(format, 24, 2) : code) == 3;
    if (static_cast<std::uint64_t>(read.rate) != little(format, 4, 4)) wrong("the rate");
    if (read.samples.size() * channels * width != data.size()) wrong("the number of samples");
    for (std::size_t i = 0; i < read.samples.size(); ++i) {
        double mean = 0;
        for (std::size_t c = 0; c < channels; ++c)
            mean += sample(data, (i * channels + c) * width, static_cast<int>(width), floating) /
                    static_cast<double>(channels);
        if (!(std::abs(mean - read.samples[i]) <= 1.2e-7 * std::max(1.0, std::abs(mean))))
            wrong("a sample");
    }
}
