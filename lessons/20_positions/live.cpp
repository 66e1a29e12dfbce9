// Rotary positions: a query and a key, rotated by angles proportional to their positions. Their dot
// product depends on the distance alone.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"

namespace heed::lesson20 {

using namespace course;

namespace {

constexpr int width = 8, most = 30;
constexpr double farthest = 2;

struct Point {
    double x = 0, y = 0;
};

double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }

// Where the reader has put it, but not farther from the origin than `farthest`.
Point chosen(const Inputs& inputs, const std::string& name) {
    const auto at = inputs.place(name);
    const double shorter = farthest / std::max(farthest, std::hypot(at.first, at.second));
    return {at.first * shorter, at.second * shorter};
}

// A vector of width 8 that has `at` as its pair number `pair` and 0 elsewhere, rotated by the
// library for its position.
Point rotated(const Point& at, int pair, int position) {
    std::vector<double> all(width, 0);
    all[static_cast<std::size_t>(2 * pair)] = at.x;
    all[static_cast<std::size_t>(2 * pair + 1)] = at.y;
    const Tensor x = rotary(tensor(all, {1, width}, Dtype::float64), position);
    return {x.at({0, 2 * pair}), x.at({0, 2 * pair + 1})};
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const int m = inputs.whole("m"), n = inputs.whole("n"), pair = inputs.whole("pair") - 1;
    const Point query = chosen(inputs, "query"), key = chosen(inputs, "key");
    const Point q = rotated(query, pair, m), k = rotated(key, pair, n);
    Plane plane{.title = "Pair " + std::to_string(pair + 1) + ": query q and key k, rotated",
                .low = -farthest * 1.1,
                .high = farthest * 1.1,
                .size = 360};
    plane.arrows = {{.x = query.x, .y = query.y, .colour = 0, .strength = 0.2},
                    {.x = key.x, .y = key.y, .colour = 2, .strength = 0.2},
                    {.x = q.x, .y = q.y, .name = "q" + std::to_string(m), .colour = 0},
                    {.x = k.x, .y = k.y, .name = "k" + std::to_string(n), .colour = 2}};
    plane.handles = {{.control = "query", .x = query.x, .y = query.y, .name = "q", .arrow = false},
                     {.control = "key", .x = key.x, .y = key.y, .name = "k", .arrow = false}};

    LinePlot plot{.title = "Dot product by distance, for the four pairs",
                  .x_label = "position of the query minus position of the key",
                  .y_range = {-4, 4},
                  .x_range = {-most, most},
                  .names_at_ends = false};
    for (int i = 0; i < width / 2; ++i) {
        Series series{.name = "pair " + std::to_string(i + 1)};
        for (int distance = -most; distance <= most; ++distance) {
            series.x.push_back(distance);
            series.y.push_back(dot(rotated(query, i, std::max(distance, 0)),
                                   rotated(key, i, std::max(-distance, 0))));
        }
        plot.series.push_back(series);
    }
    const double distance = m - n;
    plot.series.push_back({.name = "here", .x = {distance}, .y = {dot(q, k)}});

    const Point one = rotated({1, 0}, pair, 1);  // how far one position rotates
    return {.svgs = {to_svg(plane), to_svg(plot)},
            .numbers = {{"dot product", dot(q, k)},
                        {"distance", distance},
                        {"angle for each position, in degrees",
                         std::atan2(one.y, one.x) * 180 / std::numbers::pi}}};
}

const Registered figure({.name = "rotary",
                         .controls = {slider("m", "Position of the query", {0, most, 1, 3}),
                                      slider("n", "Position of the key", {0, most, 1, 1}),
                                      slider("pair", "Pair of numbers", {1, width / 2, 1, 1}),
                                      place("query", "Query", 1.5, 0.5), place("key", "Key", 1, 1)},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson20
