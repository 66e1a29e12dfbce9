// Reading whole files that may come from anybody. All readers of heed work in one manner: a core
// parses bytes in memory and knows the file only by its name, so that it can be tested and fuzzed
// without a disk (tests/fuzz); around it a function of one line reads the file.
//
//     data.tsv: line 7: expected source<TAB>target, found no tab
//
// Each error names the file and the line, byte or field, says what was expected there and what was
// found. No bytes are allocated because a file says so: sizes in a file are first compared with the
// size of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "autograd/base/error.h"

namespace heed {

// A file given by the reader is missing or malformed. Its message is one line.
struct InputError : Error {
    explicit InputError(const std::string& text) : Error(escaped(text)) {}
};

// What make() returns. What is wrong with a file may be found only by what is made of it: such an error
// becomes an InputError with the file's name in front.
template <class Make>
auto with_file_name(const std::string& name, const Make& make) {
    try {
        return make();
    } catch (const InputError&) {
        throw;
    } catch (const Error& error) {
        throw InputError(name + ": " + error.what());
    }
}

// The bytes of a file, a pipe or a device. Throws InputError if it is a folder, cannot be read, or
// has more than `most` bytes; no more than these are ever read. A pipe can be read only once.
std::string read_file(const std::string& path, std::uint64_t most = std::uint64_t{1} << 30);

// The same of a regular file only. Everything that lies in a folder of the reader's and that nobody has named in a
// command, such as a record, an answer or an earlier result, is read by it: a pipe or a device that stands there
// would never end, or never begin.
std::string read_regular_file(const std::string& path, std::uint64_t most = 32 << 20);

// "12 bytes", "1.5 MiB"
std::string bytes_text(std::uint64_t bytes);

// A file's name as a word of a shell command: 'my file.tsv'.
std::string shell_word(std::string_view name);

}  // namespace heed
