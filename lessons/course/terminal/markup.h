// Prose in two dresses. A lesson writes `code`, *emphasis* and **strong** as in Markdown; the
// terminal gets colours, the report gets tags. A star or backtick with no partner is left as it
// stands.
#pragma once

#include <string>
#include <string_view>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Text as the inside of an HTML element or attribute: & < > " ' escaped, made printable first.
std::string escape(std::string_view text);

// 2.2e-16 as it is printed, 2.2 × 10 with -16 above, in text that has been escaped.
std::string with_powers(std::string_view text);

std::string markup_to_html(std::string_view text);
std::string markup_to_screen(std::string_view text, const Screen& screen);

}  // namespace heed::course
