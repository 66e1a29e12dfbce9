// The two axes of a line plot, found once for both of its drawings.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lessons/course/figures/axis.h"
#include "lessons/course/figures/figures.h"

namespace heed::course {

struct PlotAxes {
    Axis x, y;
};

inline PlotAxes axes_of(const LinePlot& plot, int x_ticks, int y_ticks) {
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
    return {make_axis(x.first, x.second, plot.log_x, x_ticks, false),
            make_axis(y.first, y.second, plot.log_y, y_ticks, !fixed)};
}

}  // namespace heed::course
