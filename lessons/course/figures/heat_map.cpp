#include "lessons/course/figures/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/base/error.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

namespace {

// Two digits, and three where they are all of the number: 2.25.
std::string short_number(double value) {
    const bool whole =
        std::fabs(value) < 10 && std::fabs(std::round(value * 100) - value * 100) < 1e-9;
    return number(value, whole ? 3 : 2);
}

}  // namespace

HeatMap attention_map(std::vector<std::string> queries, std::vector<std::string> keys,
                      std::vector<double> weights) {
    HeatMap map;
    map.values = std::move(weights);
    map.row_labels = std::move(queries);
    map.column_labels = std::move(keys);
    map.row_axis = "query";
    map.column_axis = "key";
    map.softmax = true;
    return map;
}

int HeatMap::height() const {
    return row_labels.empty() ? rows : static_cast<int>(row_labels.size());
}

int HeatMap::width() const {
    return column_labels.empty() ? columns : static_cast<int>(column_labels.size());
}

double HeatMap::level(int row, int column) const {
    const double value = values[static_cast<std::size_t>(row * width() + column)];
    const double level =
        low < 0 ? value / std::max(-low, std::fabs(high)) : (value - low) / (high - low);
    return std::clamp(level, low < 0 ? -1.0 : 0.0, 1.0);
}

void check_sizes(const HeatMap& map) {
    const int height = map.height(), width = map.width();
    check(height > 0 && width > 0, "heat map '{}': {} rows and {} columns; give labels or sizes",
          map.title, height, width);
    const std::size_t cells = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    check(map.values.size() == cells, "heat map '{}': {} values for {} rows of {} columns",
          map.title, map.values.size(), height, width);
    check(map.scores.empty() || map.scores.size() == cells,
          "heat map '{}': {} scores for {} rows of {} columns", map.title, map.scores.size(),
          height, width);
    check(map.low < map.high, "heat map '{}': its range runs from {} to {}", map.title, map.low,
          map.high);
    for (const auto& [row, column] : map.gold) {
        check(0 <= row && row < height && 0 <= column && column < width,
              "heat map '{}': outlined cell ({}, {}) lies outside {} x {}", map.title, row, column,
              height, width);
    }
}

// --- As text

