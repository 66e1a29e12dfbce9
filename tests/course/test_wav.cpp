// WAV files, valid and malformed. Errors name the file and the byte and say what was expected.
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/material/read/wav.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using namespace heed::course;

namespace {

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 255);
    return text;
}

std::string chunk(const std::string& letters, const std::string& bytes) {
    return letters + little(bytes.size(), 4) + bytes + std::string(bytes.size() % 2, '\0');
}

std::string format(unsigned code, unsigned channels, unsigned rate, unsigned bits) {
    const unsigned block = channels * bits / 8;
    return little(code, 2) + little(channels, 2) + little(rate, 4) + little(rate * block, 4) +
           little(block, 2) + little(bits, 2);
}

// The format with its code in an identifier, after the number of valid bits.
std::string extensible(unsigned code, unsigned channels, unsigned bits, unsigned valid) {
    return format(0xFFFE, channels, 8000, bits) + little(22, 2) + little(valid, 2) + little(0, 4) +
           little(code, 2) + std::string("\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71", 14);
}

std::string riff(const std::string& chunks) {
    return "RIFF" + little(chunks.size() + 4, 4) + "WAVE" + chunks;
}

std::string wav(const std::string& fmt, const std::string& data) {
    return riff(chunk("fmt ", fmt) + chunk("data", data));
}

std::vector<double> samples(const std::string& bytes) {
    const Sound sound = parse_wav(bytes, "a.wav");
    CHECK(sound.rate == 8000);
    return {sound.samples.begin(), sound.samples.end()};
}

std::string complaint_about_wav(const std::string& bytes) {
    return error_of([&] { parse_wav(bytes, "a.wav"); });
}

// Each of the numbers in so many little-endian bytes.
std::string numbers(const std::vector<std::int64_t>& values, int bytes) {
    std::string text;
    for (const std::int64_t value : values)
        text += little(static_cast<std::uint64_t>(value), bytes);
    return text;
}

std::string floats(const std::vector<float>& values) {
    std::string text;
    for (const float value : values) text += little(std::bit_cast<std::uint32_t>(value), 4);
    return text;
}

const std::string mono = format(1, 1, 8000, 16), two = numbers({1, 2}, 2);

}  // namespace

TEST_CASE("wav: PCM of every width, and floats", "[data]") {
    const std::vector<double> expected{0, 0.5, -0.5, -1};
    CHECK(samples(wav(format(1, 1, 8000, 8), numbers({128, 192, 64, 0}, 1))) == expected);
    CHECK(samples(wav(mono, numbers({0, 1 << 14, -(1 << 14), -(1 << 15)}, 2))) == expected);
    CHECK(samples(wav(format(1, 1, 8000, 24), numbers({0, 1 << 22, -(1 << 22), -(1 << 23)}, 3))) ==
          expected);
    CHECK(samples(wav(format(1, 1, 8000, 32),
                      numbers({0, 1 << 30, -(1 << 30), -(std::int64_t{1} << 31)}, 4))) == expected);
    CHECK(samples(wav(format(3, 1, 8000, 32), floats({0, 0.5, -0.5, -1}))) == expected);
    CHECK(samples(wav(mono, numbers({32767}, 2)))[0] == 32767.0 / 32768);
    CHECK(samples(wav(format(1, 1, 8000, 24), numbers({1}, 3)))[0] == 0x1p-23);
    CHECK(samples(wav(format(3, 1, 8000, 32), floats({2.5f})))[0] == 2.5);  // not clipped
}

TEST_CASE("wav: stereo is averaged, the extensible format is read", "[data]") {
    const std::vector<double> expected{0.25, -0.75};
    CHECK(samples(wav(format(1, 2, 8000, 16), numbers({1 << 14, 0, -(1 << 15), -(1 << 14)}, 2))) ==
          expected);
    CHECK(samples(wav(extensible(1, 2, 16, 16),
                      numbers({1 << 14, 0, -(1 << 15), -(1 << 14)}, 2))) == expected);
    CHECK(samples(wav(extensible(3, 2, 32, 32), floats({0.5, 0, -1, -0.5}))) == expected);
    CHECK(samples(wav(extensible(1, 1, 24, 20), numbers({1 << 21, -(3 << 21)}, 3))) == expected);
}

TEST_CASE("wav: chunks in any order, with others between them", "[data]") {
    const std::string data = chunk("data", two), fmt = chunk("fmt ", mono);
    const std::vector<double> expected{0x1p-15, 0x1p-14};
    CHECK(samples(riff(data + fmt)) == expected);
    CHECK(samples(riff(chunk("LIST", "odd") + fmt + chunk("fact", "four") + data +
                       chunk("id3 ", ""))) == expected);
    // The byte of padding at the very end may be missing, or not counted.
    const std::string odd = wav(format(1, 1, 8000, 8), "abc");
    CHECK(samples(odd).size() == 3);
    std::string bare = odd.substr(0, odd.size() - 1);
    bare.replace(4, 4, little(bare.size() - 8, 4));
    CHECK(samples(bare).size() == 3);
    std::string uncounted = odd;
    uncounted.replace(4, 4, little(odd.size() - 9, 4));
    CHECK(samples(uncounted).size() == 3);
}

