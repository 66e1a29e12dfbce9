// A line plot in letters: with colour in Braille, whose characters are grids of 2 x 4 dots; without
// it with one plain letter for each series.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/plot_axes.h"
#include "lessons/course/terminal/text.h"
#include "nn/data/utf8.h"

namespace heed::course {
namespace {

constexpr int lines = 14;  // height of the plotting area, in lines of text

// Dots on a fine grid; each character remembers the last series that touched it.
class Canvas {
  public:
    Canvas(int columns, int rows, bool braille)
        : columns_(columns),
          rows_(rows),
          braille_(braille),
          dots_(static_cast<std::size_t>(columns * rows), 0),
          series_(dots_.size(), -1) {}

    // Positions run from 0 to 1, x to the right and y up.
    void line(double x0, double y0, double x1, double y1, int series) {
        const int steps = 1 + static_cast<int>(std::max(std::fabs(x1 - x0) * 2 * columns_,
                                                        std::fabs(y1 - y0) * 4 * rows_));
        for (int i = 0; i <= steps; ++i) {
            const double t = i / static_cast<double>(steps);
            dot(x0 + t * (x1 - x0), y0 + t * (y1 - y0), series);
        }
    }

    std::string row(int row, const Screen& screen) const {
        std::string out;
        for (int column = 0; column < columns_; ++column) {
            const std::size_t at = index(column, row);
            if (series_[at] < 0) {
                out += ' ';
            } else if (braille_) {
                out += screen.paint_series(utf8_encode(0x2800u + dots_[at]), series_[at]);
            } else {
                out += static_cast<char>('a' + series_[at] % 26);
            }
        }
        out.erase(out.find_last_not_of(' ') + 1);
        return out;
    }

  private:
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row * columns_ + column);
    }

    // Bits of a Braille character: the left column 1 2 4 40, the right one 8 10 20 80
    // (hexadecimal).
    void dot(double x, double y, int series) {
        constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return;
        const int fine_x = static_cast<int>(std::lround(x * (2 * columns_ - 1)));
        const int fine_y = static_cast<int>(std::lround((1 - y) * (4 * rows_ - 1)));
        const std::size_t at = index(fine_x / 2, fine_y / 4);
        dots_[at] |= bits[fine_y % 4][fine_x % 2];
        series_[at] = series;
    }

    int columns_, rows_;
    bool braille_;
    std::vector<unsigned> dots_;
    std::vector<int> series_;
};

void draw_series(Canvas& canvas, const Series& series, const PlotAxes& axes, int index) {
    double last_x = NAN, last_y = NAN;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double x = axes.x.place(series.x[i]), y = axes.y.place(series.y[i]);
        if (std::isfinite(x) && std::isfinite(y)) {
            const bool joined = std::isfinite(last_x) && std::isfinite(last_y);
            canvas.line(joined ? last_x : x, joined ? last_y : y, x, y, index);
        }
        last_x = x;
        last_y = y;
    }
}

// The label of the tick that lies on this line of text, if one does.
std::string label_at(const Axis& axis, int row) {
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        const double y = axis.place(axis.ticks[i]);
        if (static_cast<int>(std::lround((1 - y) * (lines - 1))) == row) return axis.labels[i];
    }
    return "";
}

std::string x_labels(const Axis& axis, int columns) {
    std::string line;
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        const int width = display_width(axis.labels[i]);
        const int place = static_cast<int>(std::lround(axis.place(axis.ticks[i]) * (columns - 1)));
        const int start = std::max(0, place - width / 2);
        if (start > display_width(line) || line.empty()) line = pad(line, start) + axis.labels[i];
    }
    return line;
}

}  // namespace

std::string to_text(const LinePlot& plot, const Screen& screen) {
    check_sizes(plot);
    int margin = 0;
    PlotAxes axes = axes_of(plot, 6, 5);
    for (const std::string& label : axes.y.labels) margin = std::max(margin, display_width(label));
    margin += 2;
    const int columns = std::clamp(screen.width - margin - 3, 16, 72);
    if (columns < 40) axes = axes_of(plot, 3, 5);

    Canvas canvas(columns, lines, screen.colour);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        draw_series(canvas, plot.series[i], axes, static_cast<int>(i));

    std::string out = title_text(plot.title, screen);
    out += wrap(screen.paint(plot.y_label, Ink::faint), screen.width, "  ");
    for (int row = 0; row < lines; ++row) {
        const std::string label = label_at(axes.y, row);
        out += pad(label, margin, Align::right) + (label.empty() ? " │" : " ┤");
        out += canvas.row(row, screen) + "\n";
    }
    out += pad("", margin + 1) + "└";
    for (int column = 0; column < columns; ++column) out += "─";
    out += "\n" + pad("", margin + 2) + x_labels(axes.x, columns) + "\n";
    const int before_x = margin + 2 + std::max(0, columns - display_width(plot.x_label)) / 2;
    out += wrap(screen.paint(plot.x_label, Ink::faint), screen.width, pad("", before_x));

    std::string legend;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const int index = static_cast<int>(i);
        const std::string sample =
            screen.colour ? "━━" : std::string(1, static_cast<char>('a' + index % 26)) + ":";
        legend += fmt::format("{}{} {}", i > 0 ? " · " : "", screen.paint_series(sample, index),
                              printable(plot.series[i].name));
    }
    return out + wrap(legend, screen.width, pad("", margin + 2));
}

}  // namespace heed::course
