// Whether text can be shown in a terminal: what a reader of any window must never see.
#pragma once

#include <string>
#include <string_view>

#include "lessons/course/terminal/text.h"

namespace on_screen {

// What is wrong with the lines, or an empty text: a control character that begins none of the sequences we
// use (colours, "\r\x1b[K" to draw the last line again), the sign that stands in place of one, a line wider
// than the window, a colour that goes on beyond its line.
inline std::string fault(std::string_view text, int width) {
    std::string line;
    bool coloured = false;
    const auto end = [&]() -> std::string {
        if (heed::course::display_width(line) > width) return "too wide: " + line;
        if (coloured) return "a colour goes on after: " + line;
        line.clear();
        return "";
    };
    while (!text.empty()) {
        std::size_t bytes = 1;
        if (text[0] == '\x1b') {
            const std::size_t last = text.find_first_not_of("0123456789;", 2);
            if (!text.starts_with("\x1b[") || last == std::string_view::npos ||
                (text[last] != 'm' && text.substr(0, last + 1) != "\x1b[K"))
                return "unknown sequence after: " + line;
            bytes = last + 1;
            if (text[last] == 'm') coloured = text.substr(0, bytes) != "\x1b[0m";
        } else if (text[0] == '\n' || text[0] == '\r') {
            if (const std::string wrong = end(); !wrong.empty()) return wrong;
        } else if (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F) {
            return "a control character after: " + line;
        } else if (text.starts_with("\xEF\xBF\xBD")) {
            return "the sign of a control character after: " + line;
        } else {
            line += text[0];
        }
        text.remove_prefix(bytes);
    }
    return end();
}

}  // namespace on_screen
