// SVG, written by hand: a list of elements and one style sheet. Colours live only in the sheet,
// once for light and once for dark, so a figure follows the reader's setting, alone or inside the
// report.
//
//     classes   s0 ... s5   the series colours (as currentColor); line, band, dot, bar use them
//               hot, cold   shades of a heat map, their strength given by fill-opacity
//               on          letters on a strong shade
//               faint, grid, axis, gold, ground
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace heed::course {

class Svg {
  public:
    // `label`, plain text, is read aloud in place of the picture. A page may shrink the figure to
    // 62 % before it has to be scrolled.
    Svg(double width, double height, std::string_view label, std::string_view classes = "heed");

    // One element, as written. Text from outside must have been through escape().
    template <class... Args>
    void add(fmt::format_string<Args...> element, Args&&... args) {
        body_ += fmt::format(element, std::forward<Args>(args)...);
        body_ += '\n';
    }

    // Plain text (escaped here) at a point; anchor is start, middle or end; `more` adds attributes.
    void text(double x, double y, std::string_view plain, std::string_view anchor = "start",
              std::string_view classes = "", std::string_view more = "");

    std::string finish() const { return body_ + "</svg>\n"; }

  private:
    std::string body_;
};

// The attribute that turns an element by so many degrees about a point.
std::string turned(double degrees, double x, double y);

// About how wide the text will be drawn, in the figures' own font at this size.
double svg_text_width(std::string_view text, double size = 13);

// The style sheet that all figures share.
std::string_view svg_style();

// A figure as a file of its own: with the sheet inside and a ground behind it.
std::string standalone_svg(std::string_view svg);

}  // namespace heed::course
