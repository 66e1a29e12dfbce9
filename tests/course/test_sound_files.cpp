// Files of sound, valid and malformed. Errors name the file and say what was expected.
#include <bit>
#include <cmath>
#include <numbers>
#include <sndfile.hh>
#include <string>
#include <vector>

#include "lessons/material/read/sound.h"
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
    const Sound sound = parse_sound(bytes, "a.wav");
    CHECK(sound.rate == 8000);
    return {sound.samples.begin(), sound.samples.end()};
}

std::string complaint_about_sound(const std::string& bytes) {
    return error_of([&] { parse_sound(bytes, "a.wav"); });
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

TEST_CASE("wav: other chunks are skipped", "[data]") {
    const std::string data = chunk("data", two), fmt = chunk("fmt ", mono);
    CHECK(samples(riff(chunk("LIST", "odd") + fmt + chunk("fact", "four") + data +
                       chunk("id3 ", ""))) == std::vector<double>{0x1p-15, 0x1p-14});
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

TEST_CASE("wav: errors name the file and say what was expected", "[data][errors]") {
    const auto with = [](const std::string& fmt) { return complaint_about_sound(wav(fmt, two)); };
    CHECK(complaint_about_sound("") ==
          "a.wav: expected a WAV, FLAC or Ogg file, found one that begins with ''");
    CHECK(complaint_about_sound("RIFX0000WAVE") ==
          "a.wav: expected a WAV, FLAC or Ogg file, found one that begins with 'RIFX'");
    const std::string good = wav(mono, two);
    for (std::size_t length = 8; length < good.size(); ++length)
        CHECK(complaint_about_sound(good.substr(0, length)) ==
              "a.wav: byte 4: expected the size of the rest of the file, " +
                  std::to_string(length - 8) + ", found 40");
    CHECK(complaint_about_sound(good + "junk") ==
          "a.wav: byte 4: expected the size of the rest of the file, 44, found 40");
    CHECK(complaint_about_sound(riff(chunk("fmt ", mono))) ==
          "a.wav: not a sound that libsndfile reads: Error in WAV file. No 'data' chunk marker.");
    CHECK(with(format(1, 6, 8000, 16)) == "a.wav: expected 1 or 2 channels, found 6");
    CHECK(with(format(1, 1, 2'000'000, 16)) ==
          "a.wav: expected a rate from 1 to 1000000 samples per second, found 2000000");
    for (const std::string& broken :
         {format(1, 0, 8000, 16), format(1, 1, 0, 16), format(99, 1, 8000, 16), mono.substr(0, 14),
          format(0xFFFE, 1, 8000, 16)})
        CHECK(with(broken).starts_with("a.wav: not a sound that libsndfile reads: "));
    CHECK(complaint_about_sound(wav(mono, "")) == "a.wav: expected samples, found none");
    CHECK(complaint_about_sound(wav(format(3, 1, 8000, 32), floats({1, std::nanf("")}))) ==
          "a.wav: expected finite numbers, found nan");
    CHECK_THROWS_AS(read_sound("/no/such.wav"), InputError);
    CHECK(error_of([&] { parse_sound(good, "a.wav", 1); }) ==
          "a.wav: expected at most 1 samples, found more");
}

namespace {

// Two tenths of a second of a tone, in a format of libsndfile.
std::vector<float> tone() {
    std::vector<float> samples;
    for (int n = 0; n < 1600; ++n)
        samples.push_back(0.5f * std::sin(2 * std::numbers::pi_v<float> * 440 * n / 8000));
    return samples;
}

std::string file_of_tone(const Scratch& scratch, const std::string& name, int format) {
    const std::string path = scratch.path + "/" + name;
    SndfileHandle file(path, SFM_WRITE, format, 1, 8000);
    const std::vector<float> samples = tone();
    REQUIRE(file.writef(samples.data(), 1600) == 1600);
    return path;
}

}  // namespace

TEST_CASE("flac and ogg are read as wav is, by their contents", "[data]") {
    const Scratch scratch;
    const std::string wav = file_of_tone(scratch, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16),
                      flac = file_of_tone(scratch, "b.wav", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
                      ogg = file_of_tone(scratch, "c.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS);
    const Sound expected = read_sound(wav);
    CHECK(expected.rate == 8000);
    CHECK(expected.samples.size() == 1600);
    CHECK(read_sound(flac).samples == expected.samples);
    const Sound lossy = read_sound(ogg);
    CHECK(lossy.rate == 8000);
    REQUIRE(lossy.samples.size() == 1600);
    double error = 0, power = 0;
    for (std::size_t i = 0; i < 1600; ++i) {
        error += std::pow(lossy.samples[i] - expected.samples[i], 2);
        power += std::pow(expected.samples[i], 2);
    }
    CHECK(error < 0.01 * power);
}

TEST_CASE("flac and ogg: a file that is cut off is refused", "[data][errors]") {
    const Scratch scratch;
    for (const int format : {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
        const std::string whole = read_file(file_of_tone(scratch, "whole", format));
        REQUIRE(parse_sound(whole, "a").samples.size() == 1600);
        for (std::size_t length = 0; length < whole.size(); length += 7) {
            INFO(format << ": " << length << " of " << whole.size() << " bytes");
            CHECK(error_of([&] { parse_sound(whole.substr(0, length), "a"); }).starts_with("a: "));
        }
    }
}

TEST_CASE("spoken digits: a folder of recordings whose names say what they are", "[data][errors]") {
    const Scratch scratch;
    const std::string wav = read_file(file_of_tone(scratch, "x", SF_FORMAT_WAV | SF_FORMAT_PCM_16));
    CHECK(error_of([] { read_spoken_digits("/no/such"); }) ==
          "/no/such: expected a folder of recordings");
    scratch.file("7_ann_2.wav", wav);
    scratch.file("3_bob_b_1.flac",
                 read_file(file_of_tone(scratch, "y", SF_FORMAT_FLAC | SF_FORMAT_PCM_16)));
    scratch.file("notes.txt", "not a recording");
    const std::vector<SpokenDigit> digits = read_spoken_digits(scratch.path);
    REQUIRE(digits.size() == 2);
    CHECK(digits[0].digit == 3);
    CHECK(digits[0].speaker == "bob_b");
    CHECK(digits[1].digit == 7);
    CHECK(digits[1].speaker == "ann");
    CHECK(digits[1].sound.samples.size() == 1600);
    const std::string slow = scratch.file("1_ann_1.wav", ::wav(format(1, 1, 4000, 16), two));
    CHECK(error_of([&] { read_spoken_digits(scratch.path); }) ==
          slow + ": 4000 samples a second; expected at least 8000");
    const std::string odd = scratch.file("0.wav", wav);
    CHECK(error_of([&] { read_spoken_digits(scratch.path); }) ==
          odd + ": expected a name such as 7_jackson_12.wav: digit, speaker, number");
}
