#include "lessons/course/figures/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/figures/axis.h"
#include "lessons/course/figures/dot_canvas.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/statistics.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

Series over_seeds(std::string name, std::vector<double> x,
                  const std::vector<std::vector<double>>& runs) {
    Series series{std::move(name), std::move(x), {}, {}, {}};
    for (const std::vector<double>& run : runs) {
        check(run.size() == series.x.size(), "series '{}': a run of {} values for {} points",
              series.name, run.size(), series.x.size());
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        std::vector<double> across;
        for (const std::vector<double>& run : runs) across.push_back(run[i]);
        const Summary summary = summarise(across);
        series.y.push_back(summary.mean);
        series.low.push_back(std::max(summary.low, summary.mean - summary.deviation));
        series.high.push_back(std::min(summary.high, summary.mean + summary.deviation));
    }
    return series;
}

void check_sizes(const LinePlot& plot) {
    check(!plot.series.empty(), "line plot '{}': no series", plot.title);
    for (const auto* range : {&plot.x_range, &plot.y_range})
        check(range->empty() || (range->size() == 2 && (*range)[0] < (*range)[1]),
              "line plot '{}': a range is {{low, high}}", plot.title);
    for (const Series& series : plot.series) {
        const std::size_t points = series.x.size();
        const bool band = series.low.empty() && series.high.empty();
        check(points > 0, "line plot '{}': series '{}' is empty", plot.title, series.name);
        check(series.y.size() == points, "line plot '{}': series '{}' has {} x and {} y",
              plot.title, series.name, points, series.y.size());
        check(band || (series.low.size() == points && series.high.size() == points),
              "line plot '{}': series '{}' has a band of {} and {} values for {} points",
              plot.title, series.name, series.low.size(), series.high.size(), points);
    }
}

namespace {

// The two axes, for both drawings.
struct PlotAxes {
    Axis x, y;
};

PlotAxes axes_of(const LinePlot& plot, int x_ticks, int y_ticks) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto extend = [](std::pair<double, double>& range, double value, bool log) {
        if (!std::isfinite(value) || (log && value <= 0)) return;
        range = {std::min(range.first, value), std::max(range.second, value)};
    };
    std::pair<double, double> x(infinity, -infinity), y(infinity, -infinity);
    for (const Series& series : plot.series) {
        for (const double value : series.x) extend(x, value, plot.log_x);
        for (const auto* values : {&series.y, &series.low, &series.high})
            for (const double value : *values) extend(y, value, plot.log_y);
    }
    const bool fixed = plot.y_range.size() == 2;
    if (fixed) y = {plot.y_range[0], plot.y_range[1]};
    if (!plot.x_range.empty()) x = {plot.x_range[0], plot.x_range[1]};
    return {make_axis(x.first, x.second, plot.log_x, x_ticks, false),
            make_axis(y.first, y.second, plot.log_y, y_ticks, !fixed)};
}

}  // namespace

// --- As text

// With colour, lines are drawn in Braille characters, each a grid of 2 x 4 dots, and are solid, dashed or
// dotted as well as coloured; without colour, with one letter for each series. The edges of a band are sparse
// dots of its series.
namespace {

// The height of the plotting area, in lines of text: less in a low window, so that all of the plot is seen at once.
constexpr int usual_height = 14, least_height = 8;

// What a line of each series looks like apart from its colour, and its sample in the legend.
struct Dashes {
    std::string_view pattern, sample;
};
constexpr Dashes dashes[] = {
    {"#", "━━━━"},           {"########..", "━━ ━"},     {"#...", "····"},
    {"######..#..", "━━·━"}, {"##########....", "━━━ "}, {"#####..#..#..", "━··━"}};
constexpr std::string_view sparse = "#.....";

const Dashes& dashes_of(int series) {
    return dashes[static_cast<std::size_t>(series) % std::size(dashes)];
}

void draw_line(DotCanvas& canvas, const std::vector<double>& xs, const std::vector<double>& ys,
               const PlotAxes& axes, int index, std::string_view pattern) {
    double last_x = NAN, last_y = NAN;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = axes.x.position(xs[i]), y = axes.y.position(ys[i]);
        if (std::isfinite(x) && std::isfinite(y)) {
            const bool joined = std::isfinite(last_x) && std::isfinite(last_y);
            canvas.line(joined ? last_x : x, joined ? last_y : y, x, y, index, pattern, drawn);
        }
        last_x = x;
        last_y = y;
    }
}

