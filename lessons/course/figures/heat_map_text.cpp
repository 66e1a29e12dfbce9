// A heat map in letters. In colour each cell has a ground as strong as its weight; without colour
// the numbers alone speak. Korean labels fill two columns a syllable, and everything still lines
// up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lessons/course/figures/figures.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

constexpr int widest_label = 14;

// Weights lose their leading zero (.93); other ranges keep two digits. Nearly nothing is a dot.
std::string cell_text(const HeatMap& map, int row, int column) {
    const double value = map.values[static_cast<std::size_t>(row * map.width() + column)];
    if (!std::isfinite(value)) return " ";
    if (map.low != 0 || map.high != 1) return number(value, 2);
    if (value < 0.05) return "·";
    return value >= 0.995 ? "1.0" : fmt::format("{:.2f}", value).substr(1);
}

// Without labels, one digit a cell: tenths of full strength.
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

std::string draw_dense(const HeatMap& map, const Screen& screen) {
    std::string out;
    const bool square = screen.colour && 2 * map.width() + 2 <= screen.width;
    int labels = 0;
    for (const std::string& label : map.row_labels)
        labels = std::max(labels, 1 + display_width(label));
    const int room = std::max(1, screen.width - 2 - labels);
    const int step = (map.width() + room - 1) / room;  // too wide: one cell of so many is shown
    for (int row = 0; row < map.height(); row += map.row_labels.empty() ? step : 1) {
        out += "  ";
        for (int column = 0; column < map.width(); column += step) {
            const double level = map.level(row, column);
            out += screen.colour ? screen.paint_level(square ? "  " : " ", level) : digit(level);
        }
        if (!map.row_labels.empty()) out += " " + map.row_labels[static_cast<std::size_t>(row)];
        out += '\n';
    }
    return out;
}

// Columns [first, last) with their labels above and the row labels to the left.
std::string draw_block(const HeatMap& map, const Screen& screen, int label_width,
                       const std::vector<int>& widths, int first, int last) {
    std::string out = pad("", label_width);
    for (int column = first; column < last; ++column) {
        const std::size_t index = static_cast<std::size_t>(column);
        const std::string label = printable(map.column_labels[index]);
        out += " " + pad(shorten(label, widest_label), widths[index], Align::centre);
    }
    out += '\n';

    for (int row = 0; row < map.height(); ++row) {
        const std::string label =
            map.row_labels.empty() ? "" : printable(map.row_labels[static_cast<std::size_t>(row)]);
        out += pad(shorten(label, widest_label), label_width, Align::right);
        for (int column = first; column < last; ++column) {
            std::string cell = cell_text(map, row, column);
            if (outlined(map, row, column)) cell = "[" + cell + "]";
            cell = pad(cell, widths[static_cast<std::size_t>(column)], Align::centre);
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

    int label_width = 2;
    for (const std::string& label : map.row_labels)
        label_width = std::max(label_width, 2 + std::min(widest_label, display_width(label)));
    std::vector<int> widths;
    const int narrowest = map.gold.empty() ? 3 : 5;
    for (int column = 0; column < map.width(); ++column) {
        const std::string& label = map.column_labels[static_cast<std::size_t>(column)];
        int width = std::max(narrowest, std::min(widest_label, display_width(label)));
        for (int row = 0; row < map.height(); ++row)
            width = std::max(width, display_width(cell_text(map, row, column)));
        widths.push_back(width);
    }

    // As many columns side by side as the terminal is wide; the rest follows below.
    for (int first = 0; first < map.width();) {
        int last = first, used = label_width;
        while (
            last < map.width() &&
            (last == first || used + 1 + widths[static_cast<std::size_t>(last)] <= screen.width)) {
            used += 1 + widths[static_cast<std::size_t>(last++)];
        }
        if (first > 0) out += '\n';
        out += draw_block(map, screen, label_width, widths, first, last);
        first = last;
    }
    if (!map.gold.empty()) out += "  " + screen.paint("[ ] the gold alignment", Ink::faint) + "\n";
    return out;
}

}  // namespace heed::course
