// Text files of the reader. An error message names the file and the line and says what was expected
// there; no line is skipped silently.
//
//     data.tsv: line 7: expected source<TAB>target, found no tab
//
// The parse_ functions read bytes in memory and call them `name` in errors; the read_ functions read
// a file of at most a stated size.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/base/input_file.h"

namespace heed::course {

using heed::InputError;
using heed::read_file;

// The largest text file, in bytes: more than a lesson can read in its time. What a lesson keeps in
// memory is many times the file (tokens, ids, counts); tests/fuzz/README.md has the figures.
inline constexpr std::uint64_t most_text = std::uint64_t{32} << 20;

// Throws InputError "name: line N: message".
[[noreturn]] void bad_line(const std::string& name, std::size_t line, const std::string& message);

template <class... Args>
void check_line(bool holds, const std::string& name, std::size_t line,
                fmt::format_string<Args...> message, Args&&... args) {
    if (!holds) bad_line(name, line, fmt::format(message, std::forward<Args>(args)...));
}

// "; to convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 'a.tsv' > 'a.tsv.utf8'"
std::string conversion_hint(const std::string& name, std::string_view encoding = "WINDOWS-1252");

// The lines of a text in memory, one after the other and without copying them. A byte order mark at
// the start and CR before LF are left out. next() throws InputError for a line that is not UTF-8 or
// has a NUL byte, and for a text in UTF-16 or UTF-32; the message says how to convert the file.
// With check_utf8 = false the bytes of a line may be anything.
class Lines {
  public:
    Lines(std::string_view bytes, const std::string& name, bool check_utf8 = true);
    bool next();  // false at the end
    std::string_view line() const { return line_; }
    std::size_t number() const { return number_; }  // from 1
    bool rest_is_blank() const;                     // this line and all after it

  private:
    void check_text() const;

    std::string_view rest_, line_, after_;
    std::string name_;
    bool check_utf8_ = false;
    std::size_t number_ = 0;
};

// All lines. Throws InputError for an empty file and as Lines does.
std::vector<std::string> parse_lines(std::string_view bytes, const std::string& name);
std::vector<std::string> read_lines(const std::string& path);

// The text with line ends as LF, also after the last line. Throws as parse_lines() does.
std::string parse_text(std::string_view bytes, const std::string& name);
std::string read_text(const std::string& path);

struct TextPair {
    std::string source, target;
};

// Lines of source<TAB>target; neither side may be empty. Empty lines are allowed at the end only.
std::vector<TextPair> parse_pairs(std::string_view bytes, const std::string& name);
std::vector<TextPair> read_pairs(const std::string& path);

}  // namespace heed::course
