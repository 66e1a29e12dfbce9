// Text files of the reader. An error message names the file and the line and says what was expected
// there; no line is skipped silently.
//
//     data.tsv: line 7: expected source<TAB>target, found no tab
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/error.h"

namespace heed::course {

// A file given by the reader is missing or malformed.
struct InputError : Error {
    using Error::Error;
};

// Throws InputError "path: line N: message".
[[noreturn]] void bad_line(const std::string& path, std::size_t line, const std::string& message);

template <class... Args>
void check_line(bool holds, const std::string& path, std::size_t line,
                fmt::format_string<Args...> message, Args&&... args) {
    if (!holds) bad_line(path, line, fmt::format(message, std::forward<Args>(args)...));
}

// The bytes of a file. Throws InputError if it cannot be read.
std::string read_file(const std::string& path);

// The lines of a UTF-8 text. A byte order mark at the start and CR before LF are removed. Throws
// InputError for an empty file, invalid UTF-8 or a NUL byte.
std::vector<std::string> read_lines(const std::string& path);

struct TextPair {
    std::string source, target;
};

// Lines of source<TAB>target; neither side may be empty. Empty lines are allowed at the end only.
std::vector<TextPair> read_pairs(const std::string& path);

}  // namespace heed::course
