#include "lessons/03_gradient_check/experiment.h"

#include <algorithm>
#include <cmath>

namespace heed::lesson03 {

using namespace course;

namespace {

std::size_t nearest(const Series& curve, double h) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
        if (std::abs(std::log(curve.x[i] / h)) < std::abs(std::log(curve.x[best] / h))) best = i;
    return best;
}

std::size_t lowest(const Series& curve) {
    return std::min_element(curve.y.begin(), curve.y.end()) - curve.y.begin();
}

}  // namespace

double StepErrors::best_step(int kind) const {
    return plot.series[kind].x[lowest(plot.series[kind])];
}

double StepErrors::smallest_error(int kind) const {
    return plot.series[kind].y[lowest(plot.series[kind])];
}

double StepErrors::error_at(int kind, double h) const {
    return plot.series[kind].y[nearest(plot.series[kind], h)];
}

double StepErrors::slope(int kind, double from, double to) const {
    return std::log(error_at(kind, from) / error_at(kind, to)) / std::log(from / to);
}

StepErrors show_steps(AtCall lesson, const std::vector<DifferenceKind>& kinds) {
    StepErrors found{
        {.x_label = "step h", .y_label = "relative error", .log_x = true, .log_y = true}};
    for (const DifferenceKind& kind : kinds) {
        Series curve{.name = kind.name};
        for (int i = 0; i <= 48; ++i) {
            curve.x.push_back(std::pow(10, -0.25 * i));
            curve.y.push_back(kind.error(curve.x.back()));
        }
        found.plot.series.push_back(curve);
    }
    lesson->show(
        "steps", found.plot,
        "The error of each difference against its step h. On the right of a curve's lowest "
        "point the error is that of the formula, on the left that of rounding.");
    return found;
}

}  // namespace heed::lesson03
