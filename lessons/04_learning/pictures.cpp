#include "lessons/04_learning/pictures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lessons/course/terminal/text.h"

namespace heed::lesson04 {

using namespace course;

namespace {

constexpr double edge = 1.1;  // of the square, from its centre

}  // namespace

Tensor pixel_centres(int pixels) {
    std::vector<double> x;
    const auto centre = [&](int i) { return edge * (2 * (i + 0.5) / pixels - 1); };
    for (int row = 0; row < pixels; ++row)
        for (int column = 0; column < pixels; ++column) {
            x.push_back(centre(column));
            x.push_back(-centre(row));  // the second coordinate grows upwards
        }
    return tensor(x, {pixels * pixels, 2});
}

course::Picture drawn(const std::string& title, const std::vector<double>& probabilities,
                      const Points& points, int pixels) {
    course::Picture picture{.title = title, .height = pixels, .width = pixels, .two_colours = true};
    for (double p : probabilities) picture.grey.push_back(0.25 + 0.5 * p);
    const std::vector<double> x = points.x.to_vector(), t = points.t.to_vector();
    const auto pixel = [&](double at) {
        return std::clamp(static_cast<int>((at / edge + 1) / 2 * pixels), 0, pixels - 1);
    };
    for (std::size_t i = 0; i < t.size(); ++i)
        picture.grey[static_cast<std::size_t>(pixel(-x[2 * i + 1]) * pixels + pixel(x[2 * i]))] =
            t[i];
    return picture;
}

course::Picture points_alone(const Points& points, int pixels) {
    return drawn("400 points", std::vector<double>(pixels * pixels, 0.5), points, pixels);
}

std::vector<Arrows> hills(const std::vector<double>& rates) {
    std::vector<Arrows> all;
    for (const double rate : rates) {
        Arrows hill{.title = fmt::format("rate {}", number(rate)),
                    .x_label = "θ",
                    .y_label = "loss",
                    .same_scale = false};
        Arrows::Line slope{.colour = 5, .end = Arrows::End::none};
        for (double at = -1.9; at < 1.91; at += 0.1) {
            slope.x.push_back(at);
            slope.y.push_back(at * at);
        }
        hill.lines.push_back(std::move(slope));
        double theta = 1;
        for (int step = 1; step <= 3; ++step) {
            const double next = theta - rate * 2 * theta;  // θ² has the derivative 2 θ
            hill.lines.push_back(arrow("", next, next * next, 1, theta, theta * theta));
            theta = next;
        }
        hill.lines.push_back({.name = "start", .x = {1}, .y = {1}, .end = Arrows::End::ball});
        hill.lines.push_back(
            {.x = {theta}, .y = {theta * theta}, .colour = 1, .end = Arrows::End::ball});
        all.push_back(std::move(hill));
    }
    return all;
}

std::vector<Arrows> valleys(const std::vector<ValleyPath>& paths) {
    std::vector<Arrows> all;
    for (const ValleyPath& path : paths) {
        Arrows valley{.title = fmt::format("{}: loss {}", path.name, number(path.loss, 2)),
                      .x_label = "θ1",
                      .y_label = "θ2",
                      .same_scale = false};
        for (const double loss : {0.1, 0.5, 1.5}) {  // half the lengths of the axes of an ellipse
            const double a = std::sqrt(2 * loss), b = std::sqrt(2 * loss / 60);
            Arrows::Line ellipse{.colour = 5, .end = Arrows::End::none, .dashed = true};
            for (int i = 0; i <= 60; ++i) {
                ellipse.x.push_back(a * std::cos(2 * std::numbers::pi * i / 60));
                ellipse.y.push_back(b * std::sin(2 * std::numbers::pi * i / 60));
            }
            valley.lines.push_back(std::move(ellipse));
        }
        valley.lines.push_back({.x = path.x, .y = path.y, .colour = 0, .end = Arrows::End::none});
        valley.lines.push_back({.name = "start",
                                .x = {path.x.front()},
                                .y = {path.y.front()},
                                .end = Arrows::End::ball});
        valley.lines.push_back(
            {.x = {path.x.back()}, .y = {path.y.back()}, .colour = 1, .end = Arrows::End::ball});
        all.push_back(std::move(valley));
    }
    return all;
}

std::vector<course::Picture> two_units_and_a_band() {
    constexpr int pixels = 56;
    const std::vector<double> at = pixel_centres(pixels).to_vector();
    const auto map = [&](const std::string& title, const auto& value) {
        course::Picture picture{
            .title = title, .height = pixels, .width = pixels, .two_colours = true};
        for (std::size_t i = 0; i < at.size(); i += 2)
            picture.grey.push_back(0.5 + 0.5 * value(3 * at[i] + 3 * at[i + 1]));
        return picture;
    };
    const auto one = [](double sum) { return std::tanh(sum + 1.5); };
    const auto other = [](double sum) { return std::tanh(sum - 1.5); };
    return {map("unit 1", one), map("unit 2", other),
            map("unit 1 minus unit 2", [&](double sum) { return one(sum) - other(sum); })};
}

Diagram network_diagram() {
    Diagram diagram{.title = "A network with one hidden layer of two units"};
    const auto box = [](const char* name, std::vector<std::string> lines, double column, double row,
                        bool source = false) {
        return Diagram::Box{name, std::move(lines), column, row, source};
    };
    diagram.boxes = {box("x1", {"0.5"}, 0, 0, true),
                     box("x2", {"0.2"}, 0, 1, true),
                     box("unit 1", {"1 · 0.5 + 2 · 0.2 = 0.9", "tanh 0.716"}, 1, 0),
                     box("unit 2", {"-1 · 0.5 + 1 · 0.2 + 0.5 = 0.2", "tanh 0.197"}, 1, 1),
                     box("output", {"2 · 0.716 - 1 · 0.197", "z = 1.235"}, 2, 0.5),
                     box("sigmoid", {"p = 0.775"}, 3, 0.5)};
    diagram.arrows = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 4}, {3, 4}, {4, 5}};
    return diagram;
}

}  // namespace heed::lesson04
