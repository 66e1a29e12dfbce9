#include "lessons/21_why_attention/pictures.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace heed::lesson21 {

using namespace course;

Arrows two_ways() {
    Arrows plane{.title = "Two ways to the last person", .same_scale = false, .axes = false};
    const std::pair<std::string, std::string> stops[] = {
        {"person 1: all", ""}, {"2", "1/2"}, {"3", "1/4"}, {"4", "1/8"}, {"100", "10⁻³⁰"}};
    const double end = std::size(stops) - 1;
    const auto words = [&](const std::string& name, double x, double y, int colour) {
        plane.lines.push_back(
            {.name = name, .x = {x}, .y = {y}, .colour = colour, .end = Arrows::End::none});
    };
    for (int i = 0; const auto& [person, share] : stops) {
        plane.lines.push_back(
            {.name = person, .x = {double(i)}, .y = {0}, .end = Arrows::End::ball});
        if (i > 0) words(share, i, -0.7, 0);
        if (i > 0) {
            plane.lines.push_back(arrow("", i - 0.15, 0, 0, i - 0.85, 0));
            plane.lines.back().dashed = i == end;  // the others stand between
        }
        ++i;
    }
    Arrows::Line past{.colour = 1};
    for (int i = 1; i < 19; ++i) {
        const double angle = std::numbers::pi * i / 20;
        past.x.push_back(end * (1 - std::cos(angle)) / 2);
        past.y.push_back(std::sin(angle));
    }
    plane.lines.push_back(std::move(past));
    words("by attention: α (1/100 at first)", end / 2, 1, 1);
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