std::string letter_of(int index) { return {static_cast<char>('a' + index % 26)}; }

// Points are letters, with colour too: a coloured sign would say nothing to those who do not see the colour.
void draw_series(DotCanvas& canvas, const Series& series, const PlotAxes& axes, int index,
                 int columns, int lines) {
    if (!series.is_dots())
        return draw_line(canvas, series.x, series.y, axes, index, dashes_of(index).pattern);
    const auto cell = [](double at, int cells) {
        return static_cast<int>(std::lround(at * (cells - 1)));
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double x = axes.x.position(series.x[i]), y = axes.y.position(series.y[i]);
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
            canvas.write(cell(x, columns), cell(1 - y, lines), letter_of(index), index);
    }
}

// Without Braille dots there is no room for them.
void draw_band(DotCanvas& canvas, const Series& series, const PlotAxes& axes, int index) {
    if (series.low.empty()) return;
    draw_line(canvas, series.x, series.low, axes, index, sparse);
    draw_line(canvas, series.x, series.high, axes, index, sparse);
}

// The label of the tick on this line of text, or an empty text.
std::string label_at(const Axis& axis, int row, int lines) {
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        const double y = axis.position(axis.ticks[i]);
        if (static_cast<int>(std::lround((1 - y) * (lines - 1))) == row) return axis.labels[i];
    }
    return "";
}

std::string x_labels(const Axis& axis, int columns) {
    std::string line;
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        const int width = display_width(axis.labels[i]);
        const int centre =
            static_cast<int>(std::lround(axis.position(axis.ticks[i]) * (columns - 1)));
        const int start = std::max(0, std::min(centre - width / 2, columns - width));
        if (start > display_width(line) || line.empty()) line = pad(line, start) + axis.labels[i];
    }
    return line;
}

// The entries one after the other. One that does not fit in the rest of a line begins the next, so that a sample
// and its name stay together.
std::string legend_lines(const std::vector<std::string>& entries, int width,
                         const std::string& indent) {
    std::string out, line;
    for (const std::string& entry : entries) {
        const std::string longer = line.empty() ? entry : line + " · " + entry;
        const int mark = &entry == &entries.back() ? 0 : 2;  // the " ·" behind it
        if (!line.empty() && display_width(indent + longer) + mark > width)
            out +=
                wrap(display_width(indent + line) + 2 > width ? line : line + " ·", width, indent),
                line = entry;
        else
            line = longer;
    }
    return out + wrap(line, width, indent);
}

std::string legend_of(const LinePlot& plot, bool bands, int margin, const Screen& screen) {
    std::vector<std::string> legend;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const int index = static_cast<int>(i);
        const std::string sample = screen.colour && !plot.series[i].is_dots()
                                       ? std::string(dashes_of(index).sample)
                                       : letter_of(index) + ":";
        legend.push_back(fmt::format("{} {}", screen.paint_series(sample, index),
                                     printable(plot.series[i].name)));
    }
    if (bands) legend.emplace_back("sparse dots: the edges of the bands");
    return legend_lines(legend, screen.width, pad("", margin + 2));
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

    // The edges of more than two bands would hide the lines.
    const auto spreads = std::count_if(plot.series.begin(), plot.series.end(),
                                       [](const Series& s) { return !s.low.empty(); });
    const bool bands = screen.colour && 0 < spreads && spreads <= 2;

    const std::string above = title_text(plot.title, screen) +
                              wrap(screen.paint(plot.y_label, Ink::faint), screen.width, "  ");
    const int before_x = margin + 2 + std::max(0, columns - display_width(plot.x_label)) / 2;
    std::string below = pad("", margin + 1) + "└";
    for (int column = 0; column < columns; ++column) below += "─";
    below += "\n" + pad("", margin + 2) + x_labels(axes.x, columns) + "\n";
    below += wrap(screen.paint(plot.x_label, Ink::faint), screen.width, pad("", before_x));
    below += legend_of(plot, bands, margin, screen);
    // Telling::print() leaves two lines free, and one stands empty behind the caption.
    const auto others = static_cast<int>(std::count(above.begin(), above.end(), '\n') +
                                         std::count(below.begin(), below.end(), '\n'));
    const int lines = screen.window
                          ? std::clamp(screen.height - 3 - others, least_height, usual_height)
                          : usual_height;

    DotCanvas canvas(columns, lines, screen.colour);
    for (std::size_t i = 0; bands && i < plot.series.size(); ++i)
        draw_band(canvas, plot.series[i], axes, static_cast<int>(i));
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        draw_series(canvas, plot.series[i], axes, static_cast<int>(i), columns, lines);

    std::string out = above;
    for (int row = 0; row < lines; ++row) {
        const std::string label = label_at(axes.y, row, lines);
        out += pad(label, margin, Align::right) + (label.empty() ? " │" : " ┤");
        out += canvas.row(row, screen) + "\n";
    }
    return out + below;
}