// In colour, each cell has a background as strong as its weight; without colour, only the numbers
// show it. A Korean syllable fills two columns, so all widths are display widths.
namespace {

constexpr int usual_label = 14;  // labels are cut to this width where there is no room for more

// Weights are printed without the leading zero (.93), values of other ranges with two digits. A
// weight below 0.05 is printed as a dot.
std::string cell_text(const HeatMap& map, int row, int column) {
    const double value = map.values[static_cast<std::size_t>(row * map.width() + column)];
    if (!std::isfinite(value)) return " ";
    if (map.low != 0 || map.high != 1) return short_number(value);
    if (value < 0.05) return "·";
    return value >= 0.995 ? "1.0" : fmt::format("{:.2f}", value).substr(1);
}

// Without labels, a cell is one digit: its strength in tenths.
std::string digit(double level) {
    if (!std::isfinite(level)) return " ";
    const int tenths = std::min(9, static_cast<int>(std::fabs(level) * 10));
    return tenths == 0 ? "·"
           : level < 0 ? std::string(1, "-abcdefghi"[tenths])
                       : fmt::format("{}", tenths);
}

bool outlined(const HeatMap& map, int row, int column) {
    return std::find(map.gold.begin(), map.gold.end(), std::pair(row, column)) != map.gold.end();
}

// How a map without column labels is drawn. No map fills more than a screen: of a large one a line stands for several
// rows.
struct Dense {
    int columns = 1,
        rows = 1;         // of the matrix, in one cell of the drawing; a cell has the mean of them
    bool halves = false;  // two cells above each other in each character
    int rows_a_line() const { return halves ? 2 * rows : rows; }
};

constexpr int most_map_lines = 30;

Dense plan_dense(const HeatMap& map, const Screen& screen) {
    int labels = 0;
    for (const std::string& label : map.row_labels)
        labels = std::max(labels, 1 + display_width(label));
    const auto groups = [](int count, int most) { return (count + most - 1) / most; };
    Dense plan;
    plan.columns = groups(map.width(), std::max(1, screen.width - 2 - labels));
    plan.halves = screen.colour && map.row_labels.empty() && map.height() > 20;
    const int cells = plan.halves ? 2 * most_map_lines : most_map_lines;
    plan.rows = std::max(map.row_labels.empty() ? plan.columns : 1, groups(map.height(), cells));
    return plan;
}

// The mean level of the cells from (row, column) on; NaN if there is none.
double level_of(const HeatMap& map, const Dense& plan, int row, int column) {
    double sum = 0;
    int cells = 0;
    for (int i = row; i < std::min(row + plan.rows, map.height()); ++i)
        for (int j = column; j < std::min(column + plan.columns, map.width()); ++j)
            if (const double level = map.level(i, j); std::isfinite(level)) sum += level, ++cells;
    return sum / cells;
}

std::string draw_dense(const HeatMap& map, const Screen& screen) {
    const Dense plan = plan_dense(map, screen);
    const bool square = screen.colour && !plan.halves && 2 * map.width() + 2 <= screen.width;
    std::string out;
    for (int row = 0; row < map.height(); row += plan.rows_a_line()) {
        out += "  ";
        for (int column = 0; column < map.width(); column += plan.columns) {
            const double level = level_of(map, plan, row, column);
            out += plan.halves
                       ? screen.paint_halves(level, level_of(map, plan, row + plan.rows, column))
                   : screen.colour ? screen.paint_level(square ? "  " : " ", level)
                                   : digit(level);
        }
        if (!map.row_labels.empty() && plan.rows == 1)
            out += " " + map.row_labels[static_cast<std::size_t>(row)];
        out += '\n';
    }
    return out;
}

std::vector<std::string> printed(std::vector<std::string> labels) {
    for (std::string& label : labels) label = printable(label);
    return labels;
}

int widest_of(const std::vector<std::string>& labels) {
    int widest = 0;
    for (const std::string& label : labels) widest = std::max(widest, display_width(label));
    return widest;
}

// The labels as they are printed, and the width of each column. The columns that do not fit beside the row labels
// follow below, in a further block.
struct Labelled {
    std::vector<std::string> rows, columns;
    int side = 2;  // the width of the row labels
    std::vector<int> widths;

