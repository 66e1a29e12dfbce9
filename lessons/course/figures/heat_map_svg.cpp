// A heat map as SVG. A cell's strength is the opacity of one colour, so the same file reads well on
// white and on black. Labelled cells carry their tokens and numbers for whoever points at them.
#include <algorithm>
#include <array>
#include <cmath>

#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

struct Layout {
    double left, top;      // where the cells begin
    double width, height;  // of one cell
    bool slanted;          // column labels, when they are wider than a cell
    double total_width, total_height;
};

double widest(const std::vector<std::string>& labels) {
    double width = 0;
    for (const std::string& label : labels) width = std::max(width, svg_text_width(label));
    return width;
}

Layout plan(const HeatMap& map) {
    Layout at{};
    const double longest = widest(map.column_labels);
    at.slanted = longest + 10 > 62;
    at.width = at.slanted ? 38 : std::max(38.0, longest + 10);
    at.height = 30;
    const double side = map.row_labels.empty() ? 0 : widest(map.row_labels) + 10;
    at.left = 4 + side + (map.row_axis.empty() ? 0 : 22);
    at.top = 8 + (map.title.empty() ? 0 : 22) + (map.column_axis.empty() ? 0 : 20) +
             (at.slanted ? 14 + 0.72 * longest : 20);
    const double overhang = at.slanted ? 0.72 * longest : 0;
    at.total_width = at.left + at.width * map.width() + std::max(6.0, overhang - at.width / 2);
    at.total_width = std::max(at.total_width, 8 + svg_text_width(map.title) * 1.08);
    at.total_height = at.top + at.height * map.height() + 6;
    at.total_height = std::max(at.total_height, 8 + svg_text_width(map.row_axis, 12) * 1.08);
    return at;
}

// By this the report finds the two labels of the cell pointed at.
std::string label_number(char axis, std::size_t index) {
    return fmt::format(R"(data-label="{}{}")", axis, index);
}

void draw_axes(Svg& svg, const HeatMap& map, const Layout& at) {
    const double middle = at.left + at.width * map.width() / 2;
    if (!map.title.empty()) svg.text(4, 18, map.title, "start", "title");
    if (!map.column_axis.empty())
        svg.text(middle, map.title.empty() ? 16 : 40, map.column_axis, "middle", "faint");
    if (!map.row_axis.empty()) {
        const double half = 4 + svg_text_width(map.row_axis, 12) * 0.54;
        const double y = std::clamp(at.top + at.height * map.height() / 2, half,
                                    std::max(half, at.total_height - half));
        svg.text(14, y, map.row_axis, "middle", "faint", turned(-90, 14, y));
    }
    for (std::size_t row = 0; row < map.row_labels.size(); ++row) {
        const double y = at.top + at.height * (static_cast<double>(row) + 0.5) + 4.5;
        svg.text(at.left - 8, y, map.row_labels[row], "end", "", label_number('r', row));
    }
    for (std::size_t column = 0; column < map.column_labels.size(); ++column) {
        const double x = at.left + at.width * (static_cast<double>(column) + 0.5);
        const double y = at.top - 8;
        const std::string number = label_number('c', column);
        if (at.slanted) {
            svg.text(x, y, map.column_labels[column], "start", "",
                     number + " " + turned(-45, x, y));
        } else {
            svg.text(x, y, map.column_labels[column], "middle", "", number);
        }
    }
}

std::string number_in_cell(const HeatMap& map, double value) {
    if (map.low != 0 || map.high != 1) return number(value, 2);
    if (value < 0.005) return "";
    return value >= 0.995 ? "1" : fmt::format("{:.2f}", value).substr(1);
}

// The score of a cell in words; none where it is not known.
std::string score_of(const HeatMap& map, std::size_t index) {
    if (!map.scores.empty()) return number(map.scores[index], 3);
    if (!map.softmax) return "";
    const std::size_t columns = map.column_labels.size();
    const auto row = map.values.begin() + static_cast<std::ptrdiff_t>(index - index % columns);
    const double best = *std::max_element(row, row + static_cast<std::ptrdiff_t>(columns));
    const double below = std::log(best / map.values[index]);
    return below == 0 ? "the best" : number(below, 3) + " below the best";
}

// What stands behind a cell: as attributes for the report's script, and as a title for everyone
// else.
void draw_story(Svg& svg, const HeatMap& map, std::size_t row, std::size_t column) {
    const std::size_t index = row * map.column_labels.size() + column;
    const std::string query =
        map.row_labels.empty() ? fmt::format("{}", row + 1) : escape(map.row_labels[row]);
    const std::string key = escape(map.column_labels[column]);
    const std::string value = number(map.values[index], 3);
    const std::string score = score_of(map, index);

    svg.add(R"(<g class="cell" data-r="{}" data-c="{}" data-row="{}" data-column="{}" )"
            R"(data-value="{}"{}>)",
            row, column, query, key, value,
            score.empty() ? "" : fmt::format(R"( data-score="{}")", score));
    svg.add("<title>{}, {}: {}{} {}</title>", query, key,
            score.empty() ? "" : "score " + score + ", ", escape(map.value_name), value);
}

