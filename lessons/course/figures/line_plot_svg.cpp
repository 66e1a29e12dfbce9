// A line plot as SVG: a faint grid, one line a series, a band where a spread is known, a dot at
// each point when there are few, and the names in a row above.
#include <algorithm>
#include <cmath>

#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/plot_axes.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

constexpr double total_width = 480, plot_height = 220, right = 14;
constexpr std::size_t series_colours = 6, few_points = 16;

struct Frame {
    PlotAxes axes;
    double left, top, width;

    double x(double value) const { return left + width * axes.x.place(value); }
    double y(double value) const { return top + plot_height * (1 - axes.y.place(value)); }
    // NaN compares false: such a point is in no picture.
    bool shows(double px, double py) const {
        return px >= left - 1 && px <= left + width + 1 && py >= top - 1 &&
               py <= top + plot_height + 1;
    }
};

// Lines are cut where a value is missing or outside, so a gap looks like a gap.
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

// Along the upper edge to the right, along the lower one back; what lies outside is cut at the
// frame.
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
    double free_from = 0;  // labels that would touch their neighbour are left out
    for (std::size_t i = 0; i < frame.axes.x.ticks.size(); ++i) {
        const double x = frame.x(frame.axes.x.ticks[i]);
        const double half = svg_text_width(frame.axes.x.labels[i], 12) / 2;
        svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}v4"/>)", x, bottom);
        if (x - half < free_from) continue;
        svg.text(std::min(x, total_width - half), bottom + 18, frame.axes.x.labels[i], "middle",
                 "faint");
        free_from = x + half + 6;
    }
    svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}"/>)", frame.left, bottom, end);
    svg.text((frame.left + end) / 2, bottom + 38, plot.x_label, "middle", "faint");
}

void draw_series(Svg& svg, const Frame& frame, const Series& series, std::size_t index) {
    svg.add(R"(<g class="s{}">)", index % series_colours);
    if (!series.low.empty()) svg.add(R"(<path class="band" d="{}"/>)", band_around(frame, series));
    svg.add(R"(<path class="line" d="{}"{}/>)", line_through(frame, series.x, series.y),
            index >= series_colours ? R"( stroke-dasharray="6 4")" : "");
    if (series.x.size() <= few_points) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const double px = frame.x(series.x[i]), py = frame.y(series.y[i]);
            if (frame.shows(px, py))
                svg.add(R"(<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="3.2"/>)", px, py);
        }
    }
    svg.add("</g>");
}

// Names in rows, each after a short piece of its line. Returns where the last row ends; with no svg
// it only measures.
double draw_legend(Svg* svg, const LinePlot& plot, double top) {
    double x = 4, y = top;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const double width = 30 + svg_text_width(plot.series[i].name) + 18;
        if (x > 4 && x + width > total_width + 18) x = 4, y += 20;
        if (svg) {
            svg->add(R"(<path class="line s{}" d="M{:.1f} {:.1f}h22"{}/>)", i % series_colours, x,
                     y + 9, i >= series_colours ? R"( stroke-dasharray="6 4")" : "");
            svg->text(x + 29, y + 13.5, plot.series[i].name);
        }
        x += width;
    }
    return y + 22;
}

}  // namespace

std::string to_svg(const LinePlot& plot) {
    check_sizes(plot);
    const bool legend = plot.series.size() > 1 || !plot.series[0].name.empty();
    const double legend_top = plot.title.empty() ? 4 : 26;
    const double label_top = legend ? draw_legend(nullptr, plot, legend_top) + 2 : legend_top;

    Frame frame{axes_of(plot, 5, 5), 0, 0, 0};
    for (const std::string& label : frame.axes.y.labels)
        frame.left = std::max(frame.left, svg_text_width(label, 12));
    frame.left += 14;
    frame.top = label_top + (plot.y_label.empty() ? 10 : 26);
    frame.width = total_width - frame.left - right;

    const double bottom = plot.x_label.empty() ? 26 : 46;
    Svg svg(total_width, frame.top + plot_height + bottom,
            plot.title.empty() ? plot.y_label : plot.title, "heed plot");
    if (!plot.title.empty()) svg.text(4, 18, plot.title, "start", "title");
    if (legend) draw_legend(&svg, plot, legend_top);
    svg.text(4, label_top + 12, plot.y_label, "start", "faint");
    draw_axes(svg, plot, frame);
    for (std::size_t i = 0; i < plot.series.size(); ++i) draw_series(svg, frame, plot.series[i], i);
    return svg.finish();
}

}  // namespace heed::course
