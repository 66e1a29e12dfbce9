#include "lessons/05_probabilities/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson05 {

using namespace course;

double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
    double gap = 0;
    for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
    return gap;
}

Diagram from_logits_to_loss(const std::vector<std::string>& words,
                            const std::vector<double>& logits, const std::vector<double>& p,
                            int y) {
    Diagram diagram{.title = "From logits to probabilities and to the loss"};
    const int count = static_cast<int>(words.size()), sum = 3 * count, loss = sum + 1;
    double all = 0;
    for (int j = 0; j < count; ++j) {
        const double e = std::exp(logits[j]);
        diagram.boxes.push_back(
            {words[j], {fmt::format("logit {}", logits[j])}, 0, double(j), true});
        diagram.boxes.push_back({"exp", {fmt::format("{:.3f}", e)}, 1, double(j)});
        diagram.boxes.push_back({"divide", {fmt::format("p = {:.3f}", p[j])}, 3, double(j)});
        all += e;
    }
    diagram.boxes.push_back({"sum", {fmt::format("{:.3f}", all)}, 2, 0.5});
    diagram.boxes.push_back(
        {"-ln p", {fmt::format("{:.3f}", -std::log(p[y])), "if it is " + words[y]}, 4, double(y)});
    for (int j = 0; j < count; ++j)
        for (auto [from, to] : {std::pair(3 * j, 3 * j + 1), std::pair(3 * j + 1, sum),
                                std::pair(3 * j + 1, 3 * j + 2), std::pair(sum, 3 * j + 2)})
            diagram.arrows.push_back({from, to});
    diagram.arrows.push_back({3 * y + 2, loss});
    return diagram;
}

Arrows curve_of_surprise(const std::vector<std::string>& words, const std::vector<double>& p) {
    Arrows plot{
        .x_label = "probability p of the word that came", .y_label = "loss", .same_scale = false};
    Arrows::Line curve{.name = "p = 1: 0", .colour = 5, .end = Arrows::End::none};
    for (double at = 0.02; at < 1.001; at += 0.02) {
        curve.x.push_back(at);
        curve.y.push_back(-std::log(at));
    }
    plot.lines.push_back(std::move(curve));
    for (const std::size_t j : {std::size_t{0}, words.size() - 1}) {
        const double loss = -std::log(p[j]);
        plot.lines.push_back({.x = {0, p[j], p[j]},
                              .y = {loss, loss, 0},
                              .colour = 1,
                              .end = Arrows::End::none,
                              .dashed = true});
        plot.lines.push_back(
            {.name = fmt::format("{}: p {:.3f}, loss {:.3f}", words[j], p[j], loss),
             .x = {p[j]},
             .y = {loss},
             .colour = 1,
             .end = Arrows::End::ball});
    }
    return plot;
}

BarChart numbers_and_shares(const std::vector<std::string>& words,
                            const std::vector<double>& logits) {
    BarChart chart{.title = "Three numbers become three shares", .labels = words};
    chart.sets = {
        {.name = "number", .values = logits},
        {.name = "share of all", .values = softmax(tensor(logits, Dtype::float64)).to_vector()}};
    return chart;
}

void show_temperatures(AtCall lesson, const std::vector<std::string>& words,
                       const std::vector<double>& logits) {
    BarChart chart{.title = "Softmax of 2, 1, 0", .value_label = "probability", .high = 1};
    for (const std::string& word : words) chart.sets.push_back({word});
    for (double tau : {0.25, 0.5, 1.0, 2.0, 5.0, 20.0}) {
        chart.labels.push_back(fmt::format("τ = {}", tau));
        const std::vector<double> p = softmax(tensor(logits, Dtype::float64) / tau).to_vector();
        for (std::size_t j = 0; j < p.size(); ++j) chart.sets[j].values.push_back(p[j]);
    }
    lesson->show("temperature", chart,
                 "The same logits at six temperatures: from almost certain to almost equal.");
}

void show_overflow(AtCall lesson, const std::vector<double>& by_formula,
                   const std::vector<double>& shifted) {
    const auto list = [](const std::vector<double>& p) {
        std::string text;
        for (double x : p) text += (text.empty() ? "" : ", ") + number(x, 3);
        return text;
    };
    Table table({"softmax of 1000, 999, 998", "probabilities"});
    table.row("by the formula", list(by_formula));
    table.row("the largest subtracted first", list(shifted));
    lesson->table(table, "Mathematically the two lines are the same.");
}

void show_gradients(AtCall lesson, const std::vector<std::string>& words,
                    const std::vector<std::vector<double>>& gradients) {
    Table table({"logit of", "p - y", "tape", "differences", "library"});
    for (std::size_t j = 0; j < words.size(); ++j)
        table.row(words[j], number(gradients[0][j], 6), number(gradients[1][j], 6),
                  number(gradients[2][j], 6), number(gradients[3][j], 6));
    lesson->table(table, "The gradient of the loss for the logits 2, 1, 0 if saw came.");
}

}  // namespace heed::lesson05
