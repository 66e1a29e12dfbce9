#include "lessons/24_masked_language_model/pictures.h"

#include <algorithm>

#include "lessons/course/figures/statistics.h"

namespace heed::lesson24 {

using namespace course;

Diagram two_heads() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "Filling gaps, then naming topics", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "tokens", .lines = {"15 % hidden"}, .kind = input},
        {.name = "table E", .lines = {"a row for each word"}, .row = 1, .kind = learned},
        {.name = "positions", .column = -1, .row = 1, .kind = learned},
        {.name = "segments", .column = 1, .row = 1, .kind = learned},
        {.name = "+", .row = 2, .round = true},
        {.name = "norm", .row = 3, .kind = learned},
        {.name = "self-attention", .lines = {"both directions"}, .row = 4, .kind = learned},
        {.name = "+, norm", .row = 5, .kind = learned},
        {.name = "feed-forward", .row = 6, .kind = learned},
        {.name = "+, norm", .row = 7, .kind = learned},
        {.name = "word head", .lines = {"ends with E"}, .column = -0.75, .row = 8, .kind = learned},
        {.name = "logits of words",
         .lines = {"loss at the gaps"},
         .column = -0.75,
         .row = 9,
         .kind = output},
        {.name = "mean", .lines = {"of all tokens"}, .column = 0.75, .row = 8},
        {.name = "4 logits",
         .lines = {"loss of the topic"},
         .column = 0.75,
         .row = 9,
         .kind = output}};
    diagram.arrows = {{0, 1},
                      {1, 4},
                      {2, 4},
                      {3, 4},
                      {4, 5},
                      {5, 6},
                      {6, 7},
                      {5, 7, "", Diagram::Side::left},
                      {7, 8},
                      {8, 9},
                      {7, 9, "", Diagram::Side::left},
                      {9, 10, "pre-training"},
                      {10, 11},
                      {9, 12, "fine-tuning"},
                      {12, 13}};
    diagram.frames = {{"each of the layers", {6, 7, 8, 9}}};
    return diagram;
}

course::HeatMap heat_map_of(const Fills& fills) {
    course::HeatMap map{.title = "What stands in the gap",
                        .values = fills.probabilities,
                        .row_labels = fills.texts,
                        .column_labels = fills.persons,
                        .row_axis = "text",
                        .column_axis = "word in the gap"};
    map.high = *std::max_element(map.values.begin(), map.values.end());
    map.value_name = "probability";
    return map;
}

course::Table table_of(const Accuracies& reached, const std::vector<int>& labelled) {
    std::vector<std::string> header{"reader"};
    for (int n : labelled) header.push_back(fmt::format("{} labels", n));
    Table table(header);
    for (const auto& [kind, by_count] : reached) {
        std::vector<std::string> cells{name_of(kind)};
        for (const auto& runs : by_count) cells.push_back(mean_and_spread(runs));
        table.add(cells);
    }
    return table;
}

LinePlot plot_of(const Accuracies& reached, const std::vector<int>& labelled) {
    course::LinePlot plot{.title = "What labels are worth",
                          .x_label = "labelled texts",
                          .y_label = "accuracy",
                          .log_x = true,
                          .y_range = {0.2, 1}};
    const std::vector<double> x(labelled.begin(), labelled.end());
    for (Kind kind : {Kind::masked, Kind::causal, Kind::scratch, Kind::mixed}) {
        const auto found = reached.find(kind);
        if (found == reached.end()) continue;
        const auto& by_count = found->second;
        std::vector<std::vector<double>> runs(by_count[0].size());
        for (const auto& each : by_count)
            for (std::size_t i = 0; i < each.size(); ++i) runs[i].push_back(each[i]);
        plot.series.push_back(course::over_seeds(name_of(kind), x, runs));
    }
    return plot;
}

course::BarChart bars_of(const std::vector<std::string>& words, const std::vector<double>& p) {
    course::BarChart chart{.title = "Does each word fit?",
                           .value_label = "probability at its own position",
                           .labels = words,
                           .high = 1};
    chart.sets = {{.name = "BERT", .values = p}};
    return chart;
}

}  // namespace heed::lesson24
