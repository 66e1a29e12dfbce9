#include "lessons/12_luong/experiment.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "attention/scores/mechanism.h"
#include "autograd/autograd.h"
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

Comparison compare_decoders(AtCall lesson, const std::vector<Variant>& variants,
                            const ParallelText& text, const Budget& budget, int seeds) {
    Comparison result{.variants = variants, .models = {}, .exact = {}, .alignment_error = {}};
    Table table({"decoder", "parameters", "exact", "alignment error", "seconds"});
    BarChart chart{.title = "Test sentences translated exactly",
                   .value_label = "share exact",
                   .sets = {{"exact", {}, {}}},
                   .high = 1};
    int done = 0;
    course::ProgressLine line =
        lesson->progress("training", static_cast<std::int64_t>(variants.size()) * seeds);
    for (const Variant& variant : variants) {
        std::vector<double> exact, error, seconds;
        for (int i = 0; i < seeds; ++i) {
            const Trained one = train(variant, budget, text, 100 * lesson->seed() + i);
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
    lesson->table(table,
                  fmt::format("{} steps of 64 sentences; windows with R = {}; {}.", budget.steps,
                              budget.reach, averaged_over(static_cast<std::size_t>(seeds))));
    lesson->show("exact", chart,
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

double Cost::share() const {
    double taken = 0, all = 0;
    for (const auto& [keys, scores] : of_length) {
        taken += std::accumulate(scores.begin(), scores.end(), 0.0);
        all += keys * static_cast<double>(scores.size());
    }
    return taken / all;
}

// --- numbers by hand ----------------------------------------------------------------------------

Tensor library_weights_of_seven(double p) {
    const NoGrad no_grad;
    Rng rng(1);
    AttentionSpan span(SpanKind::local_p, {.half_window = 2, .query = 1}, rng);
    // The centre is 7 sigmoid(10 tanh(query)), so the query is found backwards from p.
    span.hidden.weight = ones({1, 1}, Dtype::float64);
    span.v = full({1, 1}, 10, Dtype::float64);
    const double query = std::atanh(std::log(p / (7 - p)) / 10);
    return reshape(
        span.weights(zeros({1, 1, 7}, Dtype::float64), full({1, 1, 1}, query, Dtype::float64)),
        {7});
}

double error_of_the_gradient(std::uint64_t seed) {
    Rng rng(seed);
    Attention attention{AttentionScore(ScoreKind::general, {.query = 4, .key = 3}, rng),
                        AttentionSpan(SpanKind::local_p, {.half_window = 2, .query = 4}, rng)};
    to_dtype(attention, Dtype::float64);
    const Tensor s = normal({1, 1, 4}, 0, 1, rng, Dtype::float64);
    const Tensor h = normal({1, 9, 3}, 0, 1, rng, Dtype::float64);
    const auto context = [&](const std::vector<Tensor>& x) {
        attention.span.v = x[0];
        attention.span.hidden.weight = x[1];
        return attention(s, attention.prepare(h, h)).context;
    };
    return gradcheck(context, {attention.span.v, attention.span.hidden.weight}).max_error;
}

}  // namespace heed::lesson12
