#include "lessons/course/terminal/text.h"

#include <fmt/format.h>
#ifdef __EMSCRIPTEN__
#include <wchar.h>
#else
#include <utf8proc.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "autograd/base/printable.h"
#include "autograd/base/utf8.h"

namespace heed::course {
namespace {

// The columns that a terminal gives to a character: 2 to East Asian wide ones, 0 to marks drawn over
// the character before them. The vowels and final consonants of decomposed Korean are such marks too.
// What is not printable is shown as U+FFFD. In a browser the C library has the table.
int point_width(char32_t point) {
    if (!is_printable(point)) return 1;
    if (point >= 0x1160 && point <= 0x11FF) return 0;
#ifdef __EMSCRIPTEN__
    return std::max(0, wcwidth(static_cast<wchar_t>(point)));
#else
    return utf8proc_charwidth(static_cast<utf8proc_int32_t>(point));
#endif
}

// A colour code is ESC [ ... m, with digits and semicolons. Returns its length in bytes when the text
// begins with one, else 0.
std::size_t colour_code(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

// The text with U+FFFD for everything that is neither printable nor a newline, nor (with `colours`)
// a colour code.
std::string cleaned(std::string_view text, bool colours) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t code = colours ? colour_code(text) : 0;
        const Utf8Point point = utf8_first(text);
        const bool keep =
            code > 0 || (point.bytes > 0 && (is_printable(point.value) || point.value == '\n'));
        const std::size_t bytes =
            code > 0 ? code : static_cast<std::size_t>(std::max(point.bytes, 1));
        out += keep ? text.substr(0, bytes) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(bytes);
    }
    return out;
}

// The next thing a terminal draws: its bytes (colour codes before it included) and its width.
struct Glyph {
    std::size_t bytes = 0;
    int width = 0;
};

Glyph next_glyph(std::string_view text) {
    Glyph glyph;
    while (std::size_t code = colour_code(text.substr(glyph.bytes))) glyph.bytes += code;
    if (glyph.bytes == text.size()) return glyph;
    const Utf8Point point = utf8_first(text.substr(glyph.bytes));
    glyph.width = point.bytes == 0 ? 1 : point_width(point.value);
    glyph.bytes += static_cast<std::size_t>(std::max(point.bytes, 1));
    return glyph;
}

// How many bytes of the text fit in `width` columns.
std::size_t bytes_within(std::string_view text, int width) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const Glyph glyph = next_glyph(text.substr(bytes));
        if (glyph.width > width) break;
        width -= glyph.width;
        bytes += glyph.bytes;
    }
    return bytes;
}

constexpr std::string_view end_of_colour = "\x1b[0m";

// Where a word that is wider than `width` columns is divided: after a sign between its parts, as in a path or
// a formula, if there is one in the second half of the line.
std::size_t first_part(std::string_view word, int width) {
    const std::size_t all = bytes_within(word, width);
    for (std::size_t end = all; end > all / 2; --end)
        if (std::string_view("/,;:=_-+*").find(word[end - 1]) != std::string_view::npos) return end;
    return all;
}

}  // namespace

int display_width(std::string_view text) {
    int width = 0;
    while (!text.empty()) {
        const Glyph glyph = next_glyph(text);
        width += glyph.width;
        text.remove_prefix(glyph.bytes);
    }
    return width;
}

std::string pad(std::string_view text, int width, Align align) {
    const int missing = std::max(0, width - display_width(text));
    const int left = align == Align::left ? 0 : align == Align::right ? missing : missing / 2;
    return fmt::format("{:{}}{}{:{}}", "", left, text, "", missing - left);
}

std::string shorten(std::string_view text, int width) {
    if (display_width(text) <= width) return std::string(text);
    return std::string(text.substr(0, bytes_within(text, width - 1))) + "…";
}

namespace {

// The end of a text, at most that wide.
std::string_view end_of(std::string_view text, int width) {
    while (display_width(text) > width) {
        std::size_t letter = 1;  // bytes
        while (letter < text.size() && (static_cast<unsigned char>(text[letter]) & 0xC0) == 0x80)
            ++letter;
        text.remove_prefix(letter);
    }
    return text;
}

std::string shorten_middle(std::string_view text, int width, int front) {
    if (display_width(text) <= width) return std::string(text);
    const std::string_view begin = text.substr(0, bytes_within(text, front));
    return fmt::format("{}…{}", begin, end_of(text, width - 1 - display_width(begin)));
}

}  // namespace

std::vector<std::string> shorten_apart(const std::vector<std::string>& names, int width) {
    const auto still_differ = [&](const std::vector<std::string>& cut) {
        std::map<std::string, std::string> whole;
        for (std::size_t i = 0; i < cut.size(); ++i)
            if (whole.emplace(cut[i], names[i]).first->second != names[i]) return false;
        return true;
    };
    for (const int front : {width - 1, width / 2, 0}) {
        std::vector<std::string> cut;
        for (const std::string& name : names) cut.push_back(shorten_middle(name, width, front));
        if (still_differ(cut)) return cut;
    }
    std::vector<std::string> numbered;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string number = fmt::format(" {}", i + 1);
        numbered.push_back(display_width(names[i]) <= width
                               ? names[i]
                               : shorten(names[i], width - display_width(number)) + number);
    }
    return numbered;
}

