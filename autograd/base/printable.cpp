#include "autograd/base/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/base/utf8.h"

namespace heed {
namespace {

struct Range {
    char32_t first, last;
};

// Control characters (C0, DEL, C1); the marks of the bidirectional algorithm (Unicode Standard
// Annex 9); the two line separators; the byte order mark, annotations and tags, which nobody sees.
constexpr Range unprintable[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200E, 0x200F},   {0x2028, 0x202E},
    {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

std::string escape_of(char32_t point) {
    if (point == '\n') return "\\n";
    if (point == '\t') return "\\t";
    if (point == '\r') return "\\r";
    const auto number = static_cast<unsigned>(point);
    if (number < 0x80) return fmt::format("\\x{:02X}", number);
    return number < 0x10000 ? fmt::format("\\u{:04X}", number) : fmt::format("\\U{:08X}", number);
}

// Cut inside a character, its bytes would be shown as invalid; so the cut moves to its start.
std::size_t start_of_character(std::string_view text, std::size_t at) {
    for (int back = 0; back < 3 && at > 0 && at < text.size(); ++back, --at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) break;
    return at;
}

}  // namespace

bool is_printable(char32_t point) {
    if (point < 0x7F) return point >= 0x20;
    return std::none_of(std::begin(unprintable), std::end(unprintable),
                        [&](Range r) { return r.first <= point && point <= r.last; });
}

std::string escaped(std::string_view text, bool lines, std::size_t most) {
    if (text.size() > most) {
        const std::size_t head = start_of_character(text, most / 4 * 3);
        const std::size_t tail = start_of_character(text, text.size() - most / 4);
        return escaped(text.substr(0, head), lines, most) +
               fmt::format(" ... ({} bytes left out) ... ", tail - head) +
               escaped(text.substr(tail), lines, most);
    }
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        std::size_t plain = 0;  // nearly all text is plain ASCII
        while (plain < text.size() && text[plain] >= 0x20 && text[plain] < 0x7F) ++plain;
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;

        const Utf8Point point = utf8_first(text);
        const auto bytes = static_cast<std::size_t>(std::max(point.bytes, 1));
        if (point.bytes == 0)
            out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
        else if (is_printable(point.value) || (lines && point.value == '\n'))
            out += text.substr(0, bytes);
        else
            out += escape_of(point.value);
        text.remove_prefix(bytes);
    }
    return out;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most) return escaped(text);
    return escaped(text.substr(0, start_of_character(text, most))) + "...";
}

}  // namespace heed
