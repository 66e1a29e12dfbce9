#include "lessons/course/figures/arrows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/figures/dot_canvas.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

Arrows::Line arrow(std::string name, double x, double y, int colour, double from_x, double from_y) {
    return {.name = std::move(name), .x = {from_x, x}, .y = {from_y, y}, .colour = colour};
}

void check_sizes(const Arrows& arrows) {
    check(!arrows.lines.empty(), "arrows '{}': no lines", arrows.title);
    for (const Arrows::Line& line : arrows.lines) {
        check(line.x.size() == line.y.size() && !line.x.empty(),
              "arrows '{}': line '{}' has {} x and {} y", arrows.title, line.name, line.x.size(),
              line.y.size());
        for (std::size_t i = 0; i < line.x.size(); ++i)
            check(std::isfinite(line.x[i]) && std::isfinite(line.y[i]),
                  "arrows '{}': line '{}' has a point that is not finite", arrows.title, line.name);
    }
}

namespace {

struct InPlane {
    double x, y;
};

struct NameBox {
    double left, top, right, bottom;
    bool holds(InPlane p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
    bool meets(const NameBox& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

// What a plane is drawn with. Lengths are pixels, or characters.
struct PlaneUnits {
    double width, height;   // the most room for the lines
    double shape;           // the height of a unit of length over its width
    double letter;          // the height of a name
    double away_x, away_y;  // between the end of a line and its name
    double half;            // a line is so far from the edge at least: half a character
    double rim;             // between a curve and its axes
    std::function<double(const std::string&)> name_width;
};

// Where everything stands; the left upper corner is (0, 0).
struct PlacedArrows {
    std::vector<std::vector<InPlane>> lines;
    std::vector<NameBox> names;
    InPlane origin;  // where the axes cross
    NameBox frame;   // around the lines and the axes
    double width, height;
};

// Beside the end of a line: first where it points to, then wherever the fewest lines and names are.
NameBox beside(const std::vector<InPlane>& line, double width, const PlaneUnits& units,
               const std::vector<InPlane>& drawn, const std::vector<NameBox>& names) {
    const InPlane end = line.back(), before = line[line.size() > 1 ? line.size() - 2 : 0];
    const double dx = end.x - before.x, dy = (end.y - before.y) / units.shape, h = units.letter;
    const auto at = [&](int across, int down) {  // -1, 0 or 1: on which side of the end
        const double left = across > 0   ? end.x + units.away_x
                            : across < 0 ? end.x - units.away_x - width
                                         : end.x - width / 2;
        const double top = down > 0   ? end.y + units.away_y
                           : down < 0 ? end.y - units.away_y - h
                                      : end.y - h / 2;
        return NameBox{left, top, left + width, top + h};
    };
    const bool level = std::abs(dx) > std::abs(dy);
    const int right = dx < 0 ? -1 : 1, below = dy > 0 ? 1 : -1;
    const std::pair<int, int> sides[] = {level ? std::pair(right, 0) : std::pair(0, below),
                                         {right, below},
                                         {right, 0},
                                         {0, below},
                                         {0, -below},
                                         {-right, below},
                                         {right, -below},
                                         {-right, 0}};
    NameBox best{};
    double fewest = 1e9, order = 0;
    for (const auto& [across, down] : sides) {
        const NameBox box = at(across, down);
        double faults = order += 0.1;
        for (const InPlane& point : drawn) faults += box.holds(point);
        for (const NameBox& other : names) faults += box.meets(other) ? 100 : 0;
        if (faults < fewest) fewest = faults, best = box;
    }
    return best;
}

PlacedArrows placed(const Arrows& arrows, const PlaneUnits& units) {
    double left = arrows.lines[0].x[0], right = left, low = arrows.lines[0].y[0], high = low;
    if (arrows.same_scale)
        left = std::min(left, 0.), right = std::max(right, 0.), low = std::min(low, 0.),
        high = std::max(high, 0.);
    for (const Arrows::Line& line : arrows.lines) {
        for (const double x : line.x) left = std::min(left, x), right = std::max(right, x);
        for (const double y : line.y) low = std::min(low, y), high = std::max(high, y);
    }
    double across = units.width / std::max(right - left, 1e-12),
           down = units.height / std::max(high - low, 1e-12);
    if (arrows.same_scale)
        across = std::min(across, down / units.shape), down = across * units.shape;

    PlacedArrows all;
    const auto place = [&](double x, double y) {
        return InPlane{(x - left) * across, (high - y) * down};
    };
    const double rim = arrows.same_scale || !arrows.axes ? 0 : units.rim;
    all.frame = {-rim, 0, (right - left) * across, (high - low) * down + rim};
    all.origin = arrows.same_scale ? place(0, 0) : InPlane{all.frame.left, all.frame.bottom};
    std::vector<InPlane> drawn;
    for (const Arrows::Line& line : arrows.lines) {
        std::vector<InPlane> points;
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            points.push_back(place(line.x[i], line.y[i]));
            drawn.push_back(points.back());
            if (i == 0) continue;
            const InPlane a = points[i - 1], b = points[i];
            const double length = std::hypot(b.x - a.x, (b.y - a.y) / units.shape);
            const double step = 0.4 * units.letter / units.shape;
            for (double t = 0; t < length; t += step)
                drawn.push_back({a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length});
        }
        all.lines.push_back(std::move(points));
    }
    NameBox around{all.frame.left - units.half, all.frame.top - units.half,
                   all.frame.right + units.half, all.frame.bottom + units.half};
    for (std::size_t i = 0; i < arrows.lines.size(); ++i) {
        all.names.push_back({});
        if (arrows.lines[i].name.empty()) continue;
        all.names[i] =
            beside(all.lines[i], units.name_width(arrows.lines[i].name), units, drawn, all.names);
        const NameBox& name = all.names[i];
        around = {std::min(around.left, name.left), std::min(around.top, name.top),
                  std::max(around.right, name.right), std::max(around.bottom, name.bottom)};
    }
    // Move everything so that nothing lies left of 0 or above it.
    const auto move = [&](NameBox& box) {
        box = {box.left - around.left, box.top - around.top, box.right - around.left,
               box.bottom - around.top};
    };
    for (auto& line : all.lines)
        for (InPlane& point : line) point = {point.x - around.left, point.y - around.top};
    for (NameBox& name : all.names) move(name);
    move(all.frame);
    all.origin = {all.origin.x - around.left, all.origin.y - around.top};
    all.width = around.right - around.left, all.height = around.bottom - around.top;
    return all;
}

// The direction in which a line ends.
InPlane heading_of(const std::vector<InPlane>& line, double shape) {
    if (line.size() < 2) return {0, 0};
    const InPlane a = line[line.size() - 2], b = line.back();
    const double dx = b.x - a.x, dy = (b.y - a.y) / shape, length = std::hypot(dx, dy);
    return length > 0 ? InPlane{dx / length, dy / length} : InPlane{0, 0};
}

std::string sign_at_end(const Arrows::Line& line, const std::vector<InPlane>& points) {
    if (line.end == Arrows::End::ball) return "●";
    static const char* const heads[] = {"→", "↘", "↓", "↙", "←", "↖", "↑", "↗"};
    const InPlane to = heading_of(points, 0.5);
    if (line.end == Arrows::End::none || (to.x == 0 && to.y == 0)) return "";
    const double eighths = std::atan2(to.y, to.x) / std::atan(1.);
    return heads[(std::lround(eighths) + 8) % 8];
}

}  // namespace

// --- As text

std::string to_text(const Arrows& arrows, const Screen& screen) {
    check_sizes(arrows);
    // As large as fits together with the names.
    const int most = std::max(24, screen.width - 4);
    const auto units = [&](int columns) {
        return PlaneUnits{.width = double(columns),
                          .height = arrows.same_scale ? 11.
                                    : arrows.axes     ? 8.
                                                      : 4.,
                          .shape = 0.5,
                          .letter = 1,
                          .away_x = 1.5,
                          .away_y = 0.5,
                          .half = 0.5,
                          .rim = 1,
                          .name_width = [](const std::string& name) {
                              return double(display_width(printable(name)));
                          }};
    };
    int columns = std::min(most, arrows.same_scale ? 40 : arrows.axes ? 24 : 60);
    PlacedArrows all = placed(arrows, units(columns));
    while (all.width > most && columns > 8) all = placed(arrows, units(--columns));

    const int wide = std::min(most, static_cast<int>(std::ceil(all.width)) + 1),
              high = static_cast<int>(std::ceil(all.height));
    DotCanvas canvas(wide, high, true);
    const auto whole = [](double at) { return static_cast<int>(std::floor(at)); };
    const int axis_row = whole(all.origin.y), axis_column = whole(all.origin.x);
    for (int x = whole(all.frame.left); arrows.axes && x <= whole(all.frame.right); ++x)
        canvas.write_behind(x, axis_row, "─");
    for (int y = whole(all.frame.top); arrows.axes && y <= whole(all.frame.bottom); ++y)
        canvas.write_behind(axis_column, y, y == axis_row ? "┼" : "│");
    if (arrows.axes && !arrows.same_scale) canvas.write_behind(axis_column, axis_row, "└");
    // So that the canvas draws a dot in the character that it falls into.
    const auto across = [&](double x) { return (2 * x - 0.5) / (2 * wide - 1); };
    const auto up = [&](double y) { return 1 - (4 * y - 0.5) / (4 * high - 1); };
    for (std::size_t i = 0; i < arrows.lines.size(); ++i) {
        std::size_t drawn = 0;
        const std::vector<InPlane>& points = all.lines[i];
        for (std::size_t j = 1; j < points.size(); ++j)
            canvas.line(across(points[j - 1].x), up(points[j - 1].y), across(points[j].x),
                        up(points[j].y), arrows.lines[i].colour,
                        arrows.lines[i].dashed ? "#..." : "#", drawn);
    }
    for (std::size_t i = 0; i < arrows.lines.size(); ++i) {
        const Arrows::Line& line = arrows.lines[i];
        const InPlane end = all.lines[i].back();
        canvas.write(whole(end.x), whole(end.y), sign_at_end(line, all.lines[i]), line.colour);
    }
    for (std::size_t i = 0; i < arrows.lines.size(); ++i)
        canvas.write(static_cast<int>(std::lround(all.names[i].left)),
                     whole((all.names[i].top + all.names[i].bottom) / 2),
                     printable(arrows.lines[i].name), arrows.lines[i].colour);

    std::string out = title_text(arrows.title, screen);
    if (!arrows.y_label.empty())
        out += wrap(screen.paint("↑ " + arrows.y_label, Ink::faint), screen.width, "  ");
    int last = high;  // without the blank rows at the end
    while (last > 1 && canvas.row(last - 1, screen).empty()) --last;
    for (int y = 0; y < last; ++y) {
        const std::string line = canvas.row(y, screen);
        out += line.empty() ? "\n" : "  " + line + "\n";
    }
    if (!arrows.x_label.empty())
        out += wrap(screen.paint("→ " + arrows.x_label, Ink::faint), screen.width, "  ");
    return out;
}

// --- As SVG

std::string to_svg(const Arrows& arrows) {
    check_sizes(arrows);
    const PlacedArrows all = placed(
        arrows, {.width = arrows.same_scale ? 380.
                          : arrows.axes     ? 200.
                                            : 440.,
                 .height = arrows.same_scale ? 230.
                           : arrows.axes     ? 150.
                                             : 90.,
                 .shape = 1,
                 .letter = 15,
                 .away_x = 8,
                 .away_y = 6,
                 .half = 0,
                 .rim = 8,
                 .name_width = [](const std::string& name) { return svg_text_width(name); }});
    constexpr double side = 12;
    const double head = (arrows.title.empty() ? 4 : 28) + (arrows.y_label.empty() ? 0 : 20),
                 x_label = svg_text_width(arrows.x_label, 12);
    const double width = std::max({all.width + 2 * side, svg_text_width(arrows.title) * 1.08 + 8,
                                   svg_text_width(arrows.y_label, 12) + 8, x_label + 2 * side});
    const double height = head + all.height + side + (arrows.x_label.empty() ? 4 : 20);
    const bool slim = !arrows.same_scale && arrows.axes;  // several stand side by side
    Svg svg(width, height, arrows.title.empty() ? "arrows in a plane" : arrows.title,
            slim ? "heed plot slim" : "heed plot");
    svg.describe(in_words(arrows));
    if (!arrows.title.empty()) svg.text(4, 18, arrows.title, "start", "title");
    const auto x = [&](double at) { return side + at; };
    const auto y = [&](double at) { return head + at; };
    if (arrows.axes)
        svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}V{:.1f}"/>)",
                x(all.frame.left), y(all.origin.y), x(all.frame.right), x(all.origin.x),
                y(all.frame.top), y(all.frame.bottom));
    if (!arrows.y_label.empty()) svg.text(4, head - 8, "↑ " + arrows.y_label, "start", "faint");
    if (!arrows.x_label.empty())
        svg.text(width - 4, height - 6, "→ " + arrows.x_label, "end", "faint");
    for (std::size_t i = 0; i < arrows.lines.size(); ++i) {
        const Arrows::Line& line = arrows.lines[i];
        const std::vector<InPlane>& points = all.lines[i];
        const InPlane to = heading_of(points, 1), end = {x(points.back().x), y(points.back().y)};
        const bool has_head = line.end == Arrows::End::head && (to.x != 0 || to.y != 0);
        const InPlane before = points[points.size() > 1 ? points.size() - 2 : 0];
        const double tip = std::min(
            10.0, 0.7 * std::hypot(points.back().x - before.x, points.back().y - before.y));
        std::string path;
        for (std::size_t j = 0; j < points.size(); ++j) {
            // A line ends where its head begins.
            const double back = has_head && j + 1 == points.size() ? 0.6 * tip : 0;
            path += fmt::format("{}{:.1f} {:.1f}", j == 0 ? "M" : "L", x(points[j].x) - back * to.x,
                                y(points[j].y) - back * to.y);
        }
        svg.add(R"(<g class="s{}"><path class="line" d="{}"{}/>)", line.colour % 6, path,
                line.dashed ? R"( stroke-dasharray="5 5" stroke-opacity="0.8")" : "");
        if (has_head)
            svg.add(R"(<path class="dot" d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z"/>)", end.x,
                    end.y, end.x - tip * (to.x + 0.5 * to.y), end.y - tip * (to.y - 0.5 * to.x),
                    end.x - tip * (to.x - 0.5 * to.y), end.y - tip * (to.y + 0.5 * to.x));
        if (line.end == Arrows::End::ball)
            svg.add(R"(<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="6"/>)", end.x, end.y);
        svg.add("</g>");
    }
    for (std::size_t i = 0; i < arrows.lines.size(); ++i)
        if (!arrows.lines[i].name.empty())
            svg.text(x(all.names[i].left), y(all.names[i].bottom - 3.5), arrows.lines[i].name,
                     "start", "halo");
    return svg.finish();
}

}  // namespace heed::course
