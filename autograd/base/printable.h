// Text from outside (names in files, options, paths) made safe to show. A control character could
// send commands to the terminal, and a character that changes the direction of writing could make a
// name look like another one.
//
//     escaped("report\x1B[2J\u202Egpj.exe")  ->  report\x1B[2J\u202Egpj.exe, every character visible
//
// Every heed::Error is made of escaped text (error.h), and what a lesson prints goes through
// printable() of lessons/course/terminal/text.h.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Whether a terminal shows the code point as a character: not a control character (newline and tab
// included), not a mark that changes the direction of writing, not an invisible tag.
bool is_printable(char32_t point);

// The text with everything unprintable written as in C++: \n, \t, \x1B, \u202E; a byte that is not
// UTF-8 becomes \xFF. With `lines` newlines are kept. Text of more than `most` bytes is cut in the
// middle: an error message must not fill the screen because a name is a megabyte long.
std::string escaped(std::string_view text, bool lines = false, std::size_t most = 20'000);

// A piece of a file for an error message: its first characters, escaped.
std::string excerpt(std::string_view text);

}  // namespace heed
