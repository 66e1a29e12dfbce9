#include "lessons/course/figures/scatter_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/base/error.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

constexpr std::size_t series_colours = 6;

// One point of any group, with coordinates from 0 to 1 in a frame of the given shape: x to the right
// and y down.
struct Point {
    double x, y;
    std::size_t group;
    std::string name;
    bool shown = true, ringed = false;  // the name, the point
};

// All finite points, with the same scale for both axes. `ratio` is the width of the frame over its
// height.
std::vector<Point> points_of(const ScatterPlot& plot, double ratio) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double left = infinity, right = -infinity, low = infinity, high = -infinity;
    std::vector<Point> points;
    for (std::size_t g = 0; g < plot.groups.size(); ++g) {
        const ScatterPlot::Group& group = plot.groups[g];
        for (std::size_t i = 0; i < group.x.size(); ++i) {
            if (!std::isfinite(group.x[i]) || !std::isfinite(group.y[i])) continue;
            points.push_back(
                {group.x[i], group.y[i], g, group.names.empty() ? "" : printable(group.names[i])});
            left = std::min(left, group.x[i]), right = std::max(right, group.x[i]);
            low = std::min(low, group.y[i]), high = std::max(high, group.y[i]);
        }
    }
    const double height = std::max({high - low, (right - left) / ratio, 1e-300}),
                 width = ratio * height;
    const auto among = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (Point& point : points) {
        point.shown = plot.shown.empty() || among(plot.shown, point.name);
        point.ringed = among(plot.ringed, point.name);
        point.x = 0.5 + (point.x - (left + right) / 2) / width;
        point.y = 0.5 - (point.y - (low + high) / 2) / height;
    }
    std::stable_partition(points.begin(), points.end(), [](const Point& p) { return p.shown; });
    return points;
}

}  // namespace

void check_sizes(const ScatterPlot& plot) {
    check(!plot.groups.empty(), "scatter plot '{}': no groups", plot.title);
    for (const ScatterPlot::Group& group : plot.groups) {
        check(group.x.size() == group.y.size(), "scatter plot '{}': group '{}' has {} x and {} y",
              plot.title, group.name, group.x.size(), group.y.size());
        check(group.names.empty() || group.names.size() == group.x.size(),
              "scatter plot '{}': group '{}' has {} names for {} points", plot.title, group.name,
              group.names.size(), group.x.size());
    }
}

// --- As text

namespace {

// Lines of cells. A name takes as many cells as it is wide; a Korean syllable takes two.
class Cells {
  public:
    Cells(int columns, int rows)
        : columns_(columns), cells_(static_cast<std::size_t>(columns * rows), " ") {}

    bool free(int row, int from, int width) const {
        if (from < 0 || from + width > columns_) return false;
        for (int column = std::max(0, from - 1); column < std::min(columns_, from + width + 1);
             ++column)
            if (cells_[at(row, column)] != " ") return false;
        return true;
    }
    // Puts the text into its first cell and leaves the others empty.
    void put(int row, int from, int width, const std::string& text) {
        for (int column = from; column < from + width; ++column) cells_[at(row, column)].clear();
        cells_[at(row, from)] = text;
    }
    bool empty(int row, int column) const { return cells_[at(row, column)] == " "; }
    std::string line(int row) const {
        std::string text;
        for (int column = 0; column < columns_; ++column) text += cells_[at(row, column)];
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

  private:
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row * columns_ + column);
    }
    int columns_;
    std::vector<std::string> cells_;
};

}  // namespace

std::string to_text(const ScatterPlot& plot, const Screen& screen) {
    check_sizes(plot);
    const auto letter = [&](std::size_t group) {
        return screen.colour ? std::string("•")
                             : std::string(1, static_cast<char>('a' + group % 26));
    };
    const std::string title = title_text(plot.title, screen);
    std::string legend;
    for (std::size_t g = 0; g < plot.groups.size(); ++g)
        legend += fmt::format(
            "{}{} {}", g > 0 ? " · " : "",
            screen.paint_series(letter(g) + (screen.colour ? "" : ":"), static_cast<int>(g)),
            printable(plot.groups[g].name));
    legend = wrap(legend, screen.width, "  ");

    // Lower in a low window, as a line plot is.
    const int columns = std::clamp(screen.width - 4, 16, 92), usual = std::max(8, columns / 4);
    const auto others = static_cast<int>(std::count(title.begin(), title.end(), '\n') +
                                         std::count(legend.begin(), legend.end(), '\n'));
    const int rows = screen.window ? std::clamp(screen.height - 3 - others, 8, usual) : usual;
    Cells cells(columns, rows);
    for (const Point& point : points_of(plot, columns / (2.0 * rows))) {
        const int row = std::clamp(static_cast<int>(point.y * rows), 0, rows - 1);
        const int column = std::clamp(static_cast<int>(point.x * columns), 0, columns - 1);
        std::string name = point.shown ? point.name : "";
        if (!screen.colour && !name.empty()) name = letter(point.group) + ":" + name;
        if (point.ringed && !name.empty()) name = "(" + name + ")";
        const int width = display_width(name),
                  from = std::clamp(column - width / 2, 0, std::max(0, columns - width));
        if (width > 0 && cells.free(row, from, width))
            cells.put(row, from, width, screen.paint_series(name, static_cast<int>(point.group)));
        else if (cells.empty(row, column))
            cells.put(row, column, 1,
                      screen.paint_series(letter(point.group), static_cast<int>(point.group)));
    }
    std::string out = title;
    for (int row = 0; row < rows; ++row) {
        const std::string line = cells.line(row);
        out += line.empty() ? "\n" : "  " + line + "\n";
    }
    return out + legend;
}

