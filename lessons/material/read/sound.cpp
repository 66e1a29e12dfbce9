#include "lessons/material/read/sound.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sndfile.hh>

namespace heed::course {
namespace {

// Bytes in memory as a file of libsndfile.
struct Memory {
    std::string_view bytes;
    std::size_t at = 0;

    static Memory& of(void* memory) { return *static_cast<Memory*>(memory); }
};

SF_VIRTUAL_IO memory_io() {
    SF_VIRTUAL_IO io{};
    io.get_filelen = [](void* m) { return static_cast<sf_count_t>(Memory::of(m).bytes.size()); };
    io.tell = [](void* m) { return static_cast<sf_count_t>(Memory::of(m).at); };
    io.seek = [](sf_count_t offset, int whence, void* m) {
        Memory& memory = Memory::of(m);
        const auto size = static_cast<sf_count_t>(memory.bytes.size());
        const sf_count_t start = whence == SEEK_SET   ? 0
                                 : whence == SEEK_CUR ? static_cast<sf_count_t>(memory.at)
                                                      : size;
        const sf_count_t to = std::clamp(offset, -start, size - start) + start;
        memory.at = static_cast<std::size_t>(to);
        return to;
    };
    io.read = [](void* to, sf_count_t most, void* m) {
        Memory& memory = Memory::of(m);
        const std::string_view next =
            memory.bytes.substr(memory.at, static_cast<std::size_t>(most));
        std::memcpy(to, next.data(), next.size());
        memory.at += next.size();
        return static_cast<sf_count_t>(next.size());
    };
    io.write = [](const void*, sf_count_t, void*) { return sf_count_t{0}; };
    return io;
}

// A WAV file says after its first four bytes how long the rest is, and libsndfile reads what is there.
// The byte that makes a chunk even may be missing at the end.
void check_complete(std::string_view bytes, const std::string& name) {
    std::size_t said = 0;
    for (std::size_t i = 8; i-- > 4;) said = said << 8 | static_cast<unsigned char>(bytes[i]);
    const std::size_t rest = bytes.size() - 8;
    if (said != rest && !(said % 2 == 1 && said == rest - 1))
        throw InputError(
            fmt::format("{}: byte 4: expected the size of the rest of the file, {}, found {}", name,
                        rest, said));
}

}  // namespace

Sound parse_sound(std::string_view bytes, const std::string& name, std::size_t most) {
    const auto expect = [&](bool holds, const std::string& what, const auto& found) {
        if (!holds) throw InputError(fmt::format("{}: expected {}, found {}", name, what, found));
    };
    const std::string_view kind = bytes.substr(0, 4);
    expect(bytes.size() >= 8 && (kind == "RIFF" || kind == "fLaC" || kind == "OggS"),
           "a WAV, FLAC or Ogg file", "one that begins with '" + excerpt(kind) + "'");
    if (kind == "RIFF") check_complete(bytes, name);

    Memory memory{bytes};
    SF_VIRTUAL_IO io = memory_io();
    SndfileHandle file(io, &memory);
    const auto check_error = [&] {
        if (file.error() != SF_ERR_NO_ERROR)
            throw InputError(fmt::format("{}: not a sound that libsndfile reads: {}", name,
                                         excerpt(file.strError())));
    };
    check_error();
    const int channels = file.channels(), rate = file.samplerate();
    expect(channels == 1 || channels == 2, "1 or 2 channels", channels);
    expect(rate >= 1 && rate <= 1'000'000, "a rate from 1 to 1000000 samples per second", rate);

    // What a file says about its length counts only afterwards.
    Sound sound{rate, {}};
    constexpr sf_count_t block = 4096;
    std::vector<float> samples(static_cast<std::size_t>(block * channels));
    while (const sf_count_t count = file.readf(samples.data(), block)) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const float sample =
                channels == 1 ? samples[i] : samples[2 * i] / 2 + samples[2 * i + 1] / 2;
            expect(std::isfinite(sample), "finite numbers", sample);
            sound.samples.push_back(sample);
        }
        expect(sound.samples.size() <= most, fmt::format("at most {} samples", most), "more");
    }
    check_error();
    expect(!sound.samples.empty(), "samples", "none");
    expect(static_cast<sf_count_t>(sound.samples.size()) == file.frames(),
           fmt::format("{} samples", file.frames()), sound.samples.size());
    return sound;
}

Sound read_sound(const std::string& path) { return parse_sound(read_file(path, most_sound), path); }

std::vector<SpokenDigit> read_spoken_digits(const std::string& folder) {
    namespace fs = std::filesystem;
    check(fs::is_directory(folder), "{}: expected a folder of recordings", folder);
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path kind = entry.path().extension();
        if (kind == ".wav" || kind == ".flac" || kind == ".ogg") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());

    std::vector<SpokenDigit> digits;
    for (const fs::path& path : paths) {
        const std::string name = path.stem().string(), whole = path.string();
        const std::size_t first = name.find('_'), last = name.rfind('_');
        check(first == 1 && last > 2 && name[0] >= '0' && name[0] <= '9',
              "{}: expected a name such as 7_jackson_12.wav: digit, speaker, number",
              whole.c_str());
        const Sound sound = read_sound(whole);
        check(sound.rate >= 8000, "{}: {} samples a second; expected at least 8000", whole.c_str(),
              sound.rate);
        digits.push_back({whole, name.substr(2, last - 2), name[0] - '0', sound});
    }
    return digits;
}

}  // namespace heed::course
