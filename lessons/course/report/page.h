// A page of the course, complete in one file: style sheet, script, font and figures are inside, so it
// needs no network.
//
// It is one column of prose, as wide as is comfortable to read. Where the window is wide enough there
// is a margin beside it for captions and measured values, as in a textbook. When the reader points at
// a cell of a heat map, or touches it, the script shows its query, key, score and weight, and
// highlights its two labels.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

// `body` is HTML with the element <main>; `style` and `script` are what this page adds to those of all pages.
std::string page_html(const std::string& title, const std::string& body,
                      std::string_view style = "", std::string_view script = "");

// The rule of a style sheet with the Korean syllables of the course as a small font, 20 KB, for
// browsers on machines without a Korean font. Where there is one it is used instead; see the names of
// fonts in page.css. Empty for a page without Hangul.
std::string hangul_font_style(std::string_view page);

// The rule with the font of formulas, 26 KB. It is used wherever the page is read, so that formulas look
// the same everywhere. Empty for a page without formulas.
std::string math_font_style(std::string_view page);

}  // namespace heed::course
