#include "lessons/21_why_attention/pictures.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace heed::lesson21 {

using namespace course;

Arrows two_ways(int words) {
    Arrows plane{
        .title = "Two ways from the first word to the last", .same_scale = false, .axes = false};
    double left = 1;
    for (int word = 0; word < words; ++word) {
        if (word > 0) {
            left *= 0.5;
            plane.lines.push_back(arrow("", word - 0.15, 0, 0, word - 0.85, 0));
        }
        plane.lines.push_back({.name = word == 0 ? "1" : fmt::format("1/{:.0f}", 1 / left),
                               .x = {double(word)},
                               .y = {0},
                               .end = Arrows::End::ball});
    }
    Arrows::Line past{.colour = 1};
    for (int i = 1; i < 20; ++i) {
        const double angle = std::numbers::pi * i / 20;
        past.x.push_back((words - 1) * (1 - std::cos(angle)) / 2);
        past.y.push_back(std::sin(angle));
    }
    plane.lines.push_back(std::move(past));
    plane.lines.push_back({.name = "by attention: 1",
                           .x = {(words - 1) / 2.},
                           .y = {1},
                           .colour = 1,
                           .end = Arrows::End::none});
    return plane;
}

}  // namespace heed::lesson21
