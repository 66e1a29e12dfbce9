// The Korean syllables of the course as a small font inside the page, for browsers on machines without
// a Korean font. Where there is one, it is used instead; see the font names in report_style().
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

// The syllables that the font holds.
std::string_view hangul_syllables();

// The rule for a style sheet, 20 KB; empty for a page without Hangul.
std::string hangul_font_style(std::string_view page);

}  // namespace heed::course
