#include "lessons/10_scores/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson10 {

using namespace course;

// --- three colours ------------------------------------------------------------------------------

Entries three_colours() {
    return {tensor({2., 1.}), tensor({1., 0., 0., 1., 1., 1.}, {3, 2}), tensor({10., 20., 30.})};
}

void show_answers(Lesson& lesson, const Entries& colours) {
    const char* const names[] = {"red", "green", "yellow"};
    Table table({"query", "best key", "its value", "weighted mean"});
    for (const double green : {0.9, 1.0, 1.1}) {
        const Tensor q = tensor({2., green}), scores = matmul(colours.keys, q);
        const Tensor weights = softmax(scores);
        const int best = argmax(reshape(scores, {1, 3}), 1)[0];
        table.row(fmt::format("(2, {})", number(green, 2)), names[best],
                  select(colours.values, 0, best).item(),
                  number(sum(weights * colours.values).item(), 4));
    }
    lesson.table(table, "Three queries that differ a little, and two ways to answer them.");
}

void show_scores(Lesson& lesson, const std::vector<std::pair<std::string, Tensor>>& scores) {
    Table table({"score", "red", "green", "yellow", "weights"});
    for (const auto& [name, score] : scores) {
        const Tensor weights = softmax(score);
        const auto at = [](const Tensor& x, int j) {
            return fmt::format("{:.3f}", select(x, 0, j).item());
        };
        table.row(name, at(score, 0), at(score, 1), at(score, 2),
                  fmt::format("{}  {}  {}", at(weights, 0), at(weights, 1), at(weights, 2)));
    }
    lesson.table(table, "The query (2, 1) and the keys (1, 0), (0, 1) and (1, 1).");
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

double show_gradients(Lesson& lesson) {
    Table table({"weights", "difference of the scores", "gradient of the first score"});
    double gap = 0;
    for (const double difference : {0., 2., 4., 8., 16.}) {
        Tensor scores = tensor({difference, 0.});
        scores.set_requires_grad();
        const Tensor weights = softmax(scores), g = tensor({1., 0.});
        const double library = select(grad(weights, {scores}, false, g)[0], 0, 0).item();
        const double first = 1 / (1 + std::exp(-difference)), second = 1 - first;
        const double formula = first * (1 - first);
        gap = std::max(gap, std::fabs(library - formula));
        table.row(fmt::format("{:.7f}, {:.7f}", first, second), number(difference),
                  number(formula, 2));
    }
    lesson.table(
        table,
        "The loss grows with the first weight. The larger the difference of the scores is, "
        "the smaller is the gradient.");
    return gap;
}

// --- measurements -------------------------------------------------------------------------------

VarianceResult show_variances(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    const int pairs = lesson.quick() ? 15000 : 40000;
    Table table({"width", "variance of q·k", "divided by width", "variance of q·k/√D"});
    VarianceResult result{};
    for (double D : widths) {
        const Variances v = score_variances(static_cast<int64_t>(D), pairs, rng);
        table.row(D, number(v.dot, 3), number(v.dot / D, 3), number(v.scaled, 3));
        result.plain = std::max(result.plain, std::abs(v.dot / D - 1));
        result.scaled = std::max(result.scaled, std::abs(v.scaled - 1));
        if (D == 64) result.at_64 = v.dot;
    }
    lesson.table(table, fmt::format("{} pairs of random vectors for each width D. The last two "
                                    "columns agree, because the division by √D divides the "
                                    "variance by D.",
                                    pairs));
    return result;
}

std::vector<Sweep> show_saturation(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    const std::vector<Sweep> sweeps = sweep_widths(widths, lesson.quick() ? 300 : 1000, rng);
    Table table({"at width 512", "entropy", "scores", "vanished", "values"});
    LinePlot entropy{.x_label = "width", .y_label = "entropy, in nats", .log_x = true};
    LinePlot gradient{
        .x_label = "width", .y_label = "norm of the gradient", .log_x = true, .log_y = true};
    for (const Sweep& s : sweeps) {
        entropy.series.push_back({s.name, widths, s.entropy});
        gradient.series.push_back({s.name, widths, s.scores});
        table.row(s.name, number(s.last.entropy, 2), number(s.last.scores, 2),
                  number(s.last.vanished, 2), number(s.last.values, 2));
    }
    lesson.show("entropy", entropy, "The entropy of the weights of 32 random keys.");
    lesson.show("gradient", gradient,
                "The norm of the gradient of the scores, after the backward pass through softmax.");
    lesson.table(table,
                 "Scores and values: the norm of their gradients. Vanished: the share of queries "
                 "where that of the scores is below 0.001.");
    return sweeps;
}

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

Accuracies show_tasks(Lesson& lesson, int steps) {
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
                                                 1000 * lesson.seed());
            cells.push_back(mean_and_spread(runs, 2));
            map.values.push_back(summarise(runs).mean);
            reached.means_[{kind, task}] = map.values.back();
        }
        Rng rng(1);
        cells.push_back(number(static_cast<double>(parameter_count(LookupModel(kind, rng).score))));
        table.add(cells);
    }
    lesson.table(
        table,
        "Accuracy on new problems: mean and standard deviation over five seeds (with --quick one "
        "seed and no deviation). Parameters: those of the score alone, without the vectors of "
        "the symbols.");
    lesson.show("tasks", map,
                "Accuracy by score and task. Equal weights on all keys reach about 0.3, and a key "
                "chosen at random about 0.2.");
    return reached;
}

InitialValues show_initial_values(Lesson& lesson, int steps) {
    Table table({"score", "initial variance 32", "initial variance 1"});
    const auto reached = [&](ScoreKind kind, double scale) {
        return learned_accuracies(Task::symbols, kind, steps, models(lesson), rates(lesson),
                                  1000 * lesson.seed(), scale);
    };
    const double root = std::sqrt(static_cast<double>(width));
    const auto dot_large = reached(ScoreKind::dot, 1),
               dot_small = reached(ScoreKind::dot, 1 / root),
               scaled_large = reached(ScoreKind::scaled_dot, root),
               scaled_small = reached(ScoreKind::scaled_dot, 1);
    table.row("dot", mean_and_spread(dot_large, 2), mean_and_spread(dot_small, 2));
    table.row("scaled dot", mean_and_spread(scaled_large, 2), mean_and_spread(scaled_small, 2));
    lesson.table(table,
                 "Accuracy on task symbols: mean and standard deviation over the same seeds (with "
                 "--quick one seed and no deviation).");
    return {summarise(dot_large).mean, summarise(dot_small).mean, summarise(scaled_large).mean,
            summarise(scaled_small).mean};
}

}  // namespace heed::lesson10
