#include "lessons/12_luong/comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lessons/course/course.h"

namespace heed::lesson12 {

using namespace course;

double Comparison::gain(int variant, int over) const {
    return summarise(exact[variant]).mean - summarise(exact[over]).mean;
}

double Comparison::error(int variant) const { return summarise(alignment_error[variant]).mean; }

bool Comparison::is_clear(int variant, int over) const {
    std::vector<double> gains;
    for (std::size_t i = 0; i < exact[variant].size(); ++i)
        gains.push_back(exact[variant][i] - exact[over][i]);
    const Summary all = summarise(gains);
    return gains.size() > 1 &&
           std::abs(all.mean) > 2 * all.deviation / std::sqrt(static_cast<double>(gains.size()));
}

Comparison compare_decoders(Lesson& lesson, const std::vector<Variant>& variants,
                            const ParallelText& text, const Budget& budget, int seeds) {
    Comparison result{.variants = variants, .models = {}, .exact = {}, .alignment_error = {}};
    Table table({"decoder", "parameters", "exact", "alignment error", "seconds"});
    BarChart chart{.title = "Test sentences translated exactly",
                   .value_label = "share exact",
                   .sets = {{"exact", {}, {}}},
                   .high = 1};
    int done = 0;
    course::ProgressLine line =
        lesson.progress("training", static_cast<std::int64_t>(variants.size()) * seeds);
    for (const Variant& variant : variants) {
        std::vector<double> exact, error, seconds;
        for (int i = 0; i < seeds; ++i) {
            const Trained one = train(variant, budget, text, 100 * lesson.seed() + i);
            if (i == 0) result.models.push_back(one.model);
            exact.push_back(one.exact);
            error.push_back(one.alignment_error);
            seconds.push_back(one.seconds);
            line.update(++done);
        }
        table.row(variant.name, parameter_count(result.models.back()), mean_and_spread(exact),
                  mean_and_spread(error), mean_and_spread(seconds, 1));
        chart.labels.push_back(variant.name);
        chart.sets[0].values.push_back(summarise(exact).mean);
        chart.sets[0].spread.push_back(summarise(exact).deviation);
        result.exact.push_back(exact);
        result.alignment_error.push_back(error);
    }
    line.clear();
    lesson.table(table, fmt::format("{} steps of 64 sentences, {}.", budget.steps,
                                    averaged_over(static_cast<std::size_t>(seeds))));
    lesson.show("exact", chart,
                seeds > 1 ? "The marks show one standard deviation to each side."
                          : "Share of the test sentences, with one seed.");
    return result;
}

int non_monotone_sentence(const TextSet& part) {
    const auto largest_shift = [&](int n) {
        int most = 0;
        for (const auto& [j, t] : part.pairs[n].alignment) most = std::max(most, std::abs(j - t));
        return part.pairs[n].target.size() <= 9 ? most : 0;
    };
    int best = 0;
    for (int n = 0; n < part.size(); ++n)
        if (largest_shift(n) > largest_shift(best)) best = n;
    return best;
}

void show_maps(Lesson& lesson, const Comparison& comparison, const std::vector<int>& which,
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
    lesson.show("maps", maps,
                "The attention weights of four decoders; the true alignment is outlined.");
}

void show_centre(Lesson& lesson, const std::vector<WindowStep>& steps,
                 const SentencePair& sentence) {
    LinePlot plot{.title = "The centre of the window",
                  .x_label = "index of the target word",
                  .y_label = "index in the source",
                  .series = {{"true alignment"}, {"predicted centre"}, {"local-m: same index"}}};
    for (const WindowStep& step : steps) {
        if (step.pair != &sentence) continue;
        const std::vector<double> y{step.gold.empty() ? NAN : step.gold.front(), step.centre,
                                    static_cast<double>(step.index)};
        for (std::size_t i = 0; i < y.size(); ++i) {
            plot.series[i].x.push_back(step.index);
            plot.series[i].y.push_back(y[i]);
        }
    }
    lesson.show(
        "centre", plot,
        "The sentence of the maps above. A word such as \"a\" is aligned with no Korean word.");
}

CentreDistances centre_distances(const std::vector<WindowStep>& steps) {
    CentreDistances sum;
    for (const WindowStep& step : steps) {
        if (step.gold.empty()) continue;
        const double keys = step.keys(), target = static_cast<double>(step.pair->target.size());
        sum.predicted += step.distance_to_gold(step.centre);
        sum.middle += step.distance_to_gold((keys - 1) / 2);
        sum.diagonal += step.distance_to_gold(step.index * keys / target);
        ++sum.words;
    }
    const double count = sum.words;
    return {sum.predicted / count, sum.middle / count, sum.diagonal / count, sum.words};
}

void show_distances(Lesson& lesson, const CentreDistances& distances) {
    Table table({"centre", "distance in words"});
    table.row("predicted by local-p", number(distances.predicted, 2));
    table.row("always the middle", number(distances.middle, 2));
    table.row("on the diagonal", number(distances.diagonal, 2));
    lesson.table(table, fmt::format("Mean distance from the true alignment, over {} words.",
                                    distances.words));
}

double Cost::share() const {
    double taken = 0, all = 0;
    for (const auto& [keys, scores] : of_length) {
        taken += std::accumulate(scores.begin(), scores.end(), 0.0);
        all += keys * static_cast<double>(scores.size());
    }
    return taken / all;
}

void show_cost(Lesson& lesson, const std::vector<Cost>& costs) {
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
    lesson.show("cost", plot, "Scores computed for each target word, counted on the test set.");
    for (const Cost& cost : costs)
        lesson.say("Of the scores that global attention computes, {} computes {:.0f} %.", cost.name,
                   100 * cost.share());
}

}  // namespace heed::lesson12
