#include "lessons/14_reinforce/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/tensor/random.h"
#include "lessons/course/course.h"

namespace heed::lesson14 {

using namespace course;

// --- the two cameras ----------------------------------------------------------------------------

std::vector<Diagram> choice_diagrams() {
    Diagram soft{.title = "soft attention"};
    soft.boxes = {{"score x", {}, 0, 0, true},
                  {"softmax", {"0.8 and 0.2"}, 1, 0},
                  {"weighted mean", {"of both pictures"}, 2, 0},
                  {"loss", {}, 3, 0},
                  {"two pictures", {}, 1, 1, true}};
    soft.arrows = {{0, 1}, {1, 2}, {4, 2}, {2, 3}};

    Diagram hard{.title = "hard attention: the gradient of x is cut at the draw"};
    hard.boxes = {{"score x", {}, 0, 0, true},
                  {"softmax", {"0.8 and 0.2"}, 1, 0},
                  {"draw", {"A or B", "derivative 0"}, 2, 0},
                  {"loss", {"2 or 6"}, 3, 0},
                  {"one picture", {}, 2, 1, true}};
    hard.arrows = {{0, 1}, {1, 2}, {2, 3}, {4, 3}};

    Diagram reinforce{.title = "REINFORCE: a second way to x, around the draw"};
    reinforce.boxes = {{"score x", {}, 0, 0, true},
                       {"softmax", {"0.8 and 0.2"}, 1, 0},
                       {"draw", {"A or B", "derivative 0"}, 2, 0},
                       {"loss L", {"2 or 6", "detached"}, 3, 0},
                       {"ln p", {"of this camera", "has a gradient"}, 2, 1},
                       {"L ln p", {}, 4, 0.5}};
    reinforce.arrows = {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 5}, {4, 5}};
    return {soft, hard, reinforce};
}

void show_changes(AtCall lesson, double x,
                  const std::function<double(double, double)>& sampled_loss) {
    constexpr int draws = 100000;
    constexpr double h = 0.001;
    Rng rng(lesson->seed());
    int changed = 0;
    double total = 0;
    for (int i = 0; i < draws; ++i) {
        const double u = rng.uniform(), change = sampled_loss(x + h, u) - sampled_loss(x, u);
        changed += change != 0;
        total += change / h;
    }
    Table table({"the loss", "draws", "its change divided by 0.001"});
    table.row("stayed the same", number(draws - changed), 0);
    table.row("changed", number(changed), number(changed ? total / changed : 0));
    lesson->table(table, fmt::format("The score was changed by 0.001 in {} draws. The mean of the "
                                     "last column over all draws is {:.2f}.",
                                     number(draws), total / draws));
}

void show_steps(AtCall lesson, const std::function<double(double, double)>& sampled_loss) {
    constexpr int draws = 1000;
    Rng rng(lesson->seed());
    std::vector<double> us(draws);
    for (double& u : us) u = rng.uniform();
    LinePlot plot{.x_label = "score x of camera A", .y_label = "loss", .y_range = {1.5, 6.5}};
    plot.series = {{.name = "one draw, u = 0.35"},
                   {.name = "another draw, u = 0.9"},
                   {.name = "mean of 1,000 draws"}};
    for (double x = -4; x <= 6; x += 0.02) {
        double total = 0;
        for (const double u : us) total += sampled_loss(x, u);
        const double y[] = {sampled_loss(x, 0.35), sampled_loss(x, 0.9), total / draws};
        for (int i = 0; i < 3; ++i) {
            plot.series[i].x.push_back(x);
            plot.series[i].y.push_back(y[i]);
        }
    }
    lesson->show("steps", plot,
                 "The loss of a single draw is a step: flat, and then flat again. The mean of many "
                 "steps at different places is a hill.");
}