    // The first column of each block, and the number of columns.
    std::vector<int> blocks(int width) const {
        std::vector<int> first{0};
        int used = side;
        for (int column = 0; column < std::ssize(widths); ++column) {
            const int one = 1 + widths[static_cast<std::size_t>(column)];
            if (column > first.back() && used + one > width) {
                first.push_back(column);
                used = side;
            }
            used += one;
        }
        first.push_back(static_cast<int>(widths.size()));
        return first;
    }
};

Labelled labelled(const HeatMap& map, int row_width, int column_width) {
    Labelled all{shorten_apart(printed(map.row_labels), row_width),
                 shorten_apart(printed(map.column_labels), column_width),
                 2,
                 {}};
    if (!all.rows.empty()) all.side = 2 + widest_of(all.rows);
    const int narrowest = map.gold.empty() ? 3 : 5;
    for (int column = 0; column < map.width(); ++column) {
        int width =
            std::max(narrowest, display_width(all.columns[static_cast<std::size_t>(column)]));
        for (int row = 0; row < map.height(); ++row)
            width = std::max(width, display_width(cell_text(map, row, column)));
        all.widths.push_back(width);
    }
    return all;
}

// The labels as long as they can be without a further block: first those of the rows, then those of the columns.
Labelled plan_labelled(const HeatMap& map, const Screen& screen) {
    const std::size_t blocks = labelled(map, usual_label, usual_label).blocks(screen.width).size();
    const auto has_room = [&](const Labelled& plan) {
        return plan.side + 1 + *std::max_element(plan.widths.begin(), plan.widths.end()) <=
               screen.width;
    };
    const auto fits = [&](const Labelled& plan) {
        return has_room(plan) && plan.blocks(screen.width).size() <= blocks;
    };
    int rows = std::clamp(widest_of(printed(map.row_labels)), usual_label, screen.width),
        columns = std::clamp(widest_of(printed(map.column_labels)), usual_label, screen.width);
    while (rows > usual_label && !fits(labelled(map, rows, usual_label))) --rows;
    while (columns > usual_label && !fits(labelled(map, rows, columns))) --columns;
    while (columns > 3 && !has_room(labelled(map, rows, columns))) --columns;
    return labelled(map, rows, columns);
}

// Columns [first, last) with their labels above and the row labels to the left.
std::string draw_block(const HeatMap& map, const Screen& screen, const Labelled& plan, int first,
                       int last) {
    std::string out = pad("", plan.side);
    for (int column = first; column < last; ++column) {
        const std::size_t index = static_cast<std::size_t>(column);
        out += " " + pad(plan.columns[index], plan.widths[index], Align::centre);
    }
    out += '\n';

    for (int row = 0; row < map.height(); ++row) {
        const std::string label = plan.rows.empty() ? "" : plan.rows[static_cast<std::size_t>(row)];
        out += pad(label, plan.side, Align::right);
        for (int column = first; column < last; ++column) {
            std::string cell = cell_text(map, row, column);
            if (outlined(map, row, column)) cell = "[" + cell + "]";
            cell = pad(cell, plan.widths[static_cast<std::size_t>(column)], Align::centre);
            out += " " + screen.paint_level(cell, map.level(row, column));
        }
        out += '\n';
    }
    return out;
}

}  // namespace

std::string to_text(const HeatMap& map, const Screen& screen) {
    check_sizes(map);
    std::string out = title_text(map.title, screen);
    if (map.column_labels.empty()) return out + draw_dense(map, screen);

    const Labelled plan = plan_labelled(map, screen);
    const std::vector<int> blocks = plan.blocks(screen.width);
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
        out += (i > 0 ? "\n" : "") + draw_block(map, screen, plan, blocks[i], blocks[i + 1]);
    if (!map.gold.empty()) out += "  " + screen.paint("[ ] outlined", Ink::faint) + "\n";
    return out;
}

std::string signs_in_text(const std::vector<HeatMap>& maps, const Screen& screen) {
    for (const HeatMap& map : maps) {
        if (map.column_labels.empty()) {
            const Dense plan = plan_dense(map, screen);
            std::string signs;
            if (!screen.colour)
                signs = fmt::format("1 to 9: tenths of the largest number{}; · near 0. ",
                                    map.low < 0 ? ", a to i: below 0" : "");
            if (plan.rows_a_line() > 1)
                signs += fmt::format("One line is {} rows{}. ", plan.rows_a_line(),
                                     plan.halves && plan.rows == 1 ? "" : ", the mean of them");
            if (plan.columns > 1)
                signs += fmt::format("One character is {} columns. ", plan.columns);
            if (signs.empty()) continue;
            return wrap(signs.substr(0, signs.find_last_not_of(". ") + 1), screen.width, "  ");
        }
        for (int row = 0; row < map.height(); ++row)
            for (int column = 0; column < map.width(); ++column)
                if (cell_text(map, row, column) == "·") return "  · below 0.05\n";
    }
    return "";
}

// --- As SVG

