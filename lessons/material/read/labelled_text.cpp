#include "lessons/material/read/labelled_text.h"

#include <algorithm>

#include "autograd/base/utf8.h"
#include "lessons/material/read/text_data.h"

namespace heed::course {
namespace {

constexpr std::string_view expected = "expected LABEL:detail, a blank, and the text";

// Latin-1 as UTF-8: each byte is the code point of that number.
std::string from_latin1(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

// Whether the text is to be read as Latin-1. A text that has characters of UTF-8 beyond ASCII and
// also bytes that are not UTF-8 is damaged, and neither.
bool is_latin1(std::string_view text) {
    if (utf8_invalid_at(text) == std::string_view::npos) return false;
    while (!text.empty()) {
        const int bytes = utf8_first(text).bytes;
        if (bytes > 1) return false;
        text.remove_prefix(1);
    }
    return true;
}

void check_characters(const std::string& name, std::size_t number, std::string_view line,
                      bool latin1) {
    for (std::size_t i = 0; i < line.size();) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const int bytes = latin1 ? 1 : utf8_first(line.substr(i)).bytes;
        const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F;
        const bool windows = latin1 && byte >= 0x80 && byte < 0xA0;
        check_line(!control && !windows && bytes > 0, name, number,
                   "expected {} text, found byte 0x{:02X} at column {}{}",
                   latin1 ? "UTF-8 or Latin-1" : "UTF-8", byte, i + 1,
                   control ? std::string() : conversion_hint(name));
        i += static_cast<std::size_t>(bytes);
    }
}

constexpr std::size_t most_words = 5000;

LabelledText parse(const std::string& name, std::size_t number, std::string_view line) {
    const std::size_t blank = line.find_first_of(" \t"), colon = line.find(':');
    check_line(blank != 0, name, number, "{}, found a blank at the start", expected);
    const std::string_view head = line.substr(0, blank);
    check_line(colon < head.size(), name, number, "{}, found '{}' without a colon", expected,
               excerpt(head));
    LabelledText text{std::string(head.substr(0, colon)), std::string(head.substr(colon + 1)), {}};
    const bool capitals = std::all_of(text.label.begin(), text.label.end(),
                                      [](char c) { return c >= 'A' && c <= 'Z'; });
    check_line(!text.label.empty() && capitals, name, number,
               "{}: the label in capital letters, found '{}'", expected, excerpt(text.label));
    check_line(!text.detail.empty(), name, number, "{}, found nothing after the colon", expected);

    for (std::size_t begin = head.size();
         (begin = line.find_first_not_of(" \t", begin)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        text.words.emplace_back(line.substr(begin, end - begin));
        begin = end;
    }
    check_line(!text.words.empty(), name, number, "{}, found no text after '{}'", expected,
               excerpt(head));
    check_line(text.words.size() <= most_words, name, number,
               "expected a text of at most {} words, found {}", most_words, text.words.size());
    return text;
}

}  // namespace

std::vector<LabelledText> parse_labelled(std::string_view bytes, const std::string& name) {
    const bool latin1 = is_latin1(bytes);
    std::vector<LabelledText> texts;
    for (Lines each(bytes, name, false); each.next();) {
        if (each.line().find_first_not_of(" \t") == std::string_view::npos && each.rest_is_blank())
            break;
        check_line(!each.line().empty(), name, each.number(), "{}, found an empty line", expected);
        check_characters(name, each.number(), each.line(), latin1);
        texts.push_back(latin1 ? parse(name, each.number(), from_latin1(each.line()))
                               : parse(name, each.number(), each.line()));
    }
    if (texts.empty())
        throw InputError(
            fmt::format("{}: expected lines of LABEL:detail and text, found none", name));
    return texts;
}

std::vector<LabelledText> read_labelled(const std::string& path) {
    return parse_labelled(read_file(path, most_text), path);
}

}  // namespace heed::course