// --- As SVG

// A faint grid, one line for each series, a band where a spread is known, a dot at each point if
// there are few. The names stand at the ends of the lines, or in a row above, and that of a single point
// beside it.
namespace {

constexpr double plot_height = 220, right = 14;
constexpr double leader = 18, least_beside = 280, line_of_text = 15;  // of the names at the ends
constexpr std::size_t series_colours = 6, few_points = 16;

const char* dash_of(const Series& series, std::size_t index) {
    return series.dashed || index >= series_colours ? R"( stroke-dasharray="6 4")" : "";
}

struct Frame {
    PlotAxes axes;
    double left, top, width;  // of the field between the axes
    double whole;             // with the numbers at the left

    double x(double value) const { return left + width * axes.x.position(value); }
    double y(double value) const { return top + plot_height * (1 - axes.y.position(value)); }
    // False for NaN.
    bool shows(double px, double py) const {
        return px >= left - 1 && px <= left + width + 1 && py >= top - 1 &&
               py <= top + plot_height + 1;
    }
};

// The line is interrupted where a value is missing or outside.
std::string line_through(const Frame& frame, const std::vector<double>& x,
                         const std::vector<double>& y) {
    std::string path;
    bool pen_down = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double px = frame.x(x[i]), py = frame.y(y[i]);
        const bool visible = frame.shows(px, py);
        if (visible) path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", px, py);
        pen_down = visible;
    }
    return path;
}

// Along the upper edge to the right and back along the lower edge, clipped at the frame.
std::string band_around(const Frame& frame, const Series& series) {
    std::string path;
    const auto add = [&](double x, double y) {
        const double px = frame.x(x);
        double py = frame.y(y);
        if (!std::isfinite(py) && frame.axes.y.log && y <= 0) py = frame.top + plot_height;
        if (!std::isfinite(px) || !std::isfinite(py)) return;
        py = std::clamp(py, frame.top, frame.top + plot_height);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) add(series.x[i], series.high[i]);
    for (std::size_t i = series.x.size(); i-- > 0;) add(series.x[i], series.low[i]);
    return path.empty() ? path : path + "z";
}

void draw_axes(Svg& svg, const LinePlot& plot, const Frame& frame) {
    const double bottom = frame.top + plot_height, end = frame.left + frame.width;
    for (std::size_t i = 0; i < frame.axes.y.ticks.size(); ++i) {
        const double y = frame.y(frame.axes.y.ticks[i]);
        svg.add(R"(<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/>)", frame.left, y, end);
        svg.text(frame.left - 8, y + 4, frame.axes.y.labels[i], "end", "faint");
    }
    double free_from = 0;  // labels that would touch the label before are left out
    for (std::size_t i = 0; i < frame.axes.x.ticks.size(); ++i) {
        const double x = frame.x(frame.axes.x.ticks[i]);
        const double half = svg_text_width(frame.axes.x.labels[i], 12) / 2;
        svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}v4"/>)", x, bottom);
        if (x - half < free_from) continue;
        svg.text(std::min(x, frame.whole - half), bottom + 18, frame.axes.x.labels[i], "middle",
                 "faint");
        free_from = x + half + 6;
    }
    svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}"/>)", frame.left, bottom, end);
    svg.text((frame.left + end) / 2, bottom + 38, plot.x_label, "middle", "faint");
}

void draw_series(Svg& svg, const Frame& frame, const Series& series, std::size_t index) {
    svg.add(R"(<g class="s{}">)", index % series_colours);
    if (!series.low.empty()) svg.add(R"(<path class="band" d="{}"/>)", band_around(frame, series));
    if (!series.is_dots())
        svg.add(R"(<path class="line" d="{}"{}/>)", line_through(frame, series.x, series.y),
                dash_of(series, index));
    if (series.is_dots() || series.x.size() <= few_points) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const double px = frame.x(series.x[i]), py = frame.y(series.y[i]);
            if (frame.shows(px, py))
                svg.add(R"(<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="3.2"/>)", px, py);
        }
    }
    svg.add("</g>");
}

