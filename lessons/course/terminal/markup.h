// Prose for the terminal and for the report. A lesson writes `code`, *emphasis* and **strong** as
// in Markdown; the terminal shows them as colours, the report as HTML tags. A star or backtick
// without a partner is printed as it is.
#pragma once

#include <string>
#include <string_view>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Text as the inside of an HTML element or attribute: made printable, then & < > " ' escaped.
std::string escape(std::string_view text);

// Escaped text in which a number like 2.2e-16 is written 2.2 × 10 with -16 as an exponent above.
std::string with_powers(std::string_view text);

// HTML in which no line ends between a number and its %.
std::string with_tied_percents(std::string html);

// Straight quotes as the curly ones of print: “so”, ‘so’, don’t. `before` is the character before the text.
std::string with_curly_quotes(std::string_view text, char before = ' ');

std::string markup_to_html(std::string_view text);
std::string markup_to_screen(std::string_view text, const Screen& screen);

// The title line above a figure in the terminal.
std::string title_text(const std::string& title, const Screen& screen);

}  // namespace heed::course
