// SVG as text: a list of elements and one style sheet. Colours are defined in the style sheet only,
// once for light and once for dark, so a figure follows the reader's setting, alone or in the
// report.
//
//     classes   s0 ... s5   the series colours (as currentColor); line, band, dot, bar use them
//               hot, cold   shades of a heat map; fill-opacity is their strength
//               mid, on     letters on a shade that is strong on a dark page, and on every page
//               kind        a box filled with a little of its series colour
//               frame, halo a group of boxes; letters that lie on a line
//               faint, grid, axis, gold (the outline of a gold cell), ground (the background)
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace heed::course {

// What is drawn no wider than this need not be scrolled in a window of 400 pixels.
constexpr double narrow_page = 500;

class Svg {
  public:
    // `label`, plain text, is the name of the figure for screen readers. A page may shrink the figure to
    // 79 % before it has to be scrolled.
    Svg(double width, double height, std::string_view label, std::string_view classes = "heed");

    // One element, as it is. Text inside must have been escaped by escape().
    template <class... Args>
    void add(fmt::format_string<Args...> element, Args&&... args) {
        body_ += fmt::format(element, std::forward<Args>(args)...);
        body_ += '\n';
    }

    // Plain text (escaped here) at a point. anchor: start, middle or end; `more`: more attributes.
    void text(double x, double y, std::string_view plain, std::string_view anchor = "start",
              std::string_view classes = "", std::string_view more = "");

    // What the figure shows, for screen readers, in plain text. Without it they read the texts in it.
    void describe(std::string description) { description_ = std::move(description); }

    std::string finish() const;

  private:
    std::string head_, body_, texts_, description_;
};

// The attribute that rotates an element by that many degrees about a point.
std::string rotated(double degrees, double x, double y);

// The approximate width of the text in the font of the figures, at this size.
double svg_text_width(std::string_view text, double size = 13);

// The style sheet that all figures share.
std::string_view svg_style();

// A figure as a separate file: with the style sheet inside and a background.
std::string standalone_svg(std::string_view svg);

}  // namespace heed::course
