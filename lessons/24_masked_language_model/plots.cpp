#include "lessons/24_masked_language_model/plots.h"

#include <algorithm>

namespace heed::lesson24 {

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

course::LinePlot plot_of(const Accuracies& reached, const std::vector<int>& labelled) {
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
