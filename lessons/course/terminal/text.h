// Text as a terminal shows it. A Korean syllable fills two columns, a combining mark none, a colour
// code none: whatever is aligned or wrapped is measured here, never by its bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

enum class Align { left, right, centre };

// Columns the text fills in a terminal (East Asian wide characters two). Colour codes count
// nothing.
int display_width(std::string_view text);

// The text with spaces added up to `width` columns; longer text is left as it is.
std::string pad(std::string_view text, int width, Align align = Align::left);

// The text, cut to `width` columns with an ellipsis at its end where it is longer.
std::string shorten(std::string_view text, int width);

// One paragraph as lines of at most `width` columns, each led by `indent`, each ended by a newline.
// Breaks at spaces, and inside a word only when the word alone is wider than a line.
std::string wrap(std::string_view paragraph, int width, std::string_view indent = "");

// The words of a sentence with blanks between them.
std::string joined(const std::vector<std::string>& words);

// Blocks of lines next to each other, as many as fit in `width` columns; the others follow below.
std::string side_by_side(const std::vector<std::string>& blocks, int width);

// The text made safe to print: control characters and bytes that are not UTF-8 become U+FFFD.
// Samples from a reader's file pass through here, so no file can reprogram the terminal.
std::string printable(std::string_view text);

// A number as a person would write it: 0.953, 12, 20,000, 1.2e-12. About `digits` significant
// digits.
std::string number(double value, int digits = 4);

}  // namespace heed::course
