// Text as a terminal shows it. A Korean syllable fills two columns, a combining mark and a colour
// code none, so text is aligned and wrapped by the widths computed here and not by its bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

enum class Align { left, right, centre };

// The number of columns the text fills in a terminal.
int display_width(std::string_view text);

// The text with spaces added up to `width` columns; longer text is left as it is.
std::string pad(std::string_view text, int width, Align align = Align::left);

// The text; if it is longer than `width` columns, it is cut and ends with an ellipsis.
std::string shorten(std::string_view text, int width);

// Names for a column of `width`. Long ones are cut at the end. If two different names would then look alike, all long
// ones are cut in the middle; if that is not enough, at the front; at last they get numbers.
std::vector<std::string> shorten_apart(const std::vector<std::string>& names, int width);

// One paragraph as lines of at most `width` columns. Each line starts with `indent` and ends with a
// newline. Lines break at spaces, and inside a word only if the word is wider than a line. A colour ends
// with its line and begins again on the next one, so that each line can be shown by itself.
std::string wrap(std::string_view paragraph, int width, std::string_view indent = "");

// Lines of one or two columns, such as those of --help, with those that are wider than `width`
// wrapped. A continued line begins under the second column, or where its line does if it has one only.
std::string fitted(std::string_view lines, int width);

// A line of a list: `head`, then `name` in a column of at least `column`, then `tail`. Where they are
// wider than `width`, the column is narrower and the name is wrapped in it. If that leaves too little
// of the column, the tail comes on a line below. Blanks at the end of the tail count, so that tails
// padded to one width stay below each other, but they are not printed.
std::string list_line(std::string_view head, std::string_view name, int column,
                      std::string_view tail, int width);

// The words of a sentence with blanks between them.
std::string joined(const std::vector<std::string>& words);

// Blocks of lines side by side, as many as fit in `width` columns; the others follow below.
std::string side_by_side(const std::vector<std::string>& blocks, int width);

// The text made safe to print: what is_printable() of autograd/base/printable.h refuses (control
// characters, marks that change the direction of writing) and bytes that are not UTF-8 become U+FFFD.
// Text from a reader's file is passed through here, so that no file can send commands to the
// terminal.
std::string printable(std::string_view text);

// The same, but with colour codes kept: what finally goes to the terminal (live_line.h) passes
// through here, in case a name did not go through printable().
std::string for_terminal(std::string_view text);

// The text without its colour codes.
std::string without_colours(std::string_view text);

// A number as a person would write it: 0.953, 12, 20,000, 1.2e-12, with about `digits` significant
// digits.
std::string number(double value, int digits = 4);

// The text with each line cut after 2,000 bytes, for std::regex, whose stack grows with the line.
std::string with_short_lines(std::string_view text);

}  // namespace heed::course
