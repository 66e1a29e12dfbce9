#include "lessons/course/read/text_data.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "nn/data/utf8.h"

namespace heed::course {
namespace {

void check_text(const std::string& path, std::size_t number, std::string_view line) {
    const std::size_t bad = utf8_invalid_at(line);
    if (bad != std::string_view::npos) {
        bad_line(path, number,
                 fmt::format("expected UTF-8 text, found byte 0x{:02X} at column {}",
                             static_cast<unsigned char>(line[bad]), bad + 1));
    }
    const std::size_t nul = line.find('\0');
    if (nul != std::string_view::npos)
        bad_line(path, number,
                 fmt::format("expected text, found a NUL byte at column {}", nul + 1));
}

bool blank(std::string_view text) {
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

void bad_line(const std::string& path, std::size_t line, const std::string& message) {
    throw InputError(fmt::format("{}: line {}: {}", path, line, message));
}

std::string read_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw InputError(fmt::format("{}: expected a file, found a folder", path));
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) throw InputError(fmt::format("{}: cannot be read to its end", path));
    return bytes;
}

std::vector<std::string> read_lines(const std::string& path) {
    const std::string bytes = read_file(path);
    std::string_view rest = bytes;
    if (rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF"))
        bad_line(path, 1, "expected UTF-8 text, found UTF-16; save the file as UTF-8");
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    if (rest.empty()) throw InputError(fmt::format("{}: expected lines of text, found none", path));

    std::vector<std::string> lines;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        check_text(path, lines.size() + 1, line);
        lines.emplace_back(line);
    }
    return lines;
}

std::vector<TextPair> read_pairs(const std::string& path) {
    std::vector<std::string> lines = read_lines(path);
    while (!lines.empty() && blank(lines.back())) lines.pop_back();
    if (lines.empty())
        throw InputError(fmt::format("{}: expected lines of source<TAB>target, found none", path));

    std::vector<TextPair> pairs;
    pairs.reserve(lines.size());
    for (const std::string& line : lines) {
        const std::size_t number = pairs.size() + 1, tab = line.find('\t');
        check_line(!line.empty(), path, number, "expected source<TAB>target, found an empty line");
        check_line(tab != std::string::npos, path, number,
                   "expected source<TAB>target, found no tab");
        const auto tabs = std::count(line.begin(), line.end(), '\t');
        check_line(tabs == 1, path, number, "expected source<TAB>target, found {} tabs", tabs);
        TextPair pair{line.substr(0, tab), line.substr(tab + 1)};
        check_line(!blank(pair.source), path, number,
                   "expected source<TAB>target, found nothing before the tab");
        check_line(!blank(pair.target), path, number,
                   "expected source<TAB>target, found nothing after the tab");
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

}  // namespace heed::course
