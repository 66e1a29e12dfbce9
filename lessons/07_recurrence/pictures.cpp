#include "lessons/07_recurrence/pictures.h"

#include <algorithm>
#include <cmath>

#include "lessons/07_recurrence/data.h"
#include "lessons/07_recurrence/model.h"

namespace heed::lesson07 {

using namespace course;

namespace {

Diagram::Box box(std::string name, double column, double row, std::vector<std::string> lines = {},
                 bool source = false) {
    return {std::move(name), std::move(lines), column, row, source};
}

std::string label_of(CellKind kind) {
    return kind == CellKind::gru ? "GRU" : kind == CellKind::lstm ? "LSTM" : "plain";
}

}  // namespace

Diagram loop_diagram() {
    Diagram diagram;
    diagram.boxes = {box("h0", 0, 0, {"zeros"}, true)};
    for (int t = 1; t <= 3; ++t) {
        const int state = static_cast<int>(diagram.boxes.size()) - 1;
        diagram.boxes.push_back(box(fmt::format("x{}", t), 2 * t - 2, 1, {"input"}, true));
        diagram.boxes.push_back(box("cell", 2 * t - 1, 0, {"same weights"}));
        diagram.boxes.push_back(box(fmt::format("h{}", t), 2 * t, 0, {"state"}));
        diagram.arrows.insert(diagram.arrows.end(),
                              {{state, state + 2}, {state + 1, state + 2}, {state + 2, state + 3}});
    }
    return diagram;
}

std::vector<Diagram> cell_diagrams() {
    Diagram plain{.title = "plain"};
    plain.boxes = {box("old h", 0, 0, {}, true),
                   box("input x", 0, 1, {}, true),
                   box("W", 1, 0),
                   box("+", 2, 0.5),
                   box("tanh", 3, 0.5),
                   box("new h", 4, 0.5)};
    plain.arrows = {{0, 2}, {2, 3}, {1, 3}, {3, 4}, {4, 5}};

    Diagram gru{.title = "GRU"};
    gru.boxes = {box("old h", 0, 0.5, {}, true),
                 box("input x", 0, 2.5, {}, true),
                 box("gate z", 1, 1, {"keep"}),
                 box("gate r", 1, 3, {"see"}),
                 box("n", 2, 2.5, {"candidate"}),
                 box("z times old h", 3, 0.5),
                 box("(1 - z) times n", 3, 2),
                 box("+", 4, 1.25),
                 box("new h", 5, 1.25)};
    gru.arrows = {{0, 2}, {1, 2}, {0, 3}, {1, 3}, {3, 4}, {0, 4}, {1, 4},
                  {2, 5}, {0, 5}, {2, 6}, {4, 6}, {5, 7}, {6, 7}, {7, 8}};

    Diagram lstm{.title = "LSTM"};
    lstm.boxes = {box("old c", 0, 0, {}, true),     box("old h", 0, 2, {}, true),
                  box("input x", 0, 3, {}, true),   box("gate f", 1, 1, {"keep"}),
                  box("gate i", 1, 2, {"add"}),     box("n", 1, 3, {"candidate"}),
                  box("gate o", 1, 4, {"let out"}), box("f times old c", 2, 0),
                  box("i times n", 2, 2.5),         box("new c", 3, 1, {"sum of both"}),
                  box("o times tanh", 4, 2.5),      box("new h", 5, 2.5)};
    lstm.arrows = {{1, 3}, {1, 4}, {1, 5}, {1, 6}, {2, 3}, {2, 4},  {2, 5},  {2, 6},  {0, 7},
                   {3, 7}, {4, 8}, {5, 8}, {7, 9}, {8, 9}, {9, 10}, {6, 10}, {10, 11}};
    return {plain, gru, lstm};
}

OneBit show_one_bit(Lesson& lesson, const std::vector<double>& weights) {
    constexpr int last = 50;
    OneBit bit;
    LinePlot plot{.x_label = "step", .y_label = "state", .y_range = {0, 1}};
    Table table({"w", "h1", "h2", "h3", "h10", "h50", "d3", "d10", "d50"});
    for (const double w : weights) {
        std::vector<double> h{std::tanh(1.0)}, derivative{1};
        for (int t = 2; t <= last; ++t) {
            h.push_back(std::tanh(w * h.back()));
            derivative.push_back(derivative.back() * w * (1 - h.back() * h.back()));
        }
        const auto state = [&](int t) { return fmt::format("{:.3f}", h[t - 1]); };
        const auto change = [&](int t) { return number(derivative[t - 1], 2); };
        table.row(w, state(1), state(2), state(3), state(10), state(50), change(3), change(10),
                  change(50));
        Series line{.name = fmt::format("w = {}", w), .y = h};
        for (int t = 1; t <= last; ++t) line.x.push_back(t);
        plot.series.push_back(std::move(line));
        bit.states.push_back(std::move(h));
        bit.derivatives.push_back(std::move(derivative));
    }
    lesson.show("one_bit", plot, "The state after the input 1 and then zeros.");
    lesson.table(table,
                 "The states h, and their derivatives d with respect to h1 (explained in the next "
                 "section).");
    return bit;
}

void PlainTable::add(double rho, double s, const std::vector<double>& norms, double engine) {
    const double rate = fitted_rate(norms);
    gap = std::max(gap, std::abs(norms.back() / engine - 1));
    off = std::max(off, std::abs(rate / (rho * s) - 1));
    if (rho == 1) left_at_1 = norms[50];
    table_.row(rho, number(s, 3), number(rho * s, 3), number(rate, 3), number(norms[50], 2));
    plot_.series.push_back(by_distance(fmt::format("rho = {}", rho), norms));
}

void PlainTable::show(Lesson& lesson) const {
    lesson.show("plain", plot_, "The norm of the gradient in a plain network, going back.");
    lesson.table(table_, "The factor of a step, and what is left of the norm 1 after 50 steps.");
}

void GateTable::add(const CellStart& start, const std::vector<double>& norms) {
    factors_[start] = fitted_rate(norms);
    left_[start] = norms[50];
    if (start.orthogonal)
        plot_.series.push_back(by_distance(
            label_of(start.kind) + (start.bias > 0 ? fmt::format(", bias {}", start.bias) : ""),
            norms));
}

void GateTable::show(Lesson& lesson) const {
    Table table({"cell", "matrices", "bias", "fitted factor", "left after 50 steps"});
    for (const bool orthogonal : {false, true})
        for (const auto& [start, factor] : factors_)
            if (start.orthogonal == orthogonal)
                table.row(label_of(start.kind), orthogonal ? "orthogonal" : "default",
                          gates_of(start.kind) == 1 ? "" : number(start.bias, 1), number(factor, 3),
                          number(left_.at(start), 2));
    lesson.show("gated", plot_,
                "The norm of the gradient, all cells with orthogonal recurrent matrices.");
    lesson.table(table, "The factor of a step before training. All cells read the same inputs.");
}

void AddingTable::add(const std::string& cell, int length, const TrainedAdders& trained) {
    if (names_.empty() || names_.back() != cell) names_.push_back(cell);
    error_[{cell, length}] = summarise(trained.errors).mean;
    std::vector<std::vector<double>>& runs = runs_[cell];
    runs.resize(trained.errors.size());
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].push_back(trained.errors[i]);
    table_.row(cell, length, trained.rate, mean_and_spread(trained.errors, 4));
}

