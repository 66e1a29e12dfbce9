#include "lessons/course/figures/diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/base/error.h"
#include "lessons/course/figures/diagram_layout.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"

namespace heed::course {
namespace {

using Kind = Diagram::Kind;

constexpr double line_height = 15;
constexpr std::array kinds{Kind::input, Kind::learned, Kind::computed, Kind::output};

Kind kind_of(const Diagram::Box& box) { return box.source ? Kind::input : box.kind; }

std::string_view name_of(Kind kind) {
    return kind == Kind::input     ? "input"
           : kind == Kind::learned ? "learned"
           : kind == Kind::output  ? "output"
                                   : "computed";
}

// The class of a box of that kind; its colour is defined in the style sheet.
std::string_view class_of(Kind kind) {
    return kind == Kind::input     ? "kind s0"
           : kind == Kind::learned ? "kind s1"
           : kind == Kind::output  ? "kind s2"
                                   : "axis";
}

bool is_strong(std::string_view line) { return line.starts_with("▸"); }

std::pair<double, double> box_size(const Diagram::Box& box) {
    double width = svg_text_width(box.name) * 1.1;
    const auto strong = [](const std::string& line) { return is_strong(line) ? 1.1 : 1.0; };
    if (box.round) {
        const double diameter = std::max(28.0, width + 10);
        return {diameter, diameter};
    }
    for (const std::string& line : box.lines)
        width = std::max(width, svg_text_width(line, 11) * strong(line));
    return {width + 22, 26 + line_height * static_cast<double>(box.lines.size())};
}

DiagramSizes pixels(double least_width) {
    return {.box =
                [least_width](const Diagram::Box& box) {
                    auto [width, height] = box_size(box);
                    return std::pair(box.round ? width : std::max(width, least_width), height);
                },
            .label =
                [](const std::string& label) {
                    return std::pair(svg_text_width(label, 11), label.empty() ? 0.0 : 11.0);
                },
            .ahead_x = 38,
            .ahead_y = 28,
            .beside_x = 24,
            .beside_y = 20,
            .pad_x = 14,
            .pad_y = 12,
            .title = 16,
            .lane_x = 18,
            .lane_y = 16};
}

// With narrow gaps between the boxes, if the drawing then fits a narrow page and otherwise does not.
DiagramLayout laid_out(const Diagram& diagram) {
    DiagramSizes sizes = pixels(diagram.least_width);
    const DiagramLayout usual = lay_out(diagram, sizes);
    sizes.ahead_x = 26, sizes.beside_x = 14, sizes.pad_x = 8;
    DiagramLayout narrow = lay_out(diagram, sizes);
    const double most = narrow_page - 10;
    return usual.width > most && narrow.width <= most ? narrow : usual;
}

// The line of an arrow: a curve between two boxes, or a way with round corners.
std::string path_of(const DiagramLayout::Route& route, bool up) {
    std::vector<DiagramPoint> points = route.points;
    const auto shorter = [](DiagramPoint from, DiagramPoint to, double by) {
        const double length = std::hypot(to.x - from.x, to.y - from.y);
        const double part = length > by ? (length - by) / length : 0;
        return DiagramPoint{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
    };
    const DiagramPoint a = points[0], b = points[1];
    if (route.direct && a.x != b.x && a.y != b.y) {
        const double bend_x = up ? 0 : (b.x - a.x) / 2, bend_y = up ? (b.y - a.y) / 2 : 0;
        const double off_x = up ? 0 : std::copysign(5, bend_x);
        const double off_y = up ? std::copysign(5, bend_y) : 0;
        return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y,
                           a.x + bend_x, a.y + bend_y, b.x - bend_x, b.y - bend_y, b.x - off_x,
                           b.y - off_y);
    }
    points.back() = shorter(points.rbegin()[1], points.back(), 5);
    std::string path = fmt::format("M{:.1f} {:.1f}", a.x, a.y);
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (i + 1 == points.size()) {
            path += fmt::format("L{:.1f} {:.1f}", points[i].x, points[i].y);
            continue;
        }
        const DiagramPoint p = points[i], before = points[i - 1], after = points[i + 1];
        const double radius = std::min({7.0, std::hypot(p.x - before.x, p.y - before.y) / 2,
                                        std::hypot(after.x - p.x, after.y - p.y) / 2});
        const DiagramPoint in = shorter(before, p, radius), out = shorter(after, p, radius);
        path += fmt::format("L{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", in.x, in.y, p.x, p.y,
                            out.x, out.y);
    }
    return path;
}

// The direction in which an arrow arrives.
DiagramPoint arrival(const DiagramLayout::Route& route, bool up) {
    const DiagramPoint b = route.points.back(), a = route.points.rbegin()[1];
    const bool upright = a.x == b.x || (route.direct && up && a.y != b.y);
    return upright ? DiagramPoint{0, b.y > a.y ? 1.0 : -1.0}
                   : DiagramPoint{b.x > a.x ? 1.0 : -1.0, 0};
}

void draw_box(Svg& svg, const Diagram::Box& box, const DiagramRect& r) {
    const double width = r.right - r.left, height = r.bottom - r.top;
    const double corner = box.round ? width / 2 : 5;
    for (const std::string_view style : {std::string_view("ground"), class_of(kind_of(box))})
        svg.add(
            R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="{:.1f}"/>)",
            style, r.left, r.top, width, height, corner);
    double y = box.round ? r.centre_y() + 4.5 : r.top + 17;
    svg.text(r.centre_x(), y, box.name, "middle", is_strong(box.name) ? "strong" : "title");
    for (const std::string& line : box.lines)
        svg.text(r.centre_x(), y += line_height, line, "middle",
                 is_strong(line) ? "small strong" : "small");
}