void show_scatter(AtCall lesson, const two_cameras::EstimateOf& estimate, double x,
                  double mean_loss) {
    const std::vector<double> counts{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    const double baselines[] = {0, mean_loss};
    std::vector<std::vector<double>> means[2];  // [with or without][count], of each repetition
    Rng rng(lesson->seed());
    for (auto& of_count : means) of_count.resize(counts.size());
    for (int repetition = 0; repetition < 200; ++repetition) {
        double sums[] = {0, 0};
        int n = 0;
        for (std::size_t c = 0; c < counts.size(); ++c) {
            for (; n < counts[c]; ++n) {
                const double u = rng.uniform();
                for (int i : {0, 1}) sums[i] += estimate(x, u, baselines[i]);
            }
            for (int i : {0, 1}) means[i][c].push_back(sums[i] / n);
        }
    }
    LinePlot plot{.title = "How far such a mean still scatters",
                  .x_label = "estimates averaged",
                  .y_label = "standard deviation of the mean",
                  .series = {{.name = "no baseline"}, {.name = "the mean loss as baseline"}},
                  .log_x = true,
                  .log_y = true};
    for (int i : {0, 1}) {
        plot.series[i].x = counts;
        for (const std::vector<double>& of_count : means[i])
            plot.series[i].y.push_back(summarise(of_count).deviation);
    }
    lesson->show("scatter", plot,
                 "The mean of 1, 2, 5, ... estimates for the two cameras, 200 times each. More "
                 "estimates help both alike, with the root of their number. The baseline lowers "
                 "the whole line: it does the work of almost five times as many estimates.");
}

// --- measurements -------------------------------------------------------------------------------

BaselineResult show_baselines(AtCall lesson, const std::vector<NamedEstimator>& rows,
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
    lesson->table(
        table,
        fmt::format("{} samples for each row. Exact variance: the sum over all 216 paths. Standard "
                    "errors: the distance of the mean estimate from the exact gradient, for the "
                    "parameter where it is largest.",
                    number(batches * 2000)));
    lesson->show("variance", chart,
                 "The variance of one estimate. The mean is the same for all six baselines.");
    return result;
}

std::vector<Measured> show_biases(AtCall lesson, const std::vector<NamedEstimator>& rows,
                                  const Exact& exact, Rng& rng, int batches) {
    Table table({"estimator", "bias", "variance", "standard errors"});
    std::vector<Measured> all;
    for (const NamedEstimator& row : rows) {
        const Measured m = measure(row.estimator, exact, rng, batches);
        table.row(row.name, number(m.bias, 2), number(m.variance, 3),
                  m.standard_errors > 1e4 ? "above 10,000" : number(m.standard_errors, 3));
        all.push_back(m);
    }
    lesson->table(
        table,
        "Bias: the distance of the mean estimate from the exact gradient, as a share of "
        "the length of the gradient. A score that never gets an estimate has the standard "
        "error 0; then the last number is above 10,000.");
    return all;
}

void show_gumbel_samples(AtCall lesson) {
    constexpr int samples = 8;
    std::vector<HeatMap> maps;
    for (double temperature : {1.0, 0.2}) {
        Rng rng(lesson->seed());
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
    lesson->show("gumbel", maps,
                 "Eight samples of Gumbel-softmax for the scores of the two cameras, with the same "
                 "noise at both temperatures.");
}

std::vector<Averaged> show_averages(course::AtCall lesson, const Exact& exact, Rng& rng,
                                    int batches) {
    const std::vector<NamedEstimator> estimators{
        {"no baseline", with_baseline(0)},
        {"the mean loss as baseline", with_baseline(exact.mean_loss())},
        {"straight-through", straight_through()},
        {"Gumbel-softmax, temperature 1", gumbel(1)}};
    course::LinePlot plot{.x_label = "samples averaged",
                          .y_label = "distance from the exact gradient, as a share of its length",
                          .log_x = true,
                          .log_y = true};
    std::vector<Averaged> all;
    for (const NamedEstimator& each : estimators) {
        all.push_back(errors_of_means(each.estimator, exact, rng, batches));
        plot.series.push_back({each.name, all.back().samples, all.back().distance});
    }
    lesson->show("averages", plot,
                 "Averaging reduces the variance, but not the bias. The lines begin with 125 "
                 "samples at the left edge. Where lines lie on each other, only one is visible.");
    return all;
}

}  // namespace heed::lesson14
