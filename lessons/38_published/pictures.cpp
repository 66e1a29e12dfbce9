#include "lessons/38_published/pictures.h"

#include <algorithm>
#include <cmath>

#include "attention/heads/positions.h"
#include "autograd/autograd.h"

namespace heed::lesson38 {

using namespace course;

BarChart details_chart(const std::vector<std::string>& names, const std::vector<double>& more) {
    BarChart chart{.title = "One detail is wrong", .value_label = "nats a token more"};
    chart.labels = names;
    chart.sets = {{.name = "more", .values = more}};
    for (double& value : chart.sets[0].values) value = std::max(value, 0.0);
    return chart;
}

HeatMap heads_map(const std::string& title, int64_t layers, int64_t heads,
                  const std::vector<double>& scores) {
    HeatMap map{.title = title, .values = scores, .row_axis = "layer", .column_axis = "head"};
    for (int64_t l = 1; l <= layers; ++l) map.row_labels.push_back(fmt::format("{}", l));
    for (int64_t h = 1; h <= heads; ++h) map.column_labels.push_back(fmt::format("{}", h));
    map.value_name = "score";
    return map;
}

LinePlot sink_plot(const std::vector<double>& on_first, double even) {
    std::vector<double> layers;
    for (std::size_t l = 1; l <= on_first.size(); ++l) layers.push_back(static_cast<double>(l));
    return {.x_label = "layer",
            .y_label = "weight on the first token",
            .series = {{"mean of the heads", layers, on_first},
                       {"an even share", layers, std::vector<double>(layers.size(), even)}},
            .y_range = {0, 1}};
}

// With the right rotation the score at distance d is the sum of cos(omega_i (d - 1)) over the pairs, the
// largest at d = 1.
std::vector<double> weights_by_distance(double base, RotaryLayout layout) {
    constexpr int64_t D = 16, last = 64, sharpness = 3;
    const Tensor key = ones({1, D}, Dtype::float64);
    const Tensor query = rotary(key, -1, 500, RotaryLayout::halves);  // turned back by one token
    const Tensor keys = rotary(expand(key, {last, D}), 1, base, layout);
    const Tensor scores =
        matmul(keys, transpose(rotary(query, last, base, layout))) * (sharpness / std::sqrt(D));
    std::vector<double> weights = softmax(reshape(scores, {last})).to_vector();
    std::reverse(weights.begin(), weights.end());  // key at position 64 has the distance 0
    return weights;
}

LinePlot distance_plot(double base, RotaryLayout layout) {
    std::vector<double> distances;
    for (int d = 0; d < 64; ++d) distances.push_back(d);
    return {
        .x_label = "distance to the key",
        .y_label = "weight",
        .series = {{"as it was made", distances, weights_by_distance(500, RotaryLayout::halves)},
                   {"as it is rotated", distances, weights_by_distance(base, layout)}},
        .y_range = {0, 1}};
}

}  // namespace heed::lesson38
