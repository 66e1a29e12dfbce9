// Lines of columns separated by tabs, for readers of files. Errors name the file and the line.
//
//     for_each_row(bytes, file, 2, 2, "node<TAB>node", [&](const Line& line, const auto& columns) {
//         const int u = whole(columns[0], 0, last, "a node", line);
//     });
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/material/read/text_data.h"

namespace heed::course {

// A line of a file, for errors.
struct Line {
    const std::string& file;
    std::size_t number = 0;
};

// The text as a whole number from low to high, written as digits only.
inline int whole(std::string_view text, int low, int high, const char* what, const Line& line) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool digits = !text.empty() && text[0] != '-' && end == text.data() + text.size();
    if (!digits || error != std::errc() || value < low || value > high)
        bad_line(line.file, line.number,
                 fmt::format(
                     "expected {} {}, found '{}'", what,
                     low == high ? fmt::format("{}", low) : fmt::format("from {} to {}", low, high),
                     excerpt(text)));
    return value;
}

// Takes the text up to the separator, or all of it, off the front.
inline std::string_view take(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return field;
}

// Calls use(part) for what stands between separators; not at all for an empty text.
template <class Use>
void for_each_part(std::string_view text, char separator, const Use& use) {
    for (bool more = !text.empty(); more;) {
        more = text.find(separator) != text.npos;
        use(take(text, separator));
    }
}

// Calls use(line, its columns) for every line. Throws unless it has `least` to `most` columns. Empty
// lines are allowed at the end only.
template <class Use>
void for_each_row(std::string_view bytes, const std::string& file, std::size_t least,
                  std::size_t most, const char* expected, const Use& use) {
    std::vector<std::string_view> columns;
    for (Lines each(bytes, file); each.next();) {
        if (each.line().empty() && each.rest_is_blank()) break;
        std::string_view rest = each.line();
        columns.clear();
        for (auto tabs = 1 + static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\t'));
             tabs > 0 && columns.size() <= most; --tabs)
            columns.push_back(take(rest, '\t'));
        check_line(columns.size() >= least && columns.size() <= most, file, each.number(),
                   "expected {}, found '{}'", expected, excerpt(each.line()));
        use(Line{file, each.number()}, columns);
    }
}

}  // namespace heed::course