// Whether the name of this series stands beside its only point. The others are at the ends of lines or in a row.
bool named_at_point(const LinePlot& plot, const Series& series) {
    return plot.names_at_ends && series.x.size() == 1 && !series.name.empty();
}

std::vector<std::size_t> others_of(const LinePlot& plot) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        if (!named_at_point(plot, plot.series[i])) others.push_back(i);
    return others;
}

struct PointName {
    double left, top, right, bottom;
    bool holds(double x, double y) const { return x > left && x < right && y > top && y < bottom; }
    bool meets(const PointName& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

// To the right of its point, or on the side where the fewest lines, points and names are.
PointName place_name(double x, double y, double width, const Frame& frame,
                     const std::vector<std::pair<double, double>>& drawn,
                     const std::vector<PointName>& names) {
    constexpr double away = 8, high = 13;
    const PointName sides[] = {{x + away, y - high / 2, x + away + width, y + high / 2},
                               {x - away - width, y - high / 2, x - away, y + high / 2},
                               {x - width / 2, y - away - high, x + width / 2, y - away},
                               {x - width / 2, y + away, x + width / 2, y + away + high}};
    PointName best{};
    double fewest = std::numeric_limits<double>::infinity();
    for (const PointName& box : sides) {
        double faults = 0;
        if (box.left < frame.left || box.right > frame.whole) faults += 1000;
        if (box.top < frame.top - high || box.bottom > frame.top + plot_height) faults += 1000;
        for (const auto& [px, py] : drawn) faults += box.holds(px, py) ? 1 : 0;
        for (const PointName& name : names) faults += box.meets(name) ? 100 : 0;
        if (faults < fewest) fewest = faults, best = box;
    }
    return best;
}

void draw_names_of_points(Svg& svg, const LinePlot& plot, const Frame& frame) {
    std::vector<std::pair<double, double>> drawn;  // points along all lines
    for (const Series& series : plot.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const double x = frame.x(series.x[i]), y = frame.y(series.y[i]);
            const std::size_t before = i > 0 && !series.is_dots() ? i - 1 : i;
            const double dx = frame.x(series.x[before]) - x, dy = frame.y(series.y[before]) - y;
            for (double t = 0; t < 1; t += 0.125) drawn.emplace_back(x + t * dx, y + t * dy);
        }
    }
    std::vector<PointName> names;
    for (const Series& series : plot.series) {
        if (!named_at_point(plot, series)) continue;
        names.push_back(place_name(frame.x(series.x[0]), frame.y(series.y[0]),
                                   svg_text_width(series.name), frame, drawn, names));
        svg.text(names.back().left, names.back().bottom - 2.5, series.name, "start", "halo");
    }
}

// Where each line ends on the page, or where it leaves it.
std::vector<double> ends_of(const LinePlot& plot, const std::vector<std::size_t>& lines,
                            const Frame& frame) {
    const double bottom = frame.top + plot_height;
    std::vector<double> ends;
    for (const std::size_t i : lines) {
        const Series& series = plot.series[i];
        double y = bottom;
        for (std::size_t j = 0; j < series.x.size(); ++j)
            if (frame.axes.x.position(series.x[j]) < 1.001 && std::isfinite(frame.y(series.y[j])))
                y = frame.y(series.y[j]);
        ends.push_back(std::clamp(y, frame.top, bottom));
    }
    return ends;
}

// How wide the field is beside the names at the ends, so that both fit a narrow page.
double width_beside_names(const LinePlot& plot, const std::vector<std::size_t>& lines,
                          const Frame& frame) {
    double names = 0;
    for (const std::size_t i : lines) names = std::max(names, svg_text_width(plot.series[i].name));
    return std::min(frame.width, narrow_page - frame.left - leader - names - 10);
}

// A name at the end of a line does not have to be looked up. There is room for it if the names are
// short, all lines end at the right edge, and no two at the same point.
bool named_at_ends(const LinePlot& plot, const std::vector<std::size_t>& lines,
                   const Frame& frame) {
    for (const std::size_t i : lines) {
        const Series& series = plot.series[i];
        if (series.name.empty() || !(frame.axes.x.position(series.x.back()) > 0.999)) return false;
    }
    if (width_beside_names(plot, lines, frame) < std::min(frame.width, least_beside)) return false;
    std::vector<double> ends = ends_of(plot, lines, frame);
    std::sort(ends.begin(), ends.end());
    const auto close = [](double above, double below) { return below - above < 3; };
    return ends.size() <= series_colours &&
           std::adjacent_find(ends.begin(), ends.end(), close) == ends.end();
}

// Each name as near to the end of its line as the others allow, and a short piece of line to it.
void draw_names_at_ends(Svg& svg, const LinePlot& plot, const std::vector<std::size_t>& lines,
                        const Frame& frame) {
    const double right_edge = frame.left + frame.width, bottom = frame.top + plot_height;
    const std::vector<double> ends = ends_of(plot, lines, frame);
    std::vector<std::size_t> order(ends.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ends[a] < ends[b]; });
    std::vector<double> at;
    for (const std::size_t i : order)
        at.push_back(at.empty() ? ends[i] : std::max(ends[i], at.back() + line_of_text));
    double lowest = bottom;
    for (std::size_t k = at.size(); k-- > 0; lowest -= line_of_text)
        at[k] = std::min(at[k], lowest);
    for (std::size_t k = 0; k < at.size(); ++k) {
        svg.add(R"(<path class="line s{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)", lines[order[k]],
                right_edge + 4, ends[order[k]], right_edge + leader - 4, at[k]);
        svg.text(right_edge + leader, at[k] + 4.5, plot.series[lines[order[k]]].name);
    }
}

