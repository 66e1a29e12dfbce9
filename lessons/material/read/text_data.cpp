#include "lessons/material/read/text_data.h"

#include <algorithm>

#include "autograd/base/utf8.h"

namespace heed::course {
namespace {

bool blank(std::string_view text, std::string_view blanks) {
    return text.find_first_not_of(blanks) == std::string_view::npos;
}

// The encoding that a byte order mark shows, or zero bytes where text has none; empty if neither.
std::string_view wide_encoding(std::string_view bytes) {
    if (bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4))) return "UTF-32";
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return "UTF-16";
    if (bytes.size() < 4) return "";
    const std::string_view start = bytes.substr(0, std::min<std::size_t>(bytes.size(), 64) / 2 * 2);
    std::size_t even = 0, odd = 0;
    for (std::size_t i = 0; i < start.size(); ++i) (i % 2 == 0 ? even : odd) += start[i] == '\0';
    if (even == 0 && odd == start.size() / 2) return "UTF-16LE";
    if (odd == 0 && even == start.size() / 2) return "UTF-16BE";
    return "";
}

}  // namespace

void bad_line(const std::string& name, std::size_t line, const std::string& message) {
    throw InputError(fmt::format("{}: line {}: {}", name, line, message));
}

std::string conversion_hint(const std::string& name, std::string_view encoding) {
    return fmt::format("; to convert it, for example: iconv -f {} -t UTF-8 {} > {}", encoding,
                       shell_word(name), shell_word(name + ".utf8"));
}

// --- lines ----------------------------------------------------------------------------------------

Lines::Lines(std::string_view bytes, const std::string& name, bool check_utf8)
    : rest_(bytes), name_(name), check_utf8_(check_utf8) {
    if (const std::string_view wide = wide_encoding(bytes); !wide.empty())
        bad_line(name, 1,
                 fmt::format("expected UTF-8 text, found {}{}", wide, conversion_hint(name, wide)));
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool Lines::next() {
    if (rest_.empty()) return false;
    after_ = rest_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    if (check_utf8_) check_text();
    return true;
}

bool Lines::rest_is_blank() const { return blank(after_, " \t\r\n"); }

void Lines::check_text() const {
    const std::size_t bad = utf8_invalid_at(line_);
    if (bad != std::string_view::npos)
        bad_line(
            name_, number_,
            fmt::format("expected UTF-8 text, found byte 0x{:02X} at column {}{}",
                        static_cast<unsigned char>(line_[bad]), bad + 1, conversion_hint(name_)));
    const std::size_t nul = line_.find('\0');
    if (nul != std::string_view::npos)
        bad_line(name_, number_,
                 fmt::format("expected text, found a NUL byte at column {}", nul + 1));
}

std::vector<std::string> parse_lines(std::string_view bytes, const std::string& name) {
    std::vector<std::string> lines;
    for (Lines each(bytes, name); each.next();) lines.emplace_back(each.line());
    if (lines.empty())
        throw InputError(fmt::format("{}: expected lines of text, found none", name));
    return lines;
}

std::string parse_text(std::string_view bytes, const std::string& name) {
    std::string text;
    text.reserve(bytes.size() + 1);
    for (Lines each(bytes, name); each.next();) {
        text += each.line();
        text += '\n';
    }
    if (text.empty()) throw InputError(fmt::format("{}: expected lines of text, found none", name));
    return text;
}

std::vector<TextPair> parse_pairs(std::string_view bytes, const std::string& name) {
    std::vector<TextPair> pairs;
    for (Lines each(bytes, name); each.next();) {
        const std::string_view line = each.line();
        const std::size_t number = each.number(), tab = line.find('\t');
        if (blank(line, " \t") && each.rest_is_blank()) break;
        check_line(!line.empty(), name, number, "expected source<TAB>target, found an empty line");
        check_line(tab != std::string::npos, name, number,
                   "expected source<TAB>target, found no tab");
        const auto tabs = std::count(line.begin(), line.end(), '\t');
        check_line(tabs == 1, name, number, "expected source<TAB>target, found {} tabs", tabs);
        const std::string_view source = line.substr(0, tab), target = line.substr(tab + 1);
        check_line(!blank(source, " \t"), name, number,
                   "expected source<TAB>target, found nothing before the tab");
        check_line(!blank(target, " \t"), name, number,
                   "expected source<TAB>target, found nothing after the tab");
        pairs.push_back({std::string(source), std::string(target)});
    }
    if (pairs.empty())
        throw InputError(fmt::format("{}: expected lines of source<TAB>target, found none", name));
    return pairs;
}

// --- files ----------------------------------------------------------------------------------------

std::vector<std::string> read_lines(const std::string& path) {
    return parse_lines(read_file(path, most_text), path);
}

std::string read_text(const std::string& path) {
    return parse_text(read_file(path, most_text), path);
}

std::vector<TextPair> read_pairs(const std::string& path) {
    return parse_pairs(read_file(path, most_text), path);
}

}  // namespace heed::course
