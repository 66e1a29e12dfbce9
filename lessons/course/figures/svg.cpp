#include "lessons/course/figures/svg.h"

#include "lessons/course/pages/pages.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

namespace {

constexpr double shrunk = 0.79, column = 592;  // --text of page.css in pixels

}  // namespace

// In a window that is too narrow a figure shrinks until its smallest letters, of 11 pixels, have 9; then it scrolls. A
// plot of 480 pixels still fits a telephone of 390.
// One that would scroll beside its caption (page.css) is broad: the caption stands below it.
Svg::Svg(double width, double height, std::string_view label, std::string_view classes)
    : head_(fmt::format(R"(class="{3}{5}" aria-label="{0}" width="{1:.0f}" height="{2:.0f}" )"
                        R"(viewBox="0 0 {1:.0f} {2:.0f}" style="min-width:{4:.0f}px">)",
                        escape(label), width, height, classes, shrunk * width,
                        shrunk * width > column ? " broad" : "")) {}

// A picture is one thing for a screen reader, unless something in it can be moved or switched.
std::string Svg::finish() const {
    const bool moves = body_.find("tabindex=") != std::string::npos;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"{}\" {}\n<desc>{}</desc>\n{}</svg>\n",
        moves ? "group" : "img", head_, escape(description_.empty() ? texts_ : description_),
        body_);
}

void Svg::text(double x, double y, std::string_view plain, std::string_view anchor,
               std::string_view classes, std::string_view more) {
    body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}")", x, y, anchor);
    if (!classes.empty()) body_ += fmt::format(R"( class="{}")", classes);
    if (!more.empty()) body_ += fmt::format(" {}", more);
    body_ += fmt::format(">{}</text>\n", escape(plain));
    texts_ += (texts_.empty() ? "" : ", ") + std::string(plain);
}

std::string rotated(double degrees, double x, double y) {
    return fmt::format("transform=\"rotate({:.0f} {:.1f} {:.1f})\"", degrees, x, y);
}

double svg_text_width(std::string_view text, double size) {
    double ems = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t next = at + 1;
        while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
        const int columns = display_width(text.substr(at, next - at));
        const bool capital = text[at] >= 'A' && text[at] <= 'Z';
        const bool wide = text[at] == 'W' || text[at] == 'M';
        ems += columns == 2 ? 0.95 : wide ? 0.93 : capital ? 0.68 : 0.53 * columns;
        at = next;
    }
    return ems * size;
}

std::string_view svg_style() { return page_file("svg.css"); }

std::string standalone_svg(std::string_view svg) {
    const std::size_t inside = svg.find('>') + 1;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n<style>\n{}</style>\n"
        "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>{}",
        svg.substr(0, inside), svg_style(), svg.substr(inside));
}

}  // namespace heed::course