// --- As SVG

namespace {

constexpr double frame_width = 640, frame_height = 440, margin = 34;

struct Box {
    double left, top, right, bottom;
    bool touches(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

// Where a name can stand beside its point: right, left, above, below.
std::vector<Box> spots(double x, double y, double width) {
    const double height = 12;
    return {{x + 5, y - 6, x + 5 + width, y + 6},
            {x - 5 - width, y - 6, x - 5, y + 6},
            {x - width / 2, y - 5 - height, x + width / 2, y - 5},
            {x - width / 2, y + 5, x + width / 2, y + 5 + height}};
}

// The groups in rows. Returns the y of the end of the last row; without an svg it only measures.
double draw_legend(Svg* svg, const ScatterPlot& plot, double top) {
    double x = 4, y = top;
    for (std::size_t g = 0; g < plot.groups.size(); ++g) {
        const double width = 14 + svg_text_width(plot.groups[g].name) + 16;
        if (x > 4 && x + width > frame_width) x = 4, y += 20;
        if (svg) {
            svg->add(R"(<circle class="dot s{}" cx="{:.1f}" cy="{:.1f}" r="4"/>)",
                     g % series_colours, x + 4, y + 9);
            svg->text(x + 13, y + 13.5, plot.groups[g].name);
        }
        x += width;
    }
    return y + 24;
}

}  // namespace

std::string to_svg(const ScatterPlot& plot) {
    check_sizes(plot);
    const double legend_top = plot.title.empty() ? 4 : 26;
    const double top = draw_legend(nullptr, plot, legend_top) + (plot.y_label.empty() ? 0 : 20);
    const bool labelled = !plot.x_label.empty();
    Svg svg(frame_width, top + frame_height + (labelled ? 28 : 8),
            plot.title.empty() ? "points in a plane" : plot.title, "heed plot");
    svg.describe(in_words(plot));
    if (!plot.title.empty()) svg.text(4, 18, plot.title, "start", "title");
    draw_legend(&svg, plot, legend_top);
    svg.text(4, top - 8, plot.y_label, "start", "faint");
    svg.add(R"(<path class="axis" d="M1 {:.1f}h{:.1f}v{:.1f}h-{:.1f}z"/>)", top, frame_width - 2,
            frame_height, frame_width - 2);
    if (labelled)
        svg.text(frame_width / 2, top + frame_height + 19, plot.x_label, "middle", "faint");

    const double width = frame_width - 2 * margin, height = frame_height - 2 * margin / 2;
    std::vector<Box> taken;
    const std::vector<Point> points = points_of(plot, width / height);
    const auto x_of = [&](const Point& point) { return margin + width * point.x; };
    const auto y_of = [&](const Point& point) { return top + margin / 2 + height * point.y; };
    for (const Point& point : points)  // a few names are worth a point that they cover
        if (plot.shown.empty())
            taken.push_back({x_of(point) - 3, y_of(point) - 3, x_of(point) + 3, y_of(point) + 3});
    for (const Point& point : points) {
        const double x = x_of(point), y = y_of(point);
        svg.add(
            R"(<circle class="dot s{}" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>)",
            point.group % series_colours, x, y, escape(point.name));
        if (point.ringed)
            svg.add(R"(<circle class="line s{}" cx="{:.1f}" cy="{:.1f}" r="7"/>)",
                    point.group % series_colours, x, y);
    }
    for (const Point& point : points) {
        const double x = x_of(point), y = y_of(point);
        if (point.name.empty() || !point.shown) continue;
        for (const Box& box : spots(x, y, svg_text_width(point.name, 11))) {
            if (box.left < 2 || box.right > frame_width - 2 || box.top < top ||
                box.bottom > top + frame_height)
                continue;
            if (std::any_of(taken.begin(), taken.end(),
                            [&](const Box& other) { return box.touches(other); }))
                continue;
            taken.push_back(box);
            svg.text(box.left, box.bottom - 2, point.name, "start",
                     plot.shown.empty() ? "small" : "small halo");
            break;
        }
    }
    return svg.finish();
}

}  // namespace heed::course
