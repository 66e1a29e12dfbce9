// A query that is dragged among keys in two dimensions: scores, weights, and the value that comes out.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"

namespace heed::lesson17 {

using namespace course;

namespace {

struct Item {
    std::string name;
    double x, y, value;
};
const std::vector<Item> items{
    {"k1", 2, 0.5, 10}, {"k2", 0.5, 2, 20}, {"k3", -1.5, 1.2, 30}, {"k4", -0.5, -1.8, 40}};

Drawn draw(const Inputs& inputs) {
    const auto [qx, qy] = inputs.place("query");
    const double sharpness = inputs.number("sharpness");
    const Tensor q = tensor({qx, qy}, {1, 1, 2}, Dtype::float64);
    std::vector<double> places, values;
    for (const Item& item : items) {
        const auto [x, y] = inputs.place(item.name);
        places.insert(places.end(), {x, y});
        values.push_back(item.value);
    }
    const auto count = static_cast<std::int64_t>(items.size());
    const Tensor k = tensor(places, {1, count, 2}, Dtype::float64);
    const Tensor v = tensor(values, {1, count, 1}, Dtype::float64);
    const Tensor scores = sharpness * matmul(q, transpose(k)) / std::sqrt(2.0);  // [1, 1, K]
    const AttentionOutput output = soft_attention(scores, v);
    const std::vector<double> weights = output.weights.to_vector();

    Plane plane{.title = "Drag the query, or a key", .low = -3, .high = 3, .size = 360};
    BarChart chart{.title = "Weights", .value_label = "weight", .high = 1};
    chart.sets = {{.name = "weight", .values = weights}};
    for (std::size_t i = 0; i < items.size(); ++i) {
        plane.arrows.push_back(
            {.x = places[2 * i], .y = places[2 * i + 1], .colour = 0, .strength = weights[i]});
        plane.handles.push_back({.control = items[i].name,
                                 .x = places[2 * i],
                                 .y = places[2 * i + 1],
                                 .name = items[i].name,
                                 .arrow = false});
        chart.labels.push_back(items[i].name + ", value " +
                               std::to_string(std::lround(items[i].value)));
    }
    plane.handles.push_back({.control = "query", .x = qx, .y = qy, .name = "query"});
    return {.svgs = {to_svg(plane), to_svg(chart)},
            .numbers = {{"context", output.context.item(), 4},
                        {"largest weight", max(output.weights).item()},
                        {"score of k1", scores.at({0, 0, 0})}}};
}

std::vector<Control> controls() {
    std::vector<Control> all{place("query", "Query", 1.5, 1.5)};
    for (const Item& item : items) all.push_back(place(item.name, item.name, item.x, item.y));
    all.push_back(slider("sharpness", "Queries times", {0, 8, 0.25, 1}));
    return all;
}

const Registered figure({.name = "query", .controls = controls(), .draw = draw});

}  // namespace

}  // namespace heed::lesson17
