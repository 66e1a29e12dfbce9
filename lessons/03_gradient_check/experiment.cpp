#include "lessons/03_gradient_check/experiment.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson03 {

using namespace course;

// --- the planted bugs ---------------------------------------------------------------------------

Caught show_planted_bugs(Lesson& lesson, const Check& largest_error) {
    Rng rng(lesson.seed());
    Table table({"operation", "its gradient", "ones", "sum", "covector", "order 2"});
    Caught caught;
    for (const PlantedBug& bug : planted_bugs()) {
        std::vector<Tensor> all_ones, random;
        for (const Shape& shape : bug.inputs) {
            all_ones.push_back(ones(shape, Dtype::float64));
            // Absolute values between 0.2 and 1.2, away from the kink of relu, max(x, 0).
            const Tensor sign = 2 * bernoulli(shape, 0.5, rng, Dtype::float64) - 1;
            random.push_back(sign * uniform(shape, 0.2, 1.2, rng, Dtype::float64));
        }
        const double errors[] = {largest_error(bug.wrong, all_ones, nullptr),
                                 largest_error(bug.wrong, random, nullptr),
                                 largest_error(bug.wrong, random, &rng)};
        const GradcheckReport report = gradcheck(bug.wrong, random, {.order = 2});
        const bool first = report.orders[0].pass;
        const bool found[] = {errors[0] > 1e-7, errors[1] > 1e-7, errors[2] > 1e-7, !report.pass};
        if (bug.operation == "softmax")
            caught.softmax_sum = errors[1], caught.softmax_covector = errors[2];
        std::vector<std::string> cells{bug.operation, bug.mistake};
        for (bool finds : found) cells.push_back(finds ? "✓" : "·");
        table.add(cells);
        caught.ones += found[0];
        caught.sum += found[1];
        caught.covector += found[2];
        caught.both_orders += found[3];
        caught.agreed += found[2] == !first;
        caught.right_passed += largest_error(bug.right, random, &rng) <= 1e-7 &&
                               gradcheck(bug.right, random, {.order = 2}).pass;
    }
    lesson.table(table, "Which check finds (✓) which bug. The tolerance of all checks is 1e-7.");
    return caught;
}

// --- the step of a difference -------------------------------------------------------------------

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

StepErrors show_steps(Lesson& lesson, const std::vector<DifferenceKind>& kinds) {
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
    lesson.show("steps", found.plot,
                "The error of each difference against its step h. On the right of a curve's lowest "
                "point the error is that of the formula, on the left that of rounding.");
    return found;
}

}  // namespace heed::lesson03