void draw_cell(Svg& svg, const HeatMap& map, const Layout& at, int row, int column) {
    const std::size_t index = static_cast<std::size_t>(row * map.width() + column);
    const double x = at.left + at.width * column, y = at.top + at.height * row;
    const double value = map.values[index], level = map.level(row, column);
    if (!std::isfinite(value)) return;

    draw_story(svg, map, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
    const std::string box =
        fmt::format(R"(x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2")", x + 1, y + 1,
                    at.width - 2, at.height - 2);
    svg.add(R"(<rect class="empty" {}/>)", box);
    if (std::fabs(level) >= 0.005) {
        svg.add(R"(<rect class="{}" fill-opacity="{:.2f}" {}/>)", level < 0 ? "cold" : "hot",
                std::fabs(level), box);
    }
    const std::string text = number_in_cell(map, value);
    if (!text.empty() && svg_text_width(text, 12) < at.width - 4) {
        svg.text(x + at.width / 2, y + at.height / 2 + 4.5, text, "middle",
                 std::fabs(level) > 0.55 ? "on small" : "small");
    }
    svg.add("</g>");
}

// Without labels, cells are too many for an element each: they are sorted into twenty strengths,
// and each strength is one path.
void draw_dense(Svg& svg, const HeatMap& map, double left, double top, double cell) {
    constexpr int steps = 20;
    std::array<std::string, 2 * steps + 1> paths;
    for (int row = 0; row < map.height(); ++row) {
        for (int column = 0; column < map.width(); ++column) {
            const double level = map.level(row, column);
            if (!std::isfinite(level)) continue;
            paths[static_cast<std::size_t>(std::lround(level * steps) + steps)] +=
                fmt::format("M{:.4g} {:.4g}h{:.4g}v{:.4g}h-{:.4g}z", left + cell * column,
                            top + cell * row, cell, cell, cell);
        }
    }
    svg.add(R"(<rect class="empty" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)", left,
            top, cell * map.width(), cell * map.height());
    for (int step = -steps; step <= steps; ++step) {
        const std::string& path = paths[static_cast<std::size_t>(step + steps)];
        if (path.empty() || step == 0) continue;
        svg.add(R"(<path class="{}" fill-opacity="{:.2f}" d="{}"/>)", step < 0 ? "cold" : "hot",
                std::abs(step) / static_cast<double>(steps), path);
    }
}

std::string dense_svg(const HeatMap& map, double size) {
    const double cell = std::clamp(size / std::max(map.width(), map.height()), 2.0, 18.0);
    const double side = map.row_labels.empty() ? 0 : widest(map.row_labels) + 8;
    const double left = 24, top = 8 + (map.title.empty() ? 0 : 22);
    const double width = cell * map.width(), height = cell * map.height();
    const double bottom = (map.column_axis.empty() ? 6 : 26) + (map.low < 0 ? 18 : 0);
    Svg svg(std::max(left + width + side + 6, 8 + svg_text_width(map.title) * 1.08),
            top + height + bottom, map.title.empty() ? "heat map" : map.title);
    if (!map.title.empty()) svg.text(4, 18, map.title, "start", "title");
    draw_dense(svg, map, left, top, cell);
    svg.text(left + width / 2, top + height + 18, map.column_axis, "middle", "faint");
    svg.text(14, top + height / 2, map.row_axis, "middle", "faint",
             turned(-90, 14, top + height / 2));
    if (map.low < 0)
        svg.text(left, top + height + bottom - 6, "blue above 0, red below", "start", "faint");
    if (!map.column_axis.empty()) {
        svg.text(left, top + height + 18, "0", "start", "faint");
        svg.text(left + width, top + height + 18, fmt::format("{}", map.width() - 1), "end",
                 "faint");
    }
    if (!map.row_axis.empty()) {
        svg.text(left - 5, top + 10, "0", "end", "faint");
        svg.text(left - 5, top + height, fmt::format("{}", map.height() - 1), "end", "faint");
    }
    for (std::size_t row = 0; row < map.row_labels.size(); ++row)
        svg.text(left + width + 6, top + cell * (static_cast<double>(row) + 0.5) + 4,
                 map.row_labels[row]);
    return svg.finish();
}

}  // namespace

std::string to_svg(const HeatMap& map, double size) {
    check_sizes(map);
    if (map.column_labels.empty()) return dense_svg(map, size);

    const Layout at = plan(map);
    Svg svg(at.total_width, at.total_height, map.title.empty() ? "attention map" : map.title);
    svg.add(R"(<g class="map" data-rows="{}" data-columns="{}" data-value="{}">)",
            map.softmax ? "query" : escape(map.row_axis),
            map.softmax ? "key" : escape(map.column_axis), escape(map.value_name));
    draw_axes(svg, map, at);
    for (int row = 0; row < map.height(); ++row) {
        for (int column = 0; column < map.width(); ++column) draw_cell(svg, map, at, row, column);
    }
    for (const auto& [row, column] : map.gold) {
        svg.add(
            R"(<rect class="gold" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="3"/>)",
            at.left + at.width * column + 1, at.top + at.height * row + 1, at.width - 2,
            at.height - 2);
    }
    svg.add("</g>");
    return svg.finish();
}

}  // namespace heed::course