std::string AddingTable::longest_learned(const std::string& cell) const {
    std::string longest = "none";
    for (const int length : lengths_)
        if (error(cell, length) < error_of_the_mean / 2) longest = std::to_string(length);
    return longest;
}

void AddingTable::show(Lesson& lesson) const {
    LinePlot plot{
        .x_label = "length of the list", .y_label = "squared error", .log_x = true, .log_y = true};
    for (const std::string& name : names_)
        plot.series.push_back(over_seeds(name, {lengths_.begin(), lengths_.end()}, runs_.at(name)));
    const std::vector<double> x{lengths_.begin(), lengths_.end()};
    plot.series.push_back({"always 1", x, std::vector<double>(x.size(), error_of_the_mean)});
    lesson.show("adding", plot, "The squared error on new problems, by the length of the list.");
    lesson.table(table_, fmt::format("Squared error on new problems: {}. Always answering 1 gives "
                                     "0.167.",
                                     averaged_over(runs_.begin()->second.size())));
}

double show_trained_norms(Lesson& lesson,
                          const std::vector<std::pair<std::string, std::vector<double>>>& norms) {
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    for (const auto& [name, of_cell] : norms) plot.series.push_back(by_distance(name, of_cell));
    lesson.show("after", plot, "The gradient in networks trained with the longest lists.");
    return norms[1].second.back() / norms[0].second.back();
}

// --- the cliff ----------------------------------------------------------------------------------

course::Picture picture_of_loss(const std::string& title, int side) {
    course::Picture picture{.title = title, .height = side, .width = side};
    const CliffPoints p = cliff_points(side);
    for (double loss : cliff_loss(p.w, p.b).to_vector())
        picture.grey.push_back(1 - std::sqrt(loss) / 0.7);
    return picture;
}

course::Picture picture_of(const std::string& title, const Descents& descents) {
    course::Picture picture{.title = title, .height = descents.side, .width = descents.side};
    for (double loss : descents.loss.to_vector()) picture.grey.push_back(loss < 1e-4 ? 1 : 0.25);
    return picture;
}

}  // namespace heed::lesson07
