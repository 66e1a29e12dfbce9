#include "lessons/12_luong/pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/scores/mechanism.h"
#include "autograd/autograd.h"
#include "lessons/12_luong/models.h"

namespace heed::lesson12 {

using namespace course;

HeatMap moving_window() {
    constexpr int reach = 2, words = 5, outputs = 4;
    HeatMap map{.title = "A window that moves one word at a time",
                .row_labels = {"I", "read", "the", "book"},
                .column_labels = example_words(),
                .row_axis = "output",
                .column_axis = "source",
                .high = 0.5,
                .gold = {{0, 0}, {1, 4}, {2, 1}, {3, 2}}};
    for (int t = 0; t < outputs; ++t) {
        const int first = std::max(0, t - reach), last = std::min(words - 1, t + reach);
        for (int j = 0; j < words; ++j)
            map.values.push_back(first <= j && j <= last ? 1. / (last - first + 1) : 0);
    }
    return map;
}

// --- windows ------------------------------------------------------------------------------------

const std::vector<std::string>& example_words() {
    static const std::vector<std::string> words{"나는", "그", "책", "을", "읽는다"};
    return words;
}

HeatMap scored_words() {
    return {.title = "Which words are scored",
            .values = {1, 1, 1, 1, 1,   //
                       1, 1, 1, 1, 0,   // 0 to 3
                       0, 0, 1, 1, 1},  // 2 to 4
            .row_labels = {"global", "local-m, p = 1", "local-p, p = 4"},
            .column_labels = example_words(),
            .row_axis = "attention",
            .column_axis = "source",
            .high = 2,
            .gold = {{0, 4}, {1, 4}, {2, 4}},
            .value_name = "scored"};
}

std::vector<Diagram> decoder_diagrams() {
    Diagram plain{.title = "Luong"};
    plain.boxes = {{"word before", {"its embedding"}, 0, 0, true},
                   {"state before", {}, 0, 1, true},
                   {"annotations", {"of the source"}, 0, 2, true},
                   {"recurrent step", {"new state s"}, 1, 0.5},
                   {"attention", {"context c"}, 2, 1.5},
                   {"attentional vector", {"tanh(W_c [s; c])"}, 3, 0.5},
                   {"next word", {}, 4, 0.5}};
    plain.arrows = {{0, 3}, {1, 3}, {3, 4}, {2, 4}, {3, 5}, {4, 5}, {5, 6}};
    Diagram fed = plain;
    fed.title = "with input feeding";
    fed.boxes.push_back({"attentional vector", {"of the step before"}, 0, -1, true});
    fed.arrows.push_back({7, 3});
    for (Diagram::Box& box : fed.boxes) box.row += 1;
    return {plain, fed};
}

void show_edge(AtCall lesson, const std::function<double(double)>& weight) {
    LinePlot plot{.title = "Word 5 of seven words with equal scores",
                  .x_label = "centre p",
                  .y_label = "weight of word 5",
                  .series = {{"local-p, R = 2"}, {"the Gaussian without a window"}}};
    for (double p = 0.01; p < 6; p += 0.02) {
        plot.series[0].x.push_back(p);
        plot.series[0].y.push_back(weight(p));
        plot.series[1].x.push_back(p);
        plot.series[1].y.push_back(std::exp(-0.5 * (5 - p) * (5 - p)) / 7);
    }
    lesson->show("edge", plot,
                 "The weight of one word as the centre moves. With a window it jumps where a word "
                 "enters or leaves.");
}

// --- results ------------------------------------------------------------------------------------

void show_maps(AtCall lesson, const Comparison& comparison, const std::vector<int>& which,
               const TextSet& part) {
    const int number = non_monotone_sentence(part);
    const SentencePair& pair = part.pairs[number];
    const std::size_t cells = pair.target.size() * pair.source.size();
    std::vector<HeatMap> maps;
    for (int i : which) {
        std::vector<double> weights = weights_of(comparison.models[i], part, number);
        weights.resize(cells);  // without the row of the end of the sentence
        HeatMap map = attention_map(pair.target, pair.source, weights);
        map.scores = scores_of(comparison.models[i], part.source[number], part.target[number]);
        map.scores.resize(cells);
        map.title = comparison.variants[i].name;
        map.row_axis = "output";
        map.column_axis = "source";
        for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
        maps.push_back(std::move(map));
    }
    lesson->show("maps", maps,
                 "The attention weights of four decoders; the true alignment is outlined.");
}

void show_centre(AtCall lesson, const std::vector<WindowStep>& steps,
                 const SentencePair& sentence) {
    LinePlot plot{.title = "The centre of the window",
                  .x_label = "index of the target word",
                  .y_label = "index in the source",
                  .series = {{.name = "true alignment", .dots = true},
                             {.name = "predicted centre"},
                             {.name = "local-m: same index"}}};
    for (const WindowStep& step : steps) {
        if (step.pair != &sentence) continue;
        const std::vector<double> y{step.gold.empty() ? NAN : step.gold.front(), step.centre,
                                    static_cast<double>(step.index)};
        for (std::size_t i = 0; i < y.size(); ++i) {
            plot.series[i].x.push_back(step.index);
            plot.series[i].y.push_back(y[i]);
        }
    }
    lesson->show(
        "centre", plot,
        "The sentence of the maps above. A word such as \"a\" is aligned with no Korean word.");
}

void show_distances(AtCall lesson, const CentreDistances& distances) {
    Table table({"centre", "distance in words"});
    table.row("predicted by local-p", number(distances.predicted, 2));
    table.row("always the middle", number(distances.middle, 2));
    table.row("on the diagonal", number(distances.diagonal, 2));
    lesson->table(table, fmt::format("Mean distance from the true alignment, over {} words.",
                                     distances.words));
}

void show_cost(AtCall lesson, const std::vector<Cost>& costs) {
    LinePlot plot{.title = "What a step costs",
                  .x_label = "words of the source",
                  .y_label = "scores a step",
                  .series = {{"global"}}};
    for (const auto& [keys, scores] : costs.front().of_length) {
        plot.series[0].x.push_back(keys);
        plot.series[0].y.push_back(keys);
    }
    for (const Cost& cost : costs) {
        Series line{cost.name};
        for (const auto& [keys, scores] : cost.of_length) {
            line.x.push_back(keys);
            line.y.push_back(summarise(scores).mean);
        }
        plot.series.push_back(std::move(line));
    }
    lesson->show("cost", plot, "Scores computed for each target word, counted on the test set.");
    for (const Cost& cost : costs)
        lesson->say("Of the scores that global attention computes, {} computes {:.0f} %.",
                    cost.name, 100 * cost.share());
}

}  // namespace heed::lesson12
