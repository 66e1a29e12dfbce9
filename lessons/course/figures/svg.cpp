#include "lessons/course/figures/svg.h"

#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

Svg::Svg(double width, double height, std::string_view label, std::string_view classes) {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" class="{3}" role="img" aria-label="{0}" )"
        R"(width="{1:.0f}" height="{2:.0f}" viewBox="0 0 {1:.0f} {2:.0f}" )"
        R"(style="min-width:{4:.0f}px">)",
        escape(label), width, height, classes, 0.62 * width);
}

void Svg::text(double x, double y, std::string_view plain, std::string_view anchor,
               std::string_view classes, std::string_view more) {
    body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}")", x, y, anchor);
    if (!classes.empty()) body_ += fmt::format(R"( class="{}")", classes);
    if (!more.empty()) body_ += fmt::format(" {}", more);
    body_ += fmt::format(">{}</text>\n", escape(plain));
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

std::string_view svg_style() {
    return R"(svg.heed { font: 13px "Source Sans 3", "Source Sans Pro", "Noto Sans", "Segoe UI",
    "Helvetica Neue", Arial, "Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo",
    "Malgun Gothic", "Heed Hangul", sans-serif; font-variant-numeric: tabular-nums; }
svg.heed text { fill: #1d1b18; }
svg.heed .ground { fill: #fffdf9; }
svg.heed .faint { fill: #6b655c; font-size: 12px; }
svg.heed .title { font-weight: 600; }
svg.heed .small { font-size: 11px; }
svg.heed .grid { stroke: #e4ded3; stroke-width: 1; fill: none; }
svg.heed .axis { stroke: #8d867b; stroke-width: 1; fill: none; }
svg.heed .line { stroke: currentColor; stroke-width: 2; fill: none; stroke-linejoin: round;
    stroke-linecap: round; }
svg.heed .band { fill: currentColor; fill-opacity: 0.16; }
svg.heed .dot, svg.heed .bar { fill: currentColor; }
svg.heed .frame { stroke: #b9b1a4; stroke-width: 1; stroke-dasharray: 5 3; fill: #8d867b;
    fill-opacity: 0.07; }
svg.heed .kind { fill: currentColor; fill-opacity: 0.15; stroke: currentColor; stroke-width: 1; }
svg.heed .halo { paint-order: stroke; stroke: #fffdf9; stroke-width: 3px; }
svg.heed .mark { stroke: #1d1b18; stroke-width: 1.25; fill: none; }
svg.heed .empty { fill: #f3eee5; }
svg.heed .hot { fill: #1b5e93; }
svg.heed .cold { fill: #b5482a; }
svg.heed .gold { fill: none; stroke: #d18b00; stroke-width: 2; pointer-events: none; }
svg.heed .path { fill: none; stroke: #ffb000; stroke-width: 2; stroke-linejoin: round; }
svg.heed .shade { fill: #ffb000; }
svg.heed text.on { fill: #ffffff; }
svg.heed .s0 { color: #1b5e93; }
svg.heed .s1 { color: #c4541d; }
svg.heed .s2 { color: #2c7a4b; }
svg.heed .s3 { color: #8b4a9c; }
svg.heed .s4 { color: #a07b00; }
svg.heed .s5 { color: #4d6a73; }
@media (prefers-color-scheme: dark) {
    svg.heed text { fill: #e6e2da; }
    svg.heed .ground { fill: #17181b; }
    svg.heed .faint { fill: #a19b90; }
    svg.heed .grid { stroke: #303237; }
    svg.heed .axis { stroke: #77736b; }
    svg.heed .frame { stroke: #55524c; }
    svg.heed .halo { stroke: #17181b; }
    svg.heed .mark { stroke: #e6e2da; }
    svg.heed .empty { fill: #212328; }
    svg.heed .hot { fill: #86bdec; }
    svg.heed .cold { fill: #f09a75; }
    svg.heed .gold { stroke: #f2b63d; }
    svg.heed text.on { fill: #0e1c28; }
    svg.heed .s0 { color: #86bdec; }
    svg.heed .s1 { color: #f39c6b; }
    svg.heed .s2 { color: #7cc796; }
    svg.heed .s3 { color: #c99bdc; }
    svg.heed .s4 { color: #d9b64a; }
    svg.heed .s5 { color: #9fb9c2; }
}
)";
}

std::string standalone_svg(std::string_view svg) {
    const std::size_t inside = svg.find('>') + 1;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n<style>\n{}</style>\n"
        "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>{}",
        svg.substr(0, inside), svg_style(), svg.substr(inside));
}

}  // namespace heed::course
