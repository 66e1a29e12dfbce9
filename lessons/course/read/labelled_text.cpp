#include "lessons/course/read/labelled_text.h"

#include <algorithm>
#include <sstream>

#include "lessons/course/read/text_data.h"
#include "nn/data/utf8.h"

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

void check_characters(const std::string& path, std::size_t number, const std::string& line,
                      bool latin1) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F ||
                             (latin1 && byte >= 0x80 && byte < 0xA0);
        check_line(!control, path, number, "expected {} text, found byte 0x{:02X} at column {}",
                   latin1 ? "Latin-1 (it is not UTF-8)" : "UTF-8", byte, i + 1);
    }
}

LabelledText parse(const std::string& path, std::size_t number, const std::string& line) {
    const std::size_t blank = line.find_first_of(" \t"), colon = line.find(':');
    check_line(blank != 0, path, number, "{}, found a blank at the start", expected);
    const std::string head = line.substr(0, blank);
    check_line(colon < head.size(), path, number, "{}, found '{}' without a colon", expected, head);
    LabelledText text{head.substr(0, colon), head.substr(colon + 1), {}};
    const bool capitals = std::all_of(text.label.begin(), text.label.end(),
                                      [](char c) { return c >= 'A' && c <= 'Z'; });
    check_line(!text.label.empty() && capitals, path, number,
               "{}: the label in capital letters, found '{}'", expected, text.label);
    check_line(!text.detail.empty(), path, number, "{}, found nothing after the colon", expected);

    std::istringstream words(line.substr(head.size()));
    for (std::string word; words >> word;) text.words.push_back(word);
    check_line(!text.words.empty(), path, number, "{}, found no text after '{}'", expected, head);
    return text;
}

}  // namespace

std::vector<LabelledText> read_labelled(const std::string& path) {
    const std::string bytes = read_file(path);
    std::string_view rest = bytes;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    const bool latin1 = utf8_invalid_at(rest) != std::string_view::npos;
    while (!rest.empty() && std::string_view(" \t\r\n").find(rest.back()) != std::string_view::npos)
        rest.remove_suffix(1);
    if (rest.empty())
        throw InputError(
            fmt::format("{}: expected lines of LABEL:detail and text, found none", path));

    std::vector<LabelledText> texts;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r')) line.pop_back();
        const std::size_t number = texts.size() + 1;
        check_line(!line.empty(), path, number, "{}, found an empty line", expected);
        check_characters(path, number, line, latin1);
        texts.push_back(parse(path, number, latin1 ? from_latin1(line) : line));
    }
    return texts;
}

}  // namespace heed::course
