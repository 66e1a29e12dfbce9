#include "lessons/13_explanation/pictures.h"

#include <algorithm>
#include <numeric>

namespace heed::lesson13 {

using namespace course;

ShadedText weights_and_contributions() {
    const std::vector<std::string> words{"the", "thunder"};
    const std::vector<double> weights{0.6, 0.4}, states{0, 5};  // u · h of each word
    ShadedText text{.title = "Two words, shaded twice", .high = 1, .value_name = "share"};
    double logit = 0;
    for (const std::size_t j : {0, 1}) logit += weights[j] * states[j];
    ShadedText::Row contributed{"adds to the answer", words, {}};
    for (const std::size_t j : {0, 1})
        contributed.weights.push_back(weights[j] * states[j] / logit);
    text.rows = {{"attention weight", words, weights}, std::move(contributed)};
    return text;
}

double mean_of(const std::vector<double>& values) { return summarise(values).mean; }

void Findings::add(const std::vector<double>& tau_of, std::vector<double> changes_of,
                   const std::vector<double>& divergence_of,
                   const std::vector<double>& by_weight_of,
                   const std::vector<double>& by_gradient_of) {
    std::sort(changes_of.begin(), changes_of.end());
    tau.push_back(mean_of(tau_of));
    shuffled.push_back(changes_of[changes_of.size() / 2]);
    divergence.push_back(mean_of(divergence_of));
    by_weight.push_back(mean_of(by_weight_of));
    by_gradient.push_back(mean_of(by_gradient_of));
    if (changes.empty()) changes = std::move(changes_of);
}

std::vector<Diagram> encoder_diagrams() {
    std::vector<Diagram> diagrams;
    for (Encoder kind : {Encoder::context_free, Encoder::recurrent}) {
        Diagram diagram{.title = name_of(kind)};
        const char* const words[] = {"distant", "thunder", "again"};
        for (int j = 0; j < 3; ++j)
            diagram.boxes.push_back({words[j], {}, 0, static_cast<double>(j), true});
        for (int j = 0; j < 3; ++j)
            diagram.boxes.push_back(
                {fmt::format("state {}", j + 1), {}, 1, static_cast<double>(j)});
        diagram.boxes.push_back({"weighted mean", {"weights of the states"}, 2, 1});
        diagram.boxes.push_back({"logits", {"of the classes"}, 3, 1});
        for (int j = 0; j < 3; ++j) {
            for (int from = 0; from < 3; ++from)
                if (kind == Encoder::recurrent || from == j)
                    diagram.arrows.push_back({from, 3 + j});
            diagram.arrows.push_back({3 + j, 6});
        }
        diagram.arrows.push_back({6, 7});
        diagrams.push_back(std::move(diagram));
    }
    return diagrams;
}

void show_words(AtCall lesson, Encoder kind, const Document& document, const Analysis& found,
                const std::string& mark) {
    const double total = std::accumulate(found.gradient.begin(), found.gradient.end(), 0.);
    std::vector<std::size_t> order(found.weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return found.weights[a] > found.weights[b]; });
    order.resize(std::min<std::size_t>(10, order.size()));
    BarChart chart{.title = name_of(kind),
                   .value_label = "share of the weights, or of the sum of all |g|",
                   .labels = {},
                   .sets = {{"weight", {}}, {"gradient", {}}}};
    for (std::size_t j : order) {
        chart.labels.push_back(document.words[j] + (document.telling[j] ? mark : ""));
        chart.sets[0].values.push_back(found.weights[j]);
        chart.sets[1].values.push_back(found.gradient[j] / total);
    }
    lesson->show("words_" + std::string(name_of(kind)).substr(0, 7), chart,
                 "A test document: the ten words of largest weight, each with its weight and its "
                 "share of the sum of all |g|.");
}

void show_findings(AtCall lesson, const std::vector<Findings>& all, const std::string& found) {
    Table table(
        {"encoder", "accuracy", "tau", "shuffled", "adversarial", "by weight", "by gradient"});
    LinePlot plot{
        .x_label = "share of documents", .y_label = "change of the answer", .y_range = {0, 1}};
    for (const Findings& f : all) {
        std::vector<double> share;
        for (std::size_t i = 0; i < f.changes.size(); ++i)
            share.push_back(static_cast<double>(i + 1) / static_cast<double>(f.changes.size()));
        plot.series.push_back({name_of(f.kind), share, f.changes});
        table.row(name_of(f.kind), mean_and_spread(f.accuracy), mean_and_spread(f.tau),
                  mean_and_spread(f.shuffled), mean_and_spread(f.divergence),
                  mean_and_spread(f.by_weight), mean_and_spread(f.by_gradient));
    }
    lesson->table(table,
                  fmt::format("Test documents, {}. Shuffled: the median change of the answer. "
                              "Adversarial: the divergence of weights that change the answer by at "
                              "most 0.01. The last two: share of {} words found.",
                              averaged_over(all.front().tau.size(), "network"), found));
    lesson->show("shuffled", plot,
                 "How much the answer changes when the weights are shuffled; documents sorted by "
                 "the change.");
}

}  // namespace heed::lesson13
