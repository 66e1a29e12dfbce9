#include "lessons/20_positions/pictures.h"

#include <cmath>
#include <numbers>

#include "attention/heads/positions.h"
#include "autograd/autograd.h"

namespace heed::lesson20 {

using namespace course;

namespace {

// A part of a circle around the origin, between two angles in degrees.
Arrows::Line arc(double radius, double from, double to, int colour) {
    Arrows::Line line{.colour = colour, .end = Arrows::End::none};
    for (int i = 0; i <= 60; ++i) {
        const double angle = (from + (to - from) * i / 60) * std::numbers::pi / 180;
        line.x.push_back(radius * std::cos(angle));
        line.y.push_back(radius * std::sin(angle));
    }
    return line;
}

}  // namespace

Arrows one_word_at_two_places() {
    const Tensor word = tensor({1., 0.}, {1, 1, 1, 2}, Dtype::float64);
    const std::vector<double> rotated = rotary(expand(word, {1, 1, 5, 2}), 0).to_vector();
    // A hand that starts at 12 and runs clockwise has the sine to the right and the cosine upwards.
    Arrows clock{.title = "dog in two places"};
    clock.lines.push_back(arc(1, 0, 360, 5));
    clock.lines.back().dashed = true;
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

std::vector<Arrows> rotation_picture() {
    std::vector<Arrows> planes;
    for (const auto& [query, key] : {std::pair(3, 1), std::pair(5, 3)}) {
        Arrows plane{.title = fmt::format("query at {}, key at {}", query, key)};
        plane.lines.push_back(arc(1, 0, 360, 5));
        plane.lines.back().dashed = true;
        plane.lines.push_back({.x = {1.}, .y = {0.}, .colour = 5, .end = Arrows::End::ball});
        const auto at = [&](const char* letter, int position, int colour) {
            const double angle = position * std::numbers::pi / 6;
            plane.lines.push_back(arrow(fmt::format("{}{}", letter, position), std::cos(angle),
                                        std::sin(angle), colour));
        };
        at("q", query, 0), at("k", key, 1);
        plane.lines.push_back(arc(0.35, 30 * key, 30 * query, 2));
        const double middle = (query + key) * std::numbers::pi / 12;
        plane.lines.push_back({.name = "60°",
                               .x = {0.35 * std::cos(middle)},
                               .y = {0.35 * std::sin(middle)},
                               .colour = 2,
                               .end = Arrows::End::none});
        planes.push_back(std::move(plane));
    }
    return planes;
}

}  // namespace heed::lesson20
