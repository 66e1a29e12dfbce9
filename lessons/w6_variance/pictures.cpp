#include "lessons/w6_variance/pictures.h"

#include <string>
#include <vector>

#include "lessons/course/course.h"

namespace heed::workshop6 {

using namespace course;
using three_looks::Exact;

void show_two_lines(AtCall lesson, const two_cameras::EstimateOf& estimate, double x) {
    LinePlot plot{.x_label = "baseline b", .y_label = "estimate"};
    plot.series = {{.name = "A is drawn"}, {.name = "B is drawn"}};
    for (double b = 0; b <= 10; b += 0.1)
        for (int camera = 0; camera < 2; ++camera) {
            plot.series[camera].x.push_back(b);
            plot.series[camera].y.push_back(estimate(x, camera == 0 ? 0 : 1, b));
        }
    lesson->show("lines", plot, "The two estimates of the derivative, against the baseline.");
}

void show_constants(AtCall lesson, const Exact& exact, const Tensor& alone, const Tensor& best) {
    Table table({"baseline", "step 1", "step 2", "step 3", "exact variance"});
    const auto row = [&](const std::string& name, const Tensor& b) {  // [1, 3]
        table.row(name, number(b.at({0, 0}), 3), number(b.at({0, 1}), 3), number(b.at({0, 2}), 3),
                  number(exact.variance(b), 4));
    };
    row("none", zeros_like(best));
    row("mean loss", zeros_like(best) + exact.mean_loss());
    row("each step by itself", alone);
    row("best constants", best);
    lesson->table(table, "What is subtracted from the loss at each step, for the 216 paths.");
}

SharedResult show_shared(AtCall lesson, const Exact& exact, const Tensor& without_term,
                         const Tensor& with_term) {
    const SharedResult result{exact.variance(exact.mean_loss()), exact.variance(without_term),
                              exact.variance(with_term)};
    Table table({"baseline", "exact variance"});
    table.row("none", number(exact.variance(0), 4));
    table.row("mean loss", number(result.mean_loss, 4));
    table.row("best constants, first formula", number(result.without_term, 4));
    table.row("best constants, second formula", number(result.with_term, 4));
    lesson->table(table, "The problem in which the target of the loss is also a score.");
    return result;
}

}  // namespace heed::workshop6
