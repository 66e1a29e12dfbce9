#include "lessons/material/read/wav.h"

#include <cmath>
#include <optional>

#include "autograd/base/bit_cast.h"

namespace heed::course {
namespace {

// The bytes of the file, and errors that name it.
struct File {
    std::string_view bytes;
    const std::string& name;

    template <class... Args>
    void check_byte(bool holds, std::size_t byte, fmt::format_string<Args...> message,
                    Args&&... args) const {
        if (holds) return;
        throw InputError(fmt::format("{}: byte {}: {}", name, byte,
                                     fmt::format(message, std::forward<Args>(args)...)));
    }

    // A little-endian number of `count` bytes.
    std::uint32_t number(std::size_t at, std::size_t count) const {
        std::uint32_t value = 0;
        for (std::size_t i = count; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
        return value;
    }
};

struct Chunk {
    std::size_t begin, size;  // of its bytes, after letters and size
};

// How the numbers are written: the chunk "fmt ".
struct Format {
    bool floating = false;
    std::size_t channels = 0, bytes = 0;  // bytes of one number
    int rate = 0;
};

Format parse_format(const File& file, Chunk chunk) {
    const std::size_t at = chunk.begin;
    file.check_byte(chunk.size >= 16, at - 4,
                    "expected a chunk 'fmt ' of 16 bytes or more, found {}", chunk.size);
    constexpr std::uint32_t pcm = 1, float_format = 3, extensible = 0xFFFE;
    std::uint32_t code = file.number(at, 2);
    std::size_t code_at = at;
    const std::uint32_t channels = file.number(at + 2, 2), rate = file.number(at + 4, 4),
                        byte_rate = file.number(at + 8, 4), block = file.number(at + 12, 2),
                        bits = file.number(at + 14, 2);

    // In the extensible format the code is the start of an identifier whose rest is always the same.
    if (code == extensible) {
        file.check_byte(chunk.size >= 40, at - 4,
                        "expected an extensible chunk 'fmt ' of 40 bytes or more, found {}",
                        chunk.size);
        code_at = at + 24;
        code = file.number(code_at, 2);
        constexpr std::string_view rest("\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71", 14);
        file.check_byte(file.bytes.substr(at + 26, 14) == rest, at + 26,
                        "expected the identifier of PCM or float samples, found another one");
        const std::uint32_t valid = file.number(at + 18, 2);
        file.check_byte(valid >= 1 && valid <= bits, at + 18,
                        "expected 1 to {} valid bits a sample, found {}", bits, valid);
    }
    file.check_byte(code == pcm || code == float_format, code_at,
                    "expected format 1 (PCM) or 3 (float), found {}", code);
    file.check_byte(channels == 1 || channels == 2, at + 2, "expected 1 or 2 channels, found {}",
                    channels);
    file.check_byte(rate >= 1 && rate <= 1'000'000, at + 4,
                    "expected a rate from 1 to 1000000 samples per second, found {}", rate);
    const bool floating = code == float_format;
    const bool known = floating ? bits == 32 : bits == 8 || bits == 16 || bits == 24 || bits == 32;
    file.check_byte(known, at + 14, "expected {} bits a sample, found {}",
                    floating ? "32" : "8, 16, 24 or 32", bits);
    file.check_byte(block == channels * bits / 8, at + 12,
                    "expected {} bytes for a sample of all channels, found {}", channels * bits / 8,
                    block);
    file.check_byte(byte_rate == rate * block, at + 8, "expected {} bytes per second, found {}",
                    rate * block, byte_rate);
    return {floating, channels, bits / 8, static_cast<int>(rate)};
}

float sample_at(const File& file, std::size_t at, const Format& format) {
    const std::uint32_t bits = file.number(at, format.bytes);
    if (format.floating) {
        const float value = bit_cast<float>(bits);
        file.check_byte(std::isfinite(value), at, "expected a finite number, found {}", value);
        return value;
    }
    if (format.bytes == 1) return (static_cast<float>(bits) - 128) / 128;  // 8 bits have no sign
    const auto unused = static_cast<int>(32 - 8 * format.bytes);
    return static_cast<float>(static_cast<std::int32_t>(bits << unused)) * 0x1p-31f;
}

}  // namespace

Sound parse_wav(std::string_view bytes, const std::string& name) {
    const File file{bytes, name};
    file.check_byte(bytes.size() >= 12, bytes.size(),
                    "expected the header of a WAV file, found the end of the file");
    file.check_byte(bytes.starts_with("RIFF"), 0, "expected RIFF, found '{}'",
                    excerpt(bytes.substr(0, 4)));
    file.check_byte(bytes.substr(8, 4) == "WAVE", 8, "expected WAVE, found '{}'",
                    excerpt(bytes.substr(8, 4)));
    const std::size_t all = file.number(4, 4);
    file.check_byte(all == bytes.size() - 8 || (all % 2 == 1 && all == bytes.size() - 9), 4,
                    "expected the size of the rest of the file, {}, found {}", bytes.size() - 8,
                    all);

    // The chunks may come in any order, so the format may stand after the data.
    std::optional<Chunk> format_chunk, data;
    for (std::size_t at = 12; at < bytes.size();) {
        file.check_byte(bytes.size() - at >= 8, at,
                        "expected a chunk or the end of the file, found {} bytes",
                        bytes.size() - at);
        const std::string_view letters = bytes.substr(at, 4);
        const std::size_t size = file.number(at + 4, 4), left = bytes.size() - at - 8;
        file.check_byte(size <= left, at + 4,
                        "expected the size of the chunk '{}', at most the {} bytes left, found {}",
                        excerpt(letters), left, size);
        std::optional<Chunk>* const known = letters == "fmt "   ? &format_chunk
                                            : letters == "data" ? &data
                                                                : nullptr;
        if (known) {
            file.check_byte(!known->has_value(), at, "expected one chunk '{}', found a second one",
                            letters);
            *known = Chunk{at + 8, size};
        }
        at += 8 + size;
        if (size % 2 == 1 && at < bytes.size()) ++at;
    }
    file.check_byte(format_chunk.has_value(), bytes.size(), "expected a chunk 'fmt ', found none");
    file.check_byte(data.has_value(), bytes.size(), "expected a chunk 'data', found none");
    const Format format = parse_format(file, *format_chunk);
    const std::size_t block = format.channels * format.bytes;
    file.check_byte(data->size > 0 && data->size % block == 0, data->begin - 4,
                    "expected samples of {} bytes each, found {} bytes", block, data->size);

    Sound sound{format.rate, std::vector<float>(data->size / block)};
    std::size_t at = data->begin;
    for (float& sample : sound.samples) {
        float sum = 0;
        for (std::size_t channel = 0; channel < format.channels; ++channel, at += format.bytes)
            sum += sample_at(file, at, format) / static_cast<float>(format.channels);
        sample = sum;
    }
    return sound;
}

Sound read_wav(const std::string& path) { return parse_wav(read_file(path, most_wav), path); }

}  // namespace heed::course
