#include "lessons/material/corpora/two_cameras.h"

#include <cmath>

#include "lessons/course/course.h"

namespace heed::two_cameras {

using namespace course;

namespace {
double probability_of_a(double x) { return 1 / (1 + std::exp(-x)); }
constexpr double draws_a = 0, draws_b = 1 - 1e-9;  // values of u
}  // namespace

Spread spread(const EstimateOf& estimate, double x, double baseline) {
    const double p = probability_of_a(x), a = estimate(x, draws_a, baseline),
                 b = estimate(x, draws_b, baseline), mean = p * a + (1 - p) * b;
    return {mean, p * (1 - p) * (a - b) * (a - b)};
}

std::vector<double> show_outcomes(Lesson& lesson, const EstimateOf& estimate, double x,
                                  const std::vector<double>& baselines) {
    Table table({"baseline", "estimate if A", "if B", "mean", "variance"});
    std::vector<double> variances;
    for (double b : baselines) {
        const Spread s = spread(estimate, x, b);
        const auto two = [](double value) { return fmt::format("{:.2f}", value); };
        table.row(b, two(estimate(x, draws_a, b)), two(estimate(x, draws_b, b)), two(s.mean),
                  two(s.variance + 0.0));
        variances.push_back(s.variance);
    }
    lesson.table(table, "A is drawn with probability 0.8, B with 0.2.");
    return variances;
}

}  // namespace heed::two_cameras
