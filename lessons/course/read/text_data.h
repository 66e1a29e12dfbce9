// The reader's own text files. Whatever is wrong with one is said by file and line, with what was
// expected there; nothing is skipped in silence.
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

// A file the reader gave is missing or malformed.
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

// The bytes of a file, as they are. Throws InputError when it cannot be read.
std::string read_file(const std::string& path);

// The lines of a UTF-8 text. A byte order mark at its start and CR before LF are dropped. Throws
// InputError for an empty file, invalid UTF-8 or a NUL byte.
std::vector<std::string> read_lines(const std::string& path);

struct TextPair {
    std::string source, target;
};

// Lines of source<TAB>target, both sides not empty. Empty lines are allowed at the end only.
std::vector<TextPair> read_pairs(const std::string& path);

}  // namespace heed::course
