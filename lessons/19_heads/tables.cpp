#include "lessons/19_heads/tables.h"

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

std::vector<std::vector<Trained>> train_kinds(Lesson& lesson, const std::vector<Kind>& kinds,
                                              int steps) {
    Table table({"heads", "parameters", "both right", "successful runs"});
    std::vector<std::vector<Trained>> all;
    for (const auto& [name, options] : kinds) {
        // About a third of the runs with two heads fail, so in quick mode four of them are needed.
        const int seeds = !lesson.quick() ? 5 : options.heads > 1 ? 4 : 2;
        all.push_back(train_several(options, steps, seeds, 100 * lesson.seed()));
        table.row(name, parameter_count(all.back()[0].model),
                  mean_and_spread(accuracies(all.back())),
                  fmt::format("{} of {}", successes(all.back()), seeds));
    }
    lesson.table(table,
                 "Share of sentences with both answers right: mean and standard deviation over "
                 "runs.");
    return all;
}

namespace {

HeatMap map_of(const std::string& title, const RoleModel& model, Rng rng) {
    HeatMap map{.title = title};
    map.column_labels = {"who", "whom", "with", "for", "helped"};
    for (const std::vector<double>& head : mean_weights(model, rng)) {
        map.row_labels.push_back(fmt::format("head {}", map.row_labels.size() + 1));
        map.values.insert(map.values.end(), head.begin(), head.end());
    }
    map.row_axis = "head";
    map.column_axis = "key";
    return map;
}

}  // namespace

void show_weights(Lesson& lesson, const std::vector<Kind>& kinds,
                  const std::vector<std::vector<Trained>>& runs) {
    std::vector<HeatMap> maps;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].name != "four")
            maps.push_back(map_of(kinds[i].name, best_of(runs[i]).model, Rng(lesson.seed())));
    lesson.show("weights", maps,
                "The attention weights of the verb, averaged over 2,000 sentences; the best run of "
                "each kind.");
}

void show_ablation(Lesson& lesson, const std::vector<double>& with_both,
                   const std::vector<std::vector<double>>& without) {
    HeatMap map{.row_labels = {"both heads"}, .column_labels = {"who", "whom"}};
    map.values = with_both;
    for (const std::vector<double>& left : without) {
        map.row_labels.push_back(fmt::format("without head {}", map.row_labels.size()));
        map.values.insert(map.values.end(), left.begin(), left.end());
    }
    map.row_axis = "heads that are left";
    map.column_axis = "answer";
    map.value_name = "accuracy";
    lesson.show("ablation", map, "Accuracy for each role without one of the heads.");
}

std::vector<double> show_four_roles(Lesson& lesson, int steps, const std::vector<int>& heads) {
    Series all{.name = "all four right"}, each{.name = "each role"};
    for (int count : heads) {
        const auto runs =
            train_several({.heads = count, .relations = roles}, steps, 3, 100 * lesson.seed());
        std::vector<double> single;
        for (const Trained& run : runs) single.push_back(summarise(run.accuracy.each).mean);
        for (auto& [series, summary] :
             {std::pair(&all, summarise(accuracies(runs))), std::pair(&each, summarise(single))}) {
            series->x.push_back(count), series->y.push_back(summary.mean);
            series->low.push_back(summary.low), series->high.push_back(summary.high);
        }
    }
    const std::vector<double> means = all.y;
    lesson.show("four",
                LinePlot{.x_label = "heads",
                         .y_label = "share right",
                         .series = {each, all},
                         .log_x = true,
                         .y_range = {0, 1}},
                "Accuracy for four roles: mean, lowest and highest of three runs.");
    return means;
}

}  // namespace heed::lesson19
