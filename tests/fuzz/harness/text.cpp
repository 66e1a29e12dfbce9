// Lines of text, and a running text: both are the file with other line ends.
#include "lessons/material/read/text_data.h"
#include "tests/fuzz/harness.h"

void heed::fuzz::text(std::string_view bytes) {
    std::vector<std::string> lines;
    std::string whole;
    const bool are_lines = accepts([&] { lines = course::parse_lines(bytes, file); });
    const bool is_text = accepts([&] { whole = course::parse_text(bytes, file); });
    if (are_lines != is_text) wrong("lines and text differ");
    if (!is_text) return;
    std::string given = as_lines(bytes), joined;
    if (!given.ends_with('\n')) given += '\n';
    for (const std::string& line : lines) joined += line + "\n";
    if (joined != given || whole != given) wrong("the lines are not those of the file");
}
