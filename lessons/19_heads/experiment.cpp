#include "lessons/19_heads/experiment.h"

#include <algorithm>
#include <utility>

namespace heed::lesson19 {

using namespace course;

std::vector<double> accuracies(const std::vector<Trained>& runs) {
    std::vector<double> all;
    for (const Trained& run : runs) all.push_back(run.accuracy.all);
    return all;
}

bool is_successful(const Trained& run) { return run.accuracy.all >= 0.95; }

double successes(const std::vector<Trained>& runs) {
    return static_cast<double>(std::count_if(runs.begin(), runs.end(), is_successful));
}

std::vector<std::vector<Trained>> train_kinds(AtCall lesson, const std::vector<Kind>& kinds,
                                              int steps) {
    Table table({"heads", "parameters", "both right", "successful runs"});
    std::vector<std::vector<Trained>> all;
    for (const auto& [name, options] : kinds) {
        // About a third of the runs with two heads fail, so in quick mode four of them are needed.
        const int seeds = !lesson->quick() ? 5 : options.heads > 1 ? 4 : 2;
        all.push_back(train_several(options, steps, seeds, 100 * lesson->seed()));
        table.row(name, parameter_count(all.back()[0].model),
                  mean_and_spread(accuracies(all.back())),
                  fmt::format("{} of {}", successes(all.back()), seeds));
    }
    lesson->table(table,
                  "Share of sentences with both answers right: mean and standard deviation over "
                  "runs.");
    return all;
}

std::vector<double> show_four_roles(AtCall lesson, int steps, const std::vector<int>& heads) {
    Series all{.name = "all four right"}, each{.name = "each role"};
    for (int count : heads) {
        const auto runs =
            train_several({.heads = count, .relations = roles}, steps, 3, 100 * lesson->seed());
        std::vector<double> single;
        for (const Trained& run : runs) single.push_back(summarise(run.accuracy.each).mean);
        for (auto& [series, summary] :
             {std::pair(&all, summarise(accuracies(runs))), std::pair(&each, summarise(single))}) {
            series->x.push_back(count), series->y.push_back(summary.mean);
            series->low.push_back(summary.low), series->high.push_back(summary.high);
        }
    }
    const std::vector<double> means = all.y;
    lesson->show("four",
                 LinePlot{.x_label = "heads",
                          .y_label = "share right",
                          .series = {each, all},
                          .log_x = true,
                          .y_range = {0, 1}},
                 "Accuracy for four roles: mean, lowest and highest of three runs.");
    return means;
}

}  // namespace heed::lesson19