std::string wrap(std::string_view paragraph, int width, std::string_view indent) {
    const int room = std::max(8, width - display_width(indent));
    std::string out, line, colours;  // the colour codes that are in force at the end of the line
    int used = 0;                    // its columns
    const auto end_line = [&] {
        out += fmt::format("{}{}{}\n", indent, line, colours.empty() ? "" : end_of_colour);
        line = colours;
        used = 0;
    };
    const auto add = [&](std::string_view word) {
        line += word;
        used += display_width(word);
        for (std::size_t code = 0; !word.empty();
             word.remove_prefix(std::max<std::size_t>(code, 1))) {
            code = colour_code(word);
            if (code > 0 && word.starts_with(end_of_colour))
                colours.clear();
            else
                colours += word.substr(0, code);
        }
    };

    while (!paragraph.empty()) {
        const std::size_t start = paragraph.find_first_not_of(" \n");
        if (start == std::string_view::npos) break;
        paragraph.remove_prefix(start);
        std::string_view word = paragraph.substr(0, paragraph.find_first_of(" \n"));
        paragraph.remove_prefix(word.size());

        if (used > 0 && used + 1 + display_width(word) > room) end_line();
        for (; display_width(word) > room; end_line()) {
            const std::size_t bytes = first_part(word, room);
            add(word.substr(0, bytes));
            word.remove_prefix(bytes);
        }
        if (used > 0) add(" ");
        add(word);
    }
    if (used > 0) end_line();
    return out;
}

std::string fitted(std::string_view lines, int width) {
    std::string out;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        const bool ended = line.size() < lines.size();
        lines.remove_prefix(line.size() + ended);
        const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
        if (display_width(line) <= width || text == line.size()) {
            out += line;
            if (ended) out += '\n';
            continue;
        }

        // The columns are two blanks or more apart. If the second one has no room, it comes below.
        std::size_t second = line.find_first_not_of(' ', line.find("  ", text));
        if (second == std::string_view::npos) second = text;
        int left = display_width(line.substr(0, second));
        const bool below = left > 0.6 * width;
        if (below) {
            if (second > text)
                out += wrap(line.substr(text, second - text), width, line.substr(0, text));
            left = 6;
        } else {
            out += line.substr(0, second);
        }
        const std::string indent(static_cast<std::size_t>(left), ' ');
        out += wrap(line.substr(second), width, indent).substr(below ? 0 : indent.size());
        if (!ended) out.pop_back();
    }
    return out;
}

std::string list_line(std::string_view head, std::string_view name, int column,
                      std::string_view tail, int width) {
    const int left = display_width(head), room = width - left - display_width(tail);
    const auto with_tail = [&](const std::string& start, int start_width) {
        std::string line = pad(start, start_width).append(tail);
        line.erase(line.find_last_not_of(' ') + 1);
        return line + "\n";
    };
    if (display_width(name) <= room)
        return with_tail(fmt::format("{}{}", head, name), left + std::min(column, room));

    constexpr int least = 16;
    const std::string indent(static_cast<std::size_t>(std::max(left, 2)), ' ');
    std::string lines = wrap(name, room < least ? width : left + room - 1, indent);
    lines.replace(0, indent.size(), head);
    if (room < least) return lines + wrap(tail, width, indent + "  ");
    const std::string first = lines.substr(0, lines.find('\n'));
    return with_tail(first, left + room) + lines.substr(first.size() + 1);
}

std::string side_by_side(const std::vector<std::string>& blocks, int width) {
    std::string out;
    std::vector<std::string> row;  // the lines of the blocks that are side by side so far
    int used = 0;
    const auto end_row = [&] {
        if (!out.empty() && !row.empty()) out += "\n";  // between two rows of drawings
        for (const std::string& line : row) out += line + "\n";
        row.clear();
        used = 0;
    };
    for (std::string_view block : blocks) {
        std::vector<std::string_view> lines;
        for (; !block.empty(); block.remove_prefix(std::min(lines.back().size() + 1, block.size())))
            lines.push_back(block.substr(0, block.find('\n')));
        int widest = 0;
        for (const std::string_view line : lines) widest = std::max(widest, display_width(line));
        if (used > 0 && used + 2 + widest > width) end_row();

        row.resize(std::max(row.size(), lines.size()));
        const int start = used > 0 ? used + 2 : 0;
        for (std::size_t i = 0; i < lines.size(); ++i)
            row[i] = pad(row[i], start) + std::string(lines[i]);
        used = start + widest;
    }
    end_row();
    return out;
}

std::string printable(std::string_view text) { return cleaned(text, false); }
std::string for_terminal(std::string_view text) { return cleaned(text, true); }

std::string without_colours(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t code = colour_code(text);
        if (code == 0) out += text[0];
        text.remove_prefix(std::max<std::size_t>(code, 1));
    }
    return out;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string number(double value, int digits) {
    if (std::isnan(value)) return "not a number";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    const double size = std::fabs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e9)) return fmt::format("{:.{}g}", value, digits);

    // From 1000 on, whole numbers with a comma after the thousands; below, significant digits.
    if (size < 1000 && value != std::round(value)) {
        return fmt::format("{:.{}g}", value, digits);
    }
    std::string whole = fmt::format("{:.0f}", size);
    for (int at = static_cast<int>(whole.size()) - 3; at > 0; at -= 3)
        whole.insert(static_cast<std::size_t>(at), ",");
    return (value < 0 ? "-" : "") + whole;
}

std::string with_short_lines(std::string_view text) {
    constexpr std::size_t most = 2000;
    std::string cut;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        cut += text.substr(at, std::min(end - at, most));
        if (end < text.size()) cut += '\n';
        at = end + 1;
    }
    return cut;
}

}  // namespace heed::course
