#include "lessons/10_scores/entries.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

using namespace heed;
using namespace heed::course;

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
