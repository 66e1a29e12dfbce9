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
    plane.lines.push_back({.name = fmt::format("by attention: α (1/{} at first)", words),
                           .x = {(words - 1) / 2.},
                           .y = {1},
                           .colour = 1,
                           .end = Arrows::End::none});
    return plane;
}

ShadedText what_words_depend_on(const std::vector<int>& bits) {
    ShadedText text{.title = "Is the number of ones odd?", .high = 1, .value_name = "depends on"};
    std::vector<std::string> words;
    int odd = 0;
    for (const int bit : bits) words.push_back(std::to_string(bit)), odd ^= bit;
    words.emplace_back("=");

    ShadedText::Row at_once{.name = "at once", .words = words};
    at_once.weights.assign(bits.size(), 1);
    at_once.weights.resize(bits.size() + 1, 0);
    at_once.words.push_back(std::to_string(odd)), at_once.weights.push_back(0);
    text.rows.push_back(std::move(at_once));

    odd = 0;
    for (std::size_t t = 0; t < bits.size(); ++t) {
        words.push_back(std::to_string(odd ^= bits[t]));
        ShadedText::Row step{.name = fmt::format("step {}", t + 1), .words = words};
        step.weights.assign(words.size(), 0);
        step.weights[t] = 1;
        if (t > 0) step.weights[words.size() - 2] = 1;
        text.rows.push_back(std::move(step));
    }
    return text;
}

}  // namespace heed::lesson21