// A cell's strength is the opacity of one colour, so the same file reads well on white and on
// black. Labelled cells carry their tokens and numbers, which are shown when the reader points at
// them.
namespace {

struct Layout {
    double left, top;      // corner of the first cell
    double width, height;  // of one cell
    bool slanted;          // column labels that are wider than a cell
    double total_width, total_height;
};

double widest(const std::vector<std::string>& labels) {
    double width = 0;
    for (const std::string& label : labels) width = std::max(width, svg_text_width(label));
    return width;
}

std::string number_in_cell(const HeatMap& map, double value) {
    if (map.low != 0 || map.high != 1) return short_number(value);
    if (value < 0.005) return "";
    return value >= 0.995 ? "1" : fmt::format("{:.2f}", value).substr(1);
}

constexpr double usual_cell = 38;

// A cell is as wide as its number and the label above it need, and wider if there is room on a narrow page.
double width_of_cell(const HeatMap& map, double label, double left) {
    double least = std::max(20.0, label + 5);
    for (const double value : map.values)
        if (std::isfinite(value))
            least = std::clamp(svg_text_width(number_in_cell(map, value), 12) + 4.5, least,
                               std::max(least, usual_cell));
    return std::clamp((narrow_page - left - 6) / map.width(), least,
                      std::max(label + 10, usual_cell));
}

Layout plan(const HeatMap& map) {
    Layout at{};
    const double longest = widest(map.column_labels);
    at.slanted = longest + 10 > 62;
    at.height = 30;
    const double side = map.row_labels.empty() ? 0 : widest(map.row_labels) + 10;
    at.left = 4 + side + (map.row_axis.empty() ? 0 : 22);
    at.width = at.slanted ? width_of_cell(map, 15, at.left + 0.5 * longest)
                          : width_of_cell(map, longest, at.left);
    at.top = 8 + (map.title.empty() ? 0 : 22) + (map.column_axis.empty() ? 0 : 20) +
             (at.slanted ? 14 + 0.72 * longest : 20);
    const double overhang = at.slanted ? 0.72 * longest : 0;
    at.total_width = at.left + at.width * map.width() + std::max(6.0, overhang - at.width / 2);
    at.total_width = std::max(at.total_width, 8 + svg_text_width(map.title) * 1.08);
    at.total_height = at.top + at.height * map.height() + 6;
    at.total_height = std::max(at.total_height, 8 + svg_text_width(map.row_axis, 12) * 1.08);
    return at;
}

// The script of the report finds the two labels of a cell by this attribute.
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
        svg.text(14, y, map.row_axis, "middle", "faint", rotated(-90, 14, y));
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
                     number + " " + rotated(-45, x, y));
        } else {
            svg.text(x, y, map.column_labels[column], "middle", "", number);
        }
    }
}

// The score of a cell as text; empty if it is not known.
std::string score_of(const HeatMap& map, std::size_t index) {
    if (!map.scores.empty()) return number(map.scores[index], 3);
    if (!map.softmax) return "";
    const std::size_t columns = map.column_labels.size();
    const auto row = map.values.begin() + static_cast<std::ptrdiff_t>(index - index % columns);
    const double best = *std::max_element(row, row + static_cast<std::ptrdiff_t>(columns));
    const double below = std::log(best / map.values[index]);
    return below == 0 ? "the largest" : number(below, 3) + " below the largest";
}

// The numbers of a cell: as attributes for the script of the report, and as a title where there is
// no script.
void draw_details(Svg& svg, const HeatMap& map, std::size_t row, std::size_t column) {
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

    draw_details(svg, map, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
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
        // On a shade of this strength black letters have less contrast than white ones: on a light
        // page from 0.80 on, on a dark page (where black and white change places) from 0.56 on.
        const double strength = std::fabs(level);
        svg.text(x + at.width / 2, y + at.height / 2 + 4.5, text, "middle",
                 strength > 0.803   ? "on small"
                 : strength > 0.557 ? "mid small"
                                    : "small");
    }
    svg.add("</g>");
}

// Without labels there are too many cells for one element each. They are sorted into twenty levels,
// and all cells of a level are one path.
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
            top + height + bottom, map.title.empty() ? "heat map" : map.title, "heed dense");
    svg.describe(in_words(map));
    if (!map.title.empty()) svg.text(4, 18, map.title, "start", "title");
    draw_dense(svg, map, left, top, cell);
    svg.text(left + width / 2, top + height + 18, map.column_axis, "middle", "faint");
    svg.text(14, top + height / 2, map.row_axis, "middle", "faint",
             rotated(-90, 14, top + height / 2));
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
    svg.describe(in_words(map));
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
