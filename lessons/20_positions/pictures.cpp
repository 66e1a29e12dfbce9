#include "lessons/20_positions/pictures.h"

#include <cmath>
#include <numbers>

#include "attention/heads/positions.h"
#include "autograd/autograd.h"

namespace heed::lesson20 {

using namespace course;

Arrows one_word_at_two_places() {
    const Tensor word = tensor({1., 0.}, {1, 1, 1, 2}, Dtype::float64);
    const std::vector<double> rotated = rotary(expand(word, {1, 1, 5, 2}), 0).to_vector();
    // A hand that starts at 12 and runs clockwise has the sine to the right and the cosine upwards.
    Arrows clock{.title = "dog in two places"};
    Arrows::Line circle{.colour = 5, .end = Arrows::End::none, .dashed = true};
    for (int i = 0; i <= 60; ++i) {
        const double angle = 2 * std::numbers::pi * i / 60;
        circle.x.push_back(std::cos(angle));
        circle.y.push_back(std::sin(angle));
    }
    clock.lines.push_back(std::move(circle));
    for (const int place : {1, 4})
        clock.lines.push_back(arrow(place == 1 ? "the dog bit the man" : "the man bit the dog",
                                    rotated[static_cast<std::size_t>(2 * place + 1)],
                                    rotated[static_cast<std::size_t>(2 * place)],
                                    place == 1 ? 0 : 1));
    return clock;
}

void show_vectors(AtCall lesson, const Tensor& vectors) {
    Table table({"position", "sin t", "cos t", "sin 0.01 t", "cos 0.01 t"});
    const std::vector<double> all = vectors.to_vector();
    for (std::size_t t = 0; 4 * t < all.size(); ++t) {
        std::vector<std::string> cells{std::to_string(t)};
        for (std::size_t i = 0; i < 4; ++i) cells.push_back(fmt::format("{:.3f}", all[4 * t + i]));
        table.add(cells);
    }
    lesson->table(table, "Sinusoidal positions of width 4.");
}

void show_penalties(AtCall lesson, const Tensor& bias) {
    Table table({"distance", "added to the score", "weight"});
    const std::vector<double> added = bias.to_vector(), weights = softmax(bias).to_vector();
    for (std::size_t j = 0; j < added.size(); ++j)
        table.row(added.size() - 1 - j, number(added[j]), fmt::format("{:.3f}", weights[j]));
    lesson->table(table, "ALiBi with the slope 1/4, for three keys with equal scores.");
}

HeatMap sinusoidal_map(int positions, int width) {
    HeatMap map{.values = sinusoidal_positions(0, positions, width, Dtype::float64).to_vector(),
                .rows = positions,
                .columns = width,
                .row_axis = "position"};
    map.column_axis = "index in the vector", map.low = -1;
    return map;
}

ScatterPlot rotation_picture() {
    ScatterPlot plot{.title = "Rotation of a query and a key",
                     .x_label = "first number of the pair",
                     .y_label = "second number"};
    for (const auto& [name, letter, radius] : {std::tuple{"query", "q", 1.0}, {"key", "k", 0.65}}) {
        ScatterPlot::Group group{.name = name};
        for (int t = 0; t <= 5; ++t) {
            const double angle = t * std::numbers::pi / 6;
            group.x.push_back(radius * std::cos(angle));
            group.y.push_back(radius * std::sin(angle));
            group.names.push_back(letter + std::to_string(t));
        }
        plot.groups.push_back(group);
    }
    ScatterPlot::Group centre{.name = "centre", .x = {0.0}, .y = {0.0}, .names = {"0"}};
    plot.groups.push_back(centre);
    return plot;
}

}  // namespace heed::lesson20
