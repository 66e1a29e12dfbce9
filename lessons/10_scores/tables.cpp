#include "lessons/10_scores/tables.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

using namespace heed;
using namespace heed::course;

VarianceResult show_variances(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    const int pairs = lesson.quick() ? 15000 : 40000;
    Table table({"width", "variance of q·k", "divided by width", "variance of q·k/√D"});
    VarianceResult result{};
    for (double D : widths) {
        const Variances v = score_variances(static_cast<int64_t>(D), pairs, rng);
        table.row(D, number(v.dot, 3), number(v.dot / D, 3), number(v.scaled, 3));
        result.plain = std::max(result.plain, std::abs(v.dot / D - 1));
        result.scaled = std::max(result.scaled, std::abs(v.scaled - 1));
        if (D == 64) result.at_64 = v.dot;
    }
    lesson.table(table, fmt::format("{} pairs of random vectors for each width D. The last two "
                                    "columns agree, because the division by √D divides the "
                                    "variance by D.",
                                    pairs));
    return result;
}

std::vector<Sweep> show_saturation(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    const std::vector<Sweep> sweeps = sweep_widths(widths, lesson.quick() ? 300 : 1000, rng);
    Table table({"at width 512", "entropy", "scores", "vanished", "values"});
    LinePlot entropy{.x_label = "width", .y_label = "entropy, in nats", .log_x = true};
    LinePlot gradient{
        .x_label = "width", .y_label = "norm of the gradient", .log_x = true, .log_y = true};
    for (const Sweep& s : sweeps) {
        entropy.series.push_back({s.name, widths, s.entropy});
        gradient.series.push_back({s.name, widths, s.scores});
        table.row(s.name, number(s.last.entropy, 2), number(s.last.scores, 2),
                  number(s.last.vanished, 2), number(s.last.values, 2));
    }
    lesson.show("entropy", entropy, "The entropy of the weights of 32 random keys.");
    lesson.show("gradient", gradient,
                "The norm of the gradient of the scores, after the backward pass through softmax.");
    lesson.table(table,
                 "Scores and values: the norm of their gradients. Vanished: the share of queries "
                 "where that of the scores is below 0.001.");
    return sweeps;
}

double Accuracies::best(const std::vector<ScoreKind>& kinds, const std::vector<Task>& tasks) const {
    double most = 0;
    for (ScoreKind kind : kinds)
        for (Task task : tasks) most = std::max(most, of(kind, task));
    return most;
}

ScoreKind Accuracies::most_tasks() const {
    int most = -1;
    ScoreKind winner{};
    for (ScoreKind kind : score_kinds()) {
        int solved = 0;
        for (const auto& [run, mean] : means_) solved += run.first == kind && mean > 0.9;
        if (solved > most) most = solved, winner = kind;
    }
    return winner;
}

namespace {

std::vector<double> rates(const Lesson& lesson) {
    return lesson.quick() ? std::vector<double>{0.01} : std::vector<double>{0.003, 0.01, 0.03};
}

int models(const Lesson& lesson) { return lesson.quick() ? 1 : 5; }

}  // namespace

Accuracies show_tasks(Lesson& lesson, int steps) {
    const Task tasks[] = {Task::symbols, Task::same_space, Task::other_space, Task::position};
    Table table({"score", "symbols", "same space", "other space", "position", "parameters"});
    HeatMap map{.row_axis = "score", .column_axis = "task", .value_name = "accuracy"};
    for (Task task : tasks) map.column_labels.emplace_back(name_of(task));
    Accuracies reached;
    for (ScoreKind kind : score_kinds()) {
        std::vector<std::string> cells{name_of(kind)};
        map.row_labels.emplace_back(name_of(kind));
        for (Task task : tasks) {
            const auto runs = learned_accuracies(task, kind, steps, models(lesson), rates(lesson),
                                                 1000 * lesson.seed());
            cells.push_back(mean_and_spread(runs, 2));
            map.values.push_back(summarise(runs).mean);
            reached.means_[{kind, task}] = map.values.back();
        }
        Rng rng(1);
        cells.push_back(number(static_cast<double>(parameter_count(LookupModel(kind, rng).score))));
        table.add(cells);
    }
    lesson.table(
        table,
        "Accuracy on new problems: mean and standard deviation over five seeds (with --quick one "
        "seed and no deviation). Parameters: those of the score alone, without the vectors of "
        "the symbols.");
    lesson.show("tasks", map,
                "Accuracy by score and task. Equal weights on all keys reach about 0.3, and a key "
                "chosen at random about 0.2.");
    return reached;
}

InitialValues show_initial_values(Lesson& lesson, int steps) {
    Table table({"score", "initial variance 32", "initial variance 1"});
    const auto reached = [&](ScoreKind kind, double scale) {
        return learned_accuracies(Task::symbols, kind, steps, models(lesson), rates(lesson),
                                  1000 * lesson.seed(), scale);
    };
    const double root = std::sqrt(static_cast<double>(width));
    const auto dot_large = reached(ScoreKind::dot, 1),
               dot_small = reached(ScoreKind::dot, 1 / root),
               scaled_large = reached(ScoreKind::scaled_dot, root),
               scaled_small = reached(ScoreKind::scaled_dot, 1);
    table.row("dot", mean_and_spread(dot_large, 2), mean_and_spread(dot_small, 2));
    table.row("scaled dot", mean_and_spread(scaled_large, 2), mean_and_spread(scaled_small, 2));
    lesson.table(table,
                 "Accuracy on task symbols: mean and standard deviation over the same seeds (with "
                 "--quick one seed and no deviation).");
    return {summarise(dot_large).mean, summarise(dot_small).mean, summarise(scaled_large).mean,
            summarise(scaled_small).mean};
}