// The names in rows, each after a short piece of its line or one of its points. Returns the y of the end of
// the last row. Without an svg it only measures.
double draw_legend(Svg* svg, const LinePlot& plot, const std::vector<std::size_t>& names,
                   double top, double width_of_plot) {
    double x = 4, y = top;
    for (const std::size_t i : names) {
        const double width = 30 + svg_text_width(plot.series[i].name) + 18;
        if (x > 4 && x + width > width_of_plot + 18) x = 4, y += 20;
        if (svg) {
            if (plot.series[i].is_dots())
                svg->add(
                    R"(<g class="s{}"><circle class="dot" cx="{:.1f}" cy="{:.1f}" r="3.2"/></g>)",
                    i % series_colours, x + 19, y + 9);
            else
                svg->add(R"(<path class="line s{}" d="M{:.1f} {:.1f}h22"{}/>)", i % series_colours,
                         x, y + 9, dash_of(plot.series[i], i));
            svg->text(x + 29, y + 13.5, plot.series[i].name);
        }
        x += width;
    }
    return y + 22;
}

}  // namespace

std::string to_svg(const LinePlot& plot, double size) {
    check_sizes(plot);
    Frame frame{axes_of(plot, 5, 5), 0, 0, 0, size};
    for (const std::string& label : frame.axes.y.labels)
        frame.left = std::max(frame.left, svg_text_width(label, 12));
    frame.left += 14;
    frame.width = size - frame.left - right;
    const std::vector<std::size_t> others = others_of(plot);
    const bool at_ends =
        plot.names_at_ends && !others.empty() && named_at_ends(plot, others, frame);
    const bool legend =
        !at_ends && !others.empty() && (plot.series.size() > 1 || !plot.series[0].name.empty());
    const double legend_top = plot.title.empty() ? 4 : 26;
    const double label_top =
        legend ? draw_legend(nullptr, plot, others, legend_top, size) + 2 : legend_top;
    frame.top = label_top + (plot.y_label.empty() ? 10 : 26);
    double names = 0;
    for (const std::size_t i : others) names = std::max(names, svg_text_width(plot.series[i].name));
    if (at_ends) frame.width = width_beside_names(plot, others, frame);

    const double bottom = plot.x_label.empty() ? 26 : 46;
    const double width = std::max(at_ends ? frame.left + frame.width + leader + names + 10 : size,
                                  svg_text_width(plot.title) * 1.08 + 8);
    Svg svg(width, frame.top + plot_height + bottom, plot.title.empty() ? plot.y_label : plot.title,
            "heed plot");
    svg.describe(in_words(plot));
    if (!plot.title.empty()) svg.text(4, 18, plot.title, "start", "title");
    if (legend) draw_legend(&svg, plot, others, legend_top, size);
    svg.text(4, label_top + 12, plot.y_label, "start", "faint");
    draw_axes(svg, plot, frame);
    for (std::size_t i = 0; i < plot.series.size(); ++i) draw_series(svg, frame, plot.series[i], i);
    if (at_ends) draw_names_at_ends(svg, plot, others, frame);
    draw_names_of_points(svg, plot, frame);
    return svg.finish();
}

}  // namespace heed::course
