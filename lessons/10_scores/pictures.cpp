#include "lessons/10_scores/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson10 {

using namespace course;

// --- three words --------------------------------------------------------------------------------

namespace {

const char* const names[] = {"나는", "학생", "이다"};

std::string pair_of(const Tensor& x) {
    return fmt::format("({}, {})", number(x.at({0}), 3), number(x.at({1}), 3));
}

}  // namespace

Tensor three_words() { return tensor({3, 0, 2, 1, 0, 2}, {3, 2}); }

BarChart weights_of_random_words(std::uint64_t seed) {
    constexpr std::int64_t queries = 200, keys = 32, width = 512, shown = 4;
    Rng rng(seed);
    const Tensor q = normal({queries, 1, width}, 0, 1, rng),
                 k = normal({queries, keys, width}, 0, 1, rng);
    std::vector<double> mean(shown + 1);  // of the largest weights, and of the sum of the others
    for (std::int64_t i = 0; i < queries; ++i) {
        std::vector<double> weights = softmax(matmul(k[i], q[i][0])).to_vector();
        std::sort(weights.rbegin(), weights.rend());
        for (std::size_t j = 0; j < weights.size(); ++j)
            mean[j < shown ? j : shown] += weights[j] / queries;
    }
    std::vector<double> equal(shown, 1. / keys);
    equal.push_back(1 - double(shown) / keys);
    return {.value_label = "weight",
            .labels = {"largest", "second", "third", "fourth", "all 28 others"},
            .sets = {{.name = "what one expects", .values = equal},
                     {.name = "what comes", .values = mean}},
            .high = 1};
}

Arrows shadows() {
    const Tensor query = tensor({0., 2.}), words = three_words();
    const Tensor scores = matmul(words, query);
    const double squared = matmul(query, query).item();
    Arrows plane{.title = "The shadow of a word on the query",
                 .x_label = "how much of a person",
                 .y_label = "how much of a verb"};
    constexpr double beside = 0.04;  // 이다 lies on the query: the two are drawn side by side
    plane.lines.push_back(arrow("query", -beside, query.at({1}), 1, -beside));
    for (const std::int64_t j : {0, 1, 2}) {
        const double x = words.at({j, 0}), y = words.at({j, 1}), share = scores.at({j}) / squared;
        const double from = j == 2 ? beside : 0;
        plane.lines.push_back(arrow(fmt::format("{}: score {}", names[j], number(scores.at({j}))),
                                    x + from, y, 0, from));
        if (share == 0 || x == 0) continue;  // it throws no shadow, or is its own
        plane.lines.push_back({.x = {x, share * query.at({0})},
                               .y = {y, share * query.at({1})},
                               .colour = 4,
                               .end = Arrows::End::none,
                               .dashed = true});
    }
    return plane;
}

void show_answers(AtCall lesson, const Tensor& words) {
    Table table({"query", "best key", "its value", "weighted mean"});
    for (const double verb : {1.9, 2.0, 2.1}) {
        const Tensor scores = matmul(words, tensor({0., verb}));
        const int best = argmax(reshape(scores, {1, 3}), 1)[0];
        table.row(fmt::format("(0, {})", number(verb, 2)), names[best],
                  pair_of(select(words, 0, best)), pair_of(matmul(softmax(scores), words)));
    }
    lesson->table(table, "Three queries that differ a little, and two ways to answer them.");
}

void show_scores(AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& scores) {
    Table table({"score", names[0], names[1], names[2], "weights"});
    for (const auto& [name, score] : scores) {
        const Tensor weights = softmax(score);
        const auto at = [](const Tensor& x, int j) {
            return fmt::format("{:.3f}", select(x, 0, j).item());
        };
        table.row(name, at(score, 0), at(score, 1), at(score, 2),
                  fmt::format("{}  {}  {}", at(weights, 0), at(weights, 1), at(weights, 2)));
    }
    lesson->table(
        table,
        "The query (2, 0) and our three words. The matrix W swaps the two numbers, U leaves "
        "them as they are, and v is (-1, 1).");
}

std::vector<Diagram> score_diagrams() {
    const auto box = [](const char* name, double column, double row, bool source = false) {
        return Diagram::Box{.name = name, .column = column, .row = row, .source = source};
    };
    Diagram dot{.title = "dot"};
    dot.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true), box("q · k", 1, 0.5),
                 box("score", 2, 0.5)};
    dot.arrows = {{0, 2}, {1, 2}, {2, 3}};

    Diagram general{.title = "general"};
    general.boxes = {box("query q", 0, 0, true), box("key k", 0, 1, true), box("W", 1, 1),
                     box("q · Wk", 2, 0.5), box("score", 3, 0.5)};
    general.arrows = {{0, 3}, {1, 2}, {2, 3}, {3, 4}};

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

    return {dot, general, additive};
}

double show_gradients(AtCall lesson) {
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
    lesson->table(
        table,
        "The loss grows with the first weight. The larger the difference of the scores is, "
        "the smaller is the gradient.");
    return gap;
}

// --- measurements -------------------------------------------------------------------------------

VarianceResult show_variances(AtCall lesson, const std::vector<double>& widths, Rng& rng) {
    const int pairs = lesson->quick() ? 15000 : 40000;
    Table table({"width", "variance of q·k", "variance of q·k/√D"});
    VarianceResult result{};
    for (double D : widths) {
        const double variance = score_variance(static_cast<int64_t>(D), pairs, rng);
        table.row(D, number(variance, 3), number(variance / D, 3));
        result.over_width = std::max(result.over_width, std::abs(variance / D - 1));
        if (D == 64) result.at_64 = variance;
    }
    lesson->table(table,
                  fmt::format("{} pairs of random vectors for each width D. Whoever divides a "
                              "number by √D divides its variance by D.",
                              pairs));
    return result;
}

std::vector<Sweep> show_saturation(AtCall lesson, const std::vector<double>& widths, Rng& rng) {
    const std::vector<Sweep> sweeps = sweep_widths(widths, lesson->quick() ? 300 : 1000, rng);
    Table table({"at width 512", "entropy", "scores", "vanished", "values"});
    LinePlot entropy{.x_label = "width", .y_label = "entropy, in nats", .log_x = true};
    LinePlot vanished{
        .x_label = "width", .y_label = "share of the queries", .log_x = true, .y_range = {0, 1}};
    for (const Sweep& s : sweeps) {
        entropy.series.push_back({s.name, widths, s.entropy});
        vanished.series.push_back({s.name, widths, s.vanished});
        table.row(s.name, number(s.last.entropy, 2), number(s.last.scores, 2),
                  number(s.last.vanished, 2), number(s.last.values, 2));
    }
    lesson->show("entropy", entropy, "The entropy of the weights of 32 random keys.");
    lesson->show("vanished", vanished,
                 "How many queries stop learning: the share of those whose scores have a vanished "
                 "gradient, after the backward pass through softmax.");
    lesson->table(table,
                  "Scores and values: the norm of their gradients. Vanished: the share of queries "
                  "where that of the scores is below 0.001.");
    return sweeps;
}

}  // namespace heed::lesson10
