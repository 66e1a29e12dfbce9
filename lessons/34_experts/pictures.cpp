#include "lessons/34_experts/pictures.h"

namespace heed::lesson34 {

using namespace course;

Diagram two_of_four() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "One token, four experts, two of them computed"};
    diagram.boxes = {
        {.name = "token x", .column = 0, .row = 1.5, .kind = input},
        {.name = "router", .lines = {"2, -1, 1, 0"}, .column = 1, .row = 4, .kind = learned},
        {.name = "expert 1", .lines = {"weight 0.73"}, .column = 2, .row = 0, .kind = learned},
        {.name = "expert 2", .lines = {"not computed"}, .column = 2, .row = 1},
        {.name = "expert 3", .lines = {"weight 0.27"}, .column = 2, .row = 2, .kind = learned},
        {.name = "expert 4", .lines = {"not computed"}, .column = 2, .row = 3},
        {.name = "+", .column = 3, .row = 1, .round = true},
        {.name = "y", .column = 4, .row = 1, .kind = output}};
    diagram.arrows = {{0, 1}, {0, 2}, {0, 4}, {2, 6}, {4, 6}, {6, 7}};
    return diagram;
}

namespace {

HeatMap map_of(const std::string& title, const std::vector<double>& values) {
    HeatMap map{.title = title,
                .values = values,
                .row_axis = "kind",
                .column_axis = "expert",
                .value_name = "share of the kind"};
    for (int i = 1; i <= kinds; ++i) {
        map.row_labels.push_back(std::to_string(i));
        map.column_labels.push_back(std::to_string(i));
    }
    return map;
}

}  // namespace

void show_tables(AtCall lesson, const Means& without, const Means& with) {
    lesson->show(
        "tables",
        std::vector<HeatMap>{map_of("Before training", without.first.tables.front()),
                             map_of("Trained without balance", without.first.tables.back()),
                             map_of("Trained with balance", with.first.tables.back())},
        "Which expert takes the tokens of which kind, in the first of the tasks. A dark "
        "column is an expert that is used, a white one an expert that is not.");
}

void show_effective(AtCall lesson, const Means& without, const Means& with) {
    LinePlot plot{.title = with.experts > without.experts + 0.5
                               ? "The balance loss brings idle experts into use"
                               : "Experts in use, with and without the balance loss",
                  .x_label = "step",
                  .y_label = "effective number of experts",
                  .y_range = {0, 8.5}};
    plot.series = {without.series, with.series};
    plot.series[0].name = "without balance";
    plot.series[1].name = "with balance";
    lesson->show("effective", plot,
                 fmt::format("Mean over the tasks, with a band of one standard deviation."));
}

void show_rules(AtCall lesson, const std::vector<std::pair<std::string, Means>>& rules) {
    Table table({"trained by", "experts computed for a token", "experts in use", "error"});
    for (const auto& [name, means] : rules)
        table.row(name, number(means.work), number(means.experts), number(means.error));
    lesson->table(table,
                  "Means over the tasks. After training every token goes to its best expert only. "
                  "An answer of 0 would have the error 1.");
}

void show_facts(AtCall lesson, const std::vector<Learned>& all) {
    Table table({"network", "parameters", "multiply-adds for a token", "facts known", "seconds"});
    BarChart chart{.title = "What the experts hold for the work of the small network",
                   .value_label = "share of the facts known",
                   .high = 1};
    chart.sets = {{.name = "facts known"}};
    for (const Learned& one : all) {
        table.row(one.network.name, number(one.parameters), number(one.work), number(one.right),
                  number(one.seconds));
        chart.labels.push_back(one.network.name);
        chart.sets[0].values.push_back(one.right);
    }
    lesson->table(table, "The seconds are those of the training on this machine.");
    lesson->show(
        "facts", chart,
        "The first four networks cost about the same for a token, the last one about eight "
        "times as much.");
}

void show_texts(AtCall lesson, const std::vector<std::pair<std::string, double>>& losses) {
    Table table({"network", "loss, nats a character"});
    for (const auto& [name, loss] : losses) table.row(name, fmt::format("{:.3f}", loss));
    lesson->table(table, "Loss on unseen sentences, the mean of two models.");
}

}  // namespace heed::lesson34