TEST_CASE("wav: errors name the byte and say what was expected", "[data][errors]") {
    const auto with = [](const std::string& fmt) { return complaint_about_wav(wav(fmt, two)); };
    CHECK(complaint_about_wav("") ==
          "a.wav: byte 0: expected the header of a WAV file, found the end of the file");
    CHECK(complaint_about_wav("RIFX0000WAVE") == "a.wav: byte 0: expected RIFF, found 'RIFX'");
    CHECK(complaint_about_wav("RIFF0000AVI ") == "a.wav: byte 8: expected WAVE, found 'AVI '");
    const std::string good = wav(mono, two);
    for (std::size_t length = 0; length < good.size(); ++length)
        CHECK(complaint_about_wav(good.substr(0, length)).starts_with("a.wav: byte "));
    CHECK(complaint_about_wav(good + "junk") ==
          "a.wav: byte 4: expected the size of the rest of the file, 44, found 40");
    CHECK(complaint_about_wav(riff(chunk("fmt ", mono) + "data" + little(0xFFFFFFFF, 4) + two)) ==
          "a.wav: byte 40: expected the size of the chunk 'data', at most the 4 bytes left, found "
          "4294967295");
    CHECK(complaint_about_wav(riff(chunk("fmt ", mono) + "data")) ==
          "a.wav: byte 36: expected a chunk or the end of the file, found 4 bytes");
    CHECK(complaint_about_wav(riff(chunk("fmt ", mono))) ==
          "a.wav: byte 36: expected a chunk 'data', found none");
    CHECK(complaint_about_wav(riff(chunk("data", two))) ==
          "a.wav: byte 24: expected a chunk 'fmt ', found none");
    CHECK(
        complaint_about_wav(riff(chunk("fmt ", mono) + chunk("data", two) + chunk("data", two))) ==
        "a.wav: byte 48: expected one chunk 'data', found a second one");
    CHECK(with(format(1, 6, 8000, 16)) == "a.wav: byte 22: expected 1 or 2 channels, found 6");
    CHECK(with(format(1, 0, 8000, 16)) == "a.wav: byte 22: expected 1 or 2 channels, found 0");
    CHECK(with(format(2, 1, 8000, 16)) ==
          "a.wav: byte 20: expected format 1 (PCM) or 3 (float), found 2");
    CHECK(with(format(1, 1, 0, 16)) ==
          "a.wav: byte 24: expected a rate from 1 to 1000000 samples per second, found 0");
    CHECK(with(format(1, 1, 8000, 12)) ==
          "a.wav: byte 34: expected 8, 16, 24 or 32 bits a sample, found 12");
    CHECK(with(format(3, 1, 8000, 64)) == "a.wav: byte 34: expected 32 bits a sample, found 64");
    CHECK(with(mono.substr(0, 12) + little(4, 2) + little(16, 2)) ==
          "a.wav: byte 32: expected 2 bytes for a sample of all channels, found 4");
    CHECK(with(mono.substr(0, 8) + little(1, 4) + mono.substr(12)) ==
          "a.wav: byte 28: expected 16000 bytes per second, found 1");
    CHECK(with(mono.substr(0, 14)) ==
          "a.wav: byte 16: expected a chunk 'fmt ' of 16 bytes or more, found 14");
    CHECK(with(format(0xFFFE, 1, 8000, 16)) ==
          "a.wav: byte 16: expected an extensible chunk 'fmt ' of 40 bytes or more, found 16");
    CHECK(with(extensible(7, 1, 16, 16)) ==
          "a.wav: byte 44: expected format 1 (PCM) or 3 (float), found 7");
    CHECK(with(extensible(1, 1, 16, 17)) ==
          "a.wav: byte 38: expected 1 to 16 valid bits a sample, found 17");
    std::string other = extensible(1, 1, 16, 16);
    other.back() = 'x';
    CHECK(with(other) ==
          "a.wav: byte 46: expected the identifier of PCM or float samples, found another one");
    CHECK(complaint_about_wav(wav(mono, "")) ==
          "a.wav: byte 40: expected samples of 2 bytes each, found 0 bytes");
    CHECK(complaint_about_wav(wav(mono, "abc")) ==
          "a.wav: byte 40: expected samples of 2 bytes each, found 3 bytes");
    CHECK(complaint_about_wav(wav(format(3, 1, 8000, 32), floats({1, std::nanf("")}))) ==
          "a.wav: byte 48: expected a finite number, found nan");
    CHECK_THROWS_AS(read_wav("/no/such.wav"), InputError);
}