// What the colours mean, if the diagram says which of its boxes are learned or are outputs.
std::vector<Kind> legend_of(const Diagram& diagram) {
    std::vector<Kind> shown;
    for (const Kind kind : kinds)
        for (const Diagram::Box& box : diagram.boxes)
            if (kind_of(box) == kind && (shown.empty() || shown.back() != kind))
                shown.push_back(kind);
    const bool told = std::any_of(shown.begin(), shown.end(), [](Kind kind) {
        return kind == Kind::learned || kind == Kind::output;
    });
    return told && shown.size() > 1 ? shown : std::vector<Kind>{};
}

}  // namespace

void check_sizes(const Diagram& diagram) {
    const int count = static_cast<int>(diagram.boxes.size());
    check(count > 0, "diagram '{}': no boxes", diagram.title);
    for (const Diagram::Box& box : diagram.boxes) {
        check(std::isfinite(box.column) && std::isfinite(box.row) && std::fabs(box.column) < 1000 &&
                  std::fabs(box.row) < 1000,
              "diagram '{}': box '{}' at column {}, row {}", diagram.title, box.name, box.column,
              box.row);
        check(!box.round || box.lines.empty(), "diagram '{}': the circle '{}' has no room for '{}'",
              diagram.title, box.name, box.lines.empty() ? "" : box.lines[0]);
    }
    for (const Diagram::Arrow& arrow : diagram.arrows)
        check(0 <= arrow.from && arrow.from < count && 0 <= arrow.to && arrow.to < count,
              "diagram '{}': an arrow from box {} to box {} of {}", diagram.title, arrow.from,
              arrow.to, count);
    for (const Diagram::Frame& frame : diagram.frames) {
        check(!frame.boxes.empty(), "diagram '{}': frame '{}' has no boxes", diagram.title,
              frame.title);
        for (const int i : frame.boxes)
            check(0 <= i && i < count, "diagram '{}': frame '{}' has box {} of {}", diagram.title,
                  frame.title, i, count);
    }
}

std::string to_svg(const Diagram& diagram) {
    check_sizes(diagram);
    const bool up = diagram.flow == Diagram::Flow::up;
    const DiagramLayout layout = laid_out(diagram);
    const std::vector<Kind> legend = legend_of(diagram);
    double legend_width = 0;
    for (const Kind kind : legend) legend_width += 34 + svg_text_width(name_of(kind), 11);
    const double title_width = svg_text_width(diagram.title) * 1.1;
    const double inside = std::max({layout.width, legend_width, title_width});
    const double top = diagram.title.empty() ? 5 : 30, left = 5 + (inside - layout.width) / 2;
    const double below = layout.height + top;

    Svg svg(inside + 10, below + (legend.empty() ? 5 : 29),
            diagram.title.empty() ? "diagram" : diagram.title);
    svg.describe(in_words(diagram));
    if (!diagram.title.empty()) svg.text(5, 18, diagram.title, "start", "title");
    svg.add(R"~(<g transform="translate({:.1f} {:.1f})">)~", left, top);
    std::vector<std::size_t> frames(diagram.frames.size());  // the outer ones first
    for (std::size_t i = 0; i < frames.size(); ++i) frames[i] = i;
    std::stable_sort(frames.begin(), frames.end(), [&](std::size_t a, std::size_t b) {
        return diagram.frames[a].boxes.size() > diagram.frames[b].boxes.size();
    });
    for (const std::size_t i : frames) {
        const DiagramRect& r = layout.frames[i];
        svg.add(R"(<rect class="frame" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" )"
                R"(rx="9"/>)",
                r.left, r.top, r.right - r.left, r.bottom - r.top);
        if (!diagram.frames[i].title.empty())
            svg.text(r.left + 9, r.top + 16, diagram.frames[i].title, "start", "faint");
    }
    for (std::size_t i = 0; i < layout.routes.size(); ++i) {
        const DiagramLayout::Route& route = layout.routes[i];
        svg.add(R"(<path class="axis" d="{}"{}/>)", path_of(route, up),
                diagram.arrows[i].dashed ? R"( stroke-dasharray="4 3")" : "");
        const DiagramPoint tip = route.points.back(), to = arrival(route, up);
        svg.add(R"(<path class="dot s5" d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z"/>)", tip.x,
                tip.y, tip.x - 8 * to.x - 4 * to.y, tip.y - 8 * to.y - 4 * to.x,
                tip.x - 8 * to.x + 4 * to.y, tip.y - 8 * to.y + 4 * to.x);
    }
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        draw_box(svg, diagram.boxes[i], layout.boxes[i]);
    for (std::size_t i = 0; i < layout.routes.size(); ++i)
        if (const std::string& label = diagram.arrows[i].label; !label.empty())
            svg.text(layout.routes[i].label.x, layout.routes[i].label.y, label, "start",
                     "small halo");
    svg.add("</g>");
    double x = 5;
    for (const Kind kind : legend) {
        svg.add(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="12" height="12" rx="3"/>)",
                class_of(kind), x, below + 12);
        svg.text(x + 18, below + 22, name_of(kind), "start", "small");
        x += 34 + svg_text_width(name_of(kind), 11);
    }
    return svg.finish();
}

}  // namespace heed::course
