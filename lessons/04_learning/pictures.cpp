#include "lessons/04_learning/pictures.h"

#include <algorithm>

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
    course::Picture picture{.title = title, .height = pixels, .width = pixels};
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

Diagram network_diagram() {
    Diagram diagram{.title = "A network with one hidden layer of two units"};
    const auto box = [](const char* name, std::vector<std::string> lines, double column, double row,
                        bool source = false) {
        return Diagram::Box{name, std::move(lines), column, row, source};
    };
    diagram.boxes = {box("x1", {"0.5"}, 0, 0, true),
                     box("x2", {"0.2"}, 0, 1, true),
                     box("unit 1", {"sum 0.9", "tanh 0.716"}, 1, 0),
                     box("unit 2", {"sum 0.2", "tanh 0.197"}, 1, 1),
                     box("output", {"z = 1.235"}, 2, 0.5),
                     box("sigmoid", {"p = 0.775"}, 3, 0.5)};
    diagram.arrows = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 4}, {3, 4}, {4, 5}};
    return diagram;
}

}  // namespace heed::lesson04
