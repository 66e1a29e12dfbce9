#include "autograd/base/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "autograd/base/files.h"

namespace heed {

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 10'000) return fmt::format("{} bytes", bytes);
    double size = static_cast<double>(bytes) / 1024;
    const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; size >= 1024 && unit < 3; ++unit) size /= 1024;
    return fmt::format("{:.4g} {}", size, units[unit]);
}

std::string shell_word(std::string_view name) {
    std::string word = "'";
    for (const char c : name) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string read_file(const std::string& path, std::uint64_t most) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        throw InputError(fmt::format("{}: expected a file, found a folder", path));
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file)
        throw InputError(fmt::format("{}: cannot be opened: {}", path, reason_of_system(errno)));

    // A regular file says how large it is. A pipe or a device does not, and may have no end.
    std::uint64_t size = 0;
    if (fs::is_regular_file(path, ignored)) size = fs::file_size(path, ignored);
    if (ignored) size = 0;
    if (size > most)
        throw InputError(fmt::format("{}: expected a file of at most {}, found {}", path,
                                     bytes_text(most), bytes_text(size)));
    std::string bytes;
    std::size_t chunk = static_cast<std::size_t>(size) + 1;  // one more: then the end is seen
    for (;;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + chunk);
        const std::size_t count = std::fread(bytes.data() + before, 1, chunk, file.get());
        bytes.resize(before + count);
        if (std::ferror(file.get()))
            throw InputError(
                fmt::format("{}: cannot be read to its end: {}", path, reason_of_system(errno)));
        if (bytes.size() > most)
            throw InputError(
                fmt::format("{}: expected at most {}, found more", path, bytes_text(most)));
        if (count < chunk) return bytes;
        chunk = std::clamp<std::size_t>(bytes.size(), 1 << 16, 1 << 26);
        chunk = static_cast<std::size_t>(std::min<std::uint64_t>(chunk, most - bytes.size() + 1));
    }
}

std::string read_regular_file(const std::string& path, std::uint64_t most) {
    if (const std::string_view kind = kind_of_file(path); kind != "a file" && kind != "nothing")
        throw InputError(fmt::format("{}: expected a file, found {}", path, kind));
    return read_file(path, most);
}

}  // namespace heed
