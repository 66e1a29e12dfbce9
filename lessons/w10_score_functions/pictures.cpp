#include "lessons/w10_score_functions/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::workshop10 {

using namespace course;

// --- three colours ------------------------------------------------------------------------------

Entries three_colours() { return {tensor({2., 1.}), tensor({1., 0., 0., 1., 1., 1.}, {3, 2})}; }

void show_scores(AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& scores) {
    Table table({"score", "red", "green", "yellow", "weights"});
    for (const auto& [name, score] : scores) {
        const Tensor weights = softmax(score);
        const auto at = [](const Tensor& x, int j) {
            return fmt::format("{:.3f}", select(x, 0, j).item());
        };
        table.row(name, at(score, 0), at(score, 1), at(score, 2),
                  fmt::format("{}  {}  {}", at(weights, 0), at(weights, 1), at(weights, 2)));
    }
    lesson->table(table, "The query (2, 1) and the keys (1, 0), (0, 1) and (1, 1).");
}

std::vector<Diagram> score_diagrams() {
    const auto box = [](const char* name, double column, double row, bool source = false) {
        return Diagram::Box{.name = name, .column = column, .row = row, .source = source};
    };
    Diagram additive{.title = "additive"};
    additive.boxes = {box("query q", 0, 0, true),
                      box("key k", 0, 1, true),
                      box("W", 1, 0),
                      box("U", 1, 1),
                      box("+", 2, 0.5),
                      box("tanh", 3, 0.5),
                      box("v ·", 4, 0.5),
                      box("score", 5, 0.5)};
    additive.arrows = {{0, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};

    const auto product = [&](const char* title, const char* after) {
        Diagram diagram{.title = title};
        diagram.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true),
                         box("q · k", 1, 0.5)};
        diagram.arrows = {{0, 2}, {1, 2}};
        if (*after) diagram.boxes.push_back(box(after, 2, 0.5)), diagram.arrows.push_back({2, 3});
        const int last = static_cast<int>(diagram.boxes.size()) - 1;
        diagram.boxes.push_back(box("score", last, 0.5));
        diagram.arrows.push_back({last, last + 1});
        return diagram;
    };

    Diagram general{.title = "general"};
    general.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true), box("W", 1, 1),
                     box("q · Wk", 2, 0.5), box("score", 3, 0.5)};
    general.arrows = {{0, 3}, {1, 2}, {2, 3}, {3, 4}};

    Diagram location{.title = "location"};
    location.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true), box("W", 1, 0),
                      box("number j of it", 2, 0), box("score", 3, 0)};
    location.arrows = {{0, 2}, {2, 3}, {3, 4}};

    Diagram content{.title = "content"};
    content.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true),
                     box("÷ its length", 1, 0),  box("÷ its length", 1, 1),
                     box("dot product", 2, 0.5), box("× β", 3, 0.5),
                     box("score", 4, 0.5)};
    content.arrows = {{0, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 6}};

    return {additive, product("dot", ""), general, location, product("scaled dot", "÷ √D"),
            content};
}

// --- measurements -------------------------------------------------------------------------------

double Accuracies::best(const std::vector<ScoreKind>& kinds, const std::vector<Task>& tasks) const {
    double most = 0;
    for (ScoreKind kind : kinds)
        for (Task task : tasks) most = std::max(most, of(kind, task));
    return most;
}

ScoreKind Accuracies::most_tasks() const {
    int most = -1;
    ScoreKind winner{};
    for (ScoreKind kind : score_kinds()) {
        int solved = 0;
        for (const auto& [run, mean] : means_) solved += run.first == kind && mean > 0.9;
        if (solved > most) most = solved, winner = kind;
    }
    return winner;
}

namespace {

std::vector<double> rates(const Lesson& lesson) {
    return lesson.quick() ? std::vector<double>{0.01} : std::vector<double>{0.003, 0.01, 0.03};
}

int models(const Lesson& lesson) { return lesson.quick() ? 1 : 5; }

}  // namespace

Accuracies show_tasks(AtCall lesson, int steps) {
    const Task tasks[] = {Task::symbols, Task::same_space, Task::other_space, Task::position};
    Table table({"score", "symbols", "same space", "other space", "position", "parameters"});
    HeatMap map{.row_axis = "score", .column_axis = "task", .value_name = "accuracy"};
    for (Task task : tasks) map.column_labels.emplace_back(name_of(task));
    Accuracies reached;
    for (ScoreKind kind : score_kinds()) {
        std::vector<std::string> cells{name_of(kind)};
        map.row_labels.emplace_back(name_of(kind));
        for (Task task : tasks) {
            const auto runs = learned_accuracies(task, kind, steps, models(lesson), rates(lesson),
                                                 1000 * lesson->seed());
            cells.push_back(mean_and_spread(runs, 2));
            map.values.push_back(summarise(runs).mean);
            reached.means_[{kind, task}] = map.values.back();
        }
        Rng rng(1);
        cells.push_back(number(static_cast<double>(parameter_count(LookupModel(kind, rng).score))));
        table.add(cells);
    }
    lesson->table(
        table,
        "Accuracy on new problems: mean and standard deviation over five seeds (with --quick one "
        "seed and no deviation). Parameters: those of the score alone, without the vectors of "
        "the symbols.");
    lesson->show("tasks", map,
                 "Accuracy by score and task. Equal weights on all keys reach about 0.3, and a key "
                 "chosen at random about 0.2.");
    return reached;
}

InitialValues show_initial_values(AtCall lesson, int steps) {
    Table table({"score", "initial variance 32", "initial variance 1"});
    const auto reached = [&](ScoreKind kind, double scale) {
        return learned_accuracies(Task::symbols, kind, steps, models(lesson), rates(lesson),
                                  1000 * lesson->seed(), scale);
    };
    const double root = std::sqrt(static_cast<double>(width));
    const auto dot_large = reached(ScoreKind::dot, 1),
               dot_small = reached(ScoreKind::dot, 1 / root),
               scaled_large = reached(ScoreKind::scaled_dot, root),
               scaled_small = reached(ScoreKind::scaled_dot, 1);
    table.row("dot", mean_and_spread(dot_large, 2), mean_and_spread(dot_small, 2));
    table.row("scaled dot", mean_and_spread(scaled_large, 2), mean_and_spread(scaled_small, 2));
    lesson->table(table,
                  "Accuracy on task symbols: mean and standard deviation over the same seeds (with "
                  "--quick one seed and no deviation).");
    return {summarise(dot_large).mean, summarise(dot_small).mean, summarise(scaled_large).mean,
            summarise(scaled_small).mean};
}

}  // namespace heed::workshop10
