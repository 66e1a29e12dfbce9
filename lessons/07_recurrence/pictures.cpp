#include "lessons/07_recurrence/pictures.h"

#include <algorithm>
#include <cmath>

#include "lessons/07_recurrence/data.h"
#include "lessons/07_recurrence/model.h"
#include "lessons/course/figures/by_step.h"

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
    const char* const words[] = {"나는", "학생", "이다"};
    diagram.boxes = {box("h0", 0, 0, {"zeros"}, true)};
    for (int t = 1; t <= 3; ++t) {
        const int state = static_cast<int>(diagram.boxes.size()) - 1;
        diagram.boxes.push_back(box(words[t - 1], 2 * t - 2, 1, {fmt::format("x{}", t)}, true));
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

void show_readings(AtCall lesson, const std::vector<std::pair<double, Reading>>& by_weight) {
    LinePlot plot{.x_label = "word", .y_label = "state", .y_range = {0, 1}};
    Table table({"w", "h1", "h2", "h3", "h10", "h50", "d3", "d10", "d50"});
    for (const auto& [w, reading] : by_weight) {
        const std::vector<double>&h = reading.states, &d = reading.derivatives;
        const auto state = [&](int t) { return fmt::format("{:.3f}", h[t - 1]); };
        const auto change = [&](int t) { return number(d[t - 1], 2); };
        table.row(w, state(1), state(2), state(3), state(10), state(50), change(3), change(10),
                  change(50));
        Series line{.name = fmt::format("w = {}", w), .y = h};
        for (std::size_t t = 1; t <= h.size(); ++t) line.x.push_back(static_cast<double>(t));
        plot.series.push_back(std::move(line));
    }
    lesson->show("first_word", plot,
                 "The state after 나는, which is 1, and other words, which are 0.");
    lesson->table(table,
                  "The states h, and their derivatives d with respect to h1 (explained in the next "
                  "section).");
}

namespace {

// Four of the ten cells tell it. The others are in the claims.
bool is_shown(const CellStart& start) {
    return start.orthogonal && (start.bias > 0 || start.kind != CellKind::lstm);
}

}  // namespace

void GateTable::add(const CellStart& start, const std::vector<double>& norms) {
    factors_[start] = factor_of_a_step(norms);
    left_[start] = norms[50];
    if (is_shown(start))
        plot_.series.push_back(by_step(
            label_of(start.kind) + (start.bias > 0 ? fmt::format(", bias {}", start.bias) : ""),
            norms));
}

void GateTable::show(AtCall lesson, Prediction guess) const {
    Table table({"cell", "larger bias", "factor of one step", "left after 50 steps"});
    for (const auto& [start, factor] : factors_)
        if (is_shown(start))
            table.row(label_of(start.kind), start.bias > 0 ? number(start.bias, 1) : "none",
                      number(factor, 3), number(left_.at(start), 2));
    lesson->show("gated", plot_, "The norm of the gradient before training.");
    lesson->table(table,
                  "The factor of one step before training, fitted to the norms. In the LSTM the "
                  "norm falls until it has got from h into c, and then grows slowly: so its factor "
                  "can be above 1 although less than 1 is left.");

    const auto factor = [&](CellKind kind, bool orthogonal, double bias) {
        return factors_.at({kind, orthogonal, bias});
    };
    const double plain = factor(CellKind::rnn_tanh, true, 0), gru = factor(CellKind::gru, true, 0);
    lesson->reveal(guess, gru > plain ? "the GRU" : "the plain one");
    lesson->claim(
        "gated-better",
        "finding: default matrices, no bias: the better gated cell's factor minus the plain one's",
        std::max(factor(CellKind::gru, false, 0), factor(CellKind::lstm, false, 0)) -
            factor(CellKind::rnn_tanh, false, 0),
        at_least(0.04));
    lesson->claim(
        "orthogonal-better",
        "finding: orthogonal matrices, no bias: the plain cell's factor minus the better gated one's",
        plain - std::max(gru, factor(CellKind::lstm, true, 0)), at_least(0.08));
    for (bool orthogonal : {false, true})
        lesson->claim(
            fmt::format("{}-bias-3", orthogonal ? "orthogonal" : "default"),
            fmt::format(
                "finding: {} matrices, bias 3: the worse gated cell's factor minus the plain "
                "one's",
                orthogonal ? "orthogonal" : "default"),
            std::min(factor(CellKind::gru, orthogonal, 3), factor(CellKind::lstm, orthogonal, 3)) -
                factor(CellKind::rnn_tanh, orthogonal, 0),
            at_least(orthogonal ? 0.1 : 0.33));
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

void AddingTable::show(AtCall lesson, Prediction guess) const {
    LinePlot plot{
        .x_label = "length of the list", .y_label = "squared error", .log_x = true, .log_y = true};
    for (const std::string& name : names_)
        plot.series.push_back(over_seeds(name, {lengths_.begin(), lengths_.end()}, runs_.at(name)));
    const std::vector<double> x{lengths_.begin(), lengths_.end()};
    plot.series.push_back({.name = "always 1",
                           .x = x,
                           .y = std::vector<double>(x.size(), error_of_the_mean),
                           .dashed = true});
    lesson->show("adding", plot, "The squared error on new problems, by the length of the list.");
    lesson->table(table_,
                  fmt::format("Squared error on new problems: {}. Always answering 1 gives "
                              "0.167. The cells have about 3,300 parameters each, orthogonal "
                              "matrices, a bias of 3 for the gates, and the better of two "
                              "learning rates.",
                              averaged_over(runs_.begin()->second.size())));
    const bool quick = lesson->quick();
    if (!quick) lesson->reveal(guess, longest_learned("plain"));
    lesson->claim("plain-10", "finding: plain network, length 10: squared error",
                  error("plain", 10), at_most(quick ? 0.15 : 0.025));
    lesson->claim("plain-40", "finding: plain network, length 40: squared error",
                  error("plain", 40), at_least(quick ? 0.13 : 0.15));
    lesson->claim("gru-longest", "finding: GRU, greatest length: squared error",
                  error("GRU", lengths_.back()), at_most(quick ? 0.1 : 0.001));
    if (quick) return;
    lesson->claim("lstm-20", "finding: LSTM, length 20: squared error", error("LSTM", 20),
                  at_most(0.005));
    lesson->claim("lstm-gain-20",
                  "finding: length 20: squared error of the plain network minus that of the LSTM",
                  error("plain", 20) - error("LSTM", 20), at_least(0.04));
}

namespace {

// The norms by distance in the trained plain network, GRU and LSTM.
void show_trained_norms(AtCall lesson, const std::vector<std::pair<std::string, Adder>>& trained,
                        int length) {
    LinePlot plot{.x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
    for (const auto& [name, adder] : trained) {
        Rng rng(lesson->seed());
        plot.series.push_back(by_step(
            name, norms_by_distance(adder.cell(), adding_problems(16, length, rng).x, rng)));
    }
    lesson->show("after", plot,
                 "The gradient in networks trained with the longest lists, over a whole list.");
    lesson->claim(
        "gradient-left",
        "finding: gradient left over a whole list: trained GRU over trained plain network",
        plot.series[1].y.back() / plot.series[0].y.back(), at_least(lesson->quick() ? 1 : 100));
}

}  // namespace

void compare_adders(AtCall lesson, const Train& train, int steps) {
    const bool quick = lesson->quick();
    Prediction guess;  // what a quick run does not measure is not asked there
    if (!quick)
        guess = lesson->predict(
            "Two of 10, 20, 40 or 80 numbers are marked. Up to which length does the plain network "
            "learn to add them?",
            {"none", "10", "20", "40", "80"});
    const std::vector<int> lengths =
        quick ? std::vector<int>{10, 40} : std::vector<int>{10, 20, 40, 80};
    AddingTable table(lengths);
    std::vector<std::pair<std::string, Adder>> trained_on_longest;
    for (const auto& [name, kind] :
         {std::pair("plain", CellKind::rnn_tanh), std::pair("GRU", CellKind::gru),
          std::pair("LSTM", CellKind::lstm)})
        for (int length : lengths) {
            const TrainedAdders trained =
                train_adders(train, kind, length, steps, quick ? 1 : 5, 1000 * lesson->seed());
            table.add(name, length, trained);
            if (length == lengths.back()) trained_on_longest.emplace_back(name, trained.last);
        }
    table.show(lesson, guess);
    show_trained_norms(lesson, trained_on_longest, lengths.back());
}

}  // namespace heed::lesson07
