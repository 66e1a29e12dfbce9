#include "lessons/course/figures/diagram.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/base/error.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

constexpr double row_height = 78, gap = 40, line_height = 15;

double box_width(const Diagram::Box& box) {
    double width = svg_text_width(box.name) * 1.1;
    for (const std::string& line : box.lines) width = std::max(width, svg_text_width(line, 11));
    return width + 22;
}

double box_height(const Diagram::Box& box) {
    return 26 + line_height * static_cast<double>(box.lines.size());
}

void draw_arrow(Svg& svg, double x1, double y1, double x2, double y2) {
    const double bend = (x2 - x1) / 2;
    svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}"/>)",
            x1, y1, x1 + bend, y1, x2 - bend, y2, x2 - 5, y2);
    svg.add(R"(<path class="dot s5" d="M{0:.1f} {1:.1f}l-8 -4v8z"/>)", x2, y2);
}

}  // namespace

void check_sizes(const Diagram& diagram) {
    const int count = static_cast<int>(diagram.boxes.size());
    check(count > 0, "diagram '{}': no boxes", diagram.title);
    for (const auto& [from, to] : diagram.arrows)
        check(0 <= from && from < count && 0 <= to && to < count,
              "diagram '{}': an arrow from box {} to box {} of {}", diagram.title, from, to, count);
}

std::string to_text(const Diagram& diagram, const Screen& screen) {
    check_sizes(diagram);
    std::vector<std::string> heads;
    int width = 0;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        std::string head = printable(diagram.boxes[i].name), separator = " ← ";
        for (const auto& [from, to] : diagram.arrows) {
            if (to != static_cast<int>(i)) continue;
            head += separator + printable(diagram.boxes[static_cast<std::size_t>(from)].name);
            separator = ", ";
        }
        width = std::max(width, display_width(head));
        heads.push_back(std::move(head));
    }
    std::string out = title_text(diagram.title, screen);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        std::string line = "  " + pad(heads[i], width);
        for (const std::string& more : diagram.boxes[i].lines) line += "   " + printable(more);
        if (display_width(line) <= screen.width) {
            out += line + "\n";
            continue;
        }
        out += wrap(heads[i], screen.width, "  ");
        for (const std::string& more : diagram.boxes[i].lines)
            out += wrap(printable(more), screen.width, "      ");
    }
    return out;
}

std::string to_svg(const Diagram& diagram) {
    check_sizes(diagram);
    double pitch = 0, columns = 0, rows = 0;
    for (const Diagram::Box& box : diagram.boxes) {
        pitch = std::max(pitch, box_width(box) + gap);
        columns = std::max(columns, box.column);
        rows = std::max(rows, box.row);
    }
    const double top = diagram.title.empty() ? 4 : 28;
    const auto x_of = [&](const Diagram::Box& box) {
        return 4 + (pitch - gap) / 2 + pitch * box.column;
    };
    const auto y_of = [&](const Diagram::Box& box) { return top + row_height * (box.row + 0.5); };

    Svg svg(8 + pitch * (columns + 1) - gap, top + row_height * (rows + 1) + 4,
            diagram.title.empty() ? "diagram" : diagram.title);
    if (!diagram.title.empty()) svg.text(4, 18, diagram.title, "start", "title");
    for (const auto& [from, to] : diagram.arrows) {
        const Diagram::Box& a = diagram.boxes[static_cast<std::size_t>(from)];
        const Diagram::Box& b = diagram.boxes[static_cast<std::size_t>(to)];
        draw_arrow(svg, x_of(a) + box_width(a) / 2, y_of(a), x_of(b) - box_width(b) / 2, y_of(b));
    }
    for (const Diagram::Box& box : diagram.boxes) {
        const double width = box_width(box), height = box_height(box);
        svg.add(
            R"(<rect class="ground" x="{0:.1f}" y="{1:.1f}" width="{2:.1f}" height="{3:.1f}" rx="5"/>)",
            x_of(box) - width / 2, y_of(box) - height / 2, width, height);
        svg.add(R"(<rect class="{4}axis" x="{0:.1f}" y="{1:.1f}" width="{2:.1f}" height="{3:.1f}" )"
                R"(rx="5" style="{5}"/>)",
                x_of(box) - width / 2, y_of(box) - height / 2, width, height,
                box.source ? "s0 " : "", box.source ? "fill:currentColor;fill-opacity:0.14" : "");
        double y = y_of(box) - height / 2 + 17;
        svg.text(x_of(box), y, box.name, "middle", "title");
        for (const std::string& line : box.lines)
            svg.text(x_of(box), y += line_height, line, "middle", "small");
    }
    return svg.finish();
}

}  // namespace heed::course
