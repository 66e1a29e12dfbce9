#include "lessons/14_reinforce/tables.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/course.h"

namespace heed::three_looks {

using namespace course;

BaselineResult show_baselines(Lesson& lesson, const std::vector<NamedEstimator>& rows,
                              const Exact& exact, Rng& rng, int batches,
                              const std::vector<SavedState>& changing) {
    Table table({"baseline", "variance", "exact variance", "standard errors"});
    BarChart chart{.value_label = "variance", .labels = {}, .sets = {{"measured", {}}}};
    BaselineResult result;
    for (const NamedEstimator& row : rows) {
        const Measured m = measure(row.estimator, exact, rng, batches, row.group, changing);
        table.row(row.name, number(m.variance, 3),
                  row.closed_form > 0 ? number(row.closed_form, 3) : "",
                  number(m.standard_errors, 2));
        chart.labels.push_back(row.name);
        chart.sets[0].values.push_back(m.variance);
        result.variance.push_back(m.variance);
        result.standard_errors = std::max(result.standard_errors, m.standard_errors);
        if (row.closed_form > 0)
            result.gap = std::max(result.gap, std::abs(m.variance / row.closed_form - 1));
    }
    lesson.table(
        table,
        fmt::format("{} samples for each row. Exact variance: the sum over all 216 paths. Standard "
                    "errors: the distance of the mean estimate from the exact gradient, for the "
                    "parameter where it is largest.",
                    number(batches * 2000)));
    lesson.show("variance", chart,
                "The variance of one estimate. The mean is the same for all six baselines.");
    return result;
}

std::vector<Measured> show_biases(Lesson& lesson, const std::vector<NamedEstimator>& rows,
                                  const Exact& exact, Rng& rng, int batches) {
    Table table({"estimator", "bias", "variance", "standard errors"});
    std::vector<Measured> all;
    for (const NamedEstimator& row : rows) {
        const Measured m = measure(row.estimator, exact, rng, batches);
        table.row(row.name, number(m.bias, 2), number(m.variance, 3),
                  m.standard_errors > 1e4 ? "above 10,000" : number(m.standard_errors, 3));
        all.push_back(m);
    }
    lesson.table(table,
                 "Bias: the distance of the mean estimate from the exact gradient, as a share of "
                 "the length of the gradient.");
    return all;
}

void show_gumbel_samples(Lesson& lesson) {
    constexpr int samples = 8;
    std::vector<HeatMap> maps;
    for (double temperature : {1.0, 0.2}) {
        Rng rng(lesson.seed());
        const Tensor scores =
            expand(tensor({std::log(4.0), 0.0}, {1, 2}, Dtype::float64), {samples, 2});
        HeatMap map{.title = fmt::format("temperature {}", temperature),
                    .values = gumbel_softmax(scores, temperature, rng).to_vector(),
                    .row_axis = "sample",
                    .column_axis = "camera"};
        map.column_labels = {"A", "B"};
        for (int i = 1; i <= samples; ++i) map.row_labels.push_back(fmt::format("{}", i));
        maps.push_back(std::move(map));
    }
    lesson.show("gumbel", maps,
                "Eight samples of Gumbel-softmax for the scores of the two cameras, with the same "
                "noise at both temperatures.");
}

SharedResult show_shared(Lesson& lesson, const Exact& exact, const Tensor& without_term,
                         const Tensor& with_term) {
    const SharedResult result{exact.variance(exact.mean_loss()), exact.variance(without_term),
                              exact.variance(with_term)};
    Table table({"baseline", "exact variance"});
    table.row("none", number(exact.variance(0), 4));
    table.row("mean loss", number(result.mean_loss, 4));
    table.row("best constants, first formula", number(result.without_term, 4));
    table.row("best constants, second formula", number(result.with_term, 4));
    lesson.table(table, "The problem in which the target of the loss is also a score.");
    return result;
}

}  // namespace heed::three_looks
