#include "lessons/33_states/pictures.h"

#include <algorithm>
#include <cmath>

namespace heed::lesson33 {

using namespace course;

namespace {

std::vector<Diagram> cache_and_state() {
    using enum Diagram::Kind;
    Diagram cache{.title = "A cache: every token adds an entry, and is read again"};
    for (int i = 0; i < 4; ++i)
        cache.boxes.push_back({.name = "token " + std::to_string(i + 1),
                               .lines = {"key, value"},
                               .column = 0,
                               .row = static_cast<double>(i),
                               .kind = input});
    cache.boxes.push_back(
        {.name = "context", .lines = {"of token 4"}, .column = 1, .row = 1.5, .kind = output});
    cache.frames = {{"cache: 4 entries", {0, 1, 2, 3}}};
    cache.arrows = {{0, 4}, {1, 4}, {2, 4}, {3, 4}};

    Diagram state{.title = "A state: every token is written into the same box"};
    for (int i = 0; i < 4; ++i) {
        state.boxes.push_back({.name = "token " + std::to_string(i + 1),
                               .lines = {"key, value"},
                               .column = static_cast<double>(i),
                               .row = 1,
                               .kind = input});
        state.boxes.push_back(
            {.name = "S", .lines = {"d x d"}, .column = static_cast<double>(i), .row = 0});
        state.arrows.push_back({2 * i, 2 * i + 1});
        if (i > 0) state.arrows.push_back({2 * i - 1, 2 * i + 1});
    }
    state.boxes.push_back(
        {.name = "context", .lines = {"of token 4"}, .column = 4, .row = 0, .kind = output});
    state.arrows.push_back({7, 8});
    return {cache, state};
}

}  // namespace

void show_cache_and_state(AtCall lesson) {
    lesson->show(
        "cache_and_state", cache_and_state(),
        "Above, each token adds an entry, and the last token reads all of them. Below, each "
        "token is written into the box S, and the last token reads the box.");
}

void show_numbers_kept(AtCall lesson) {
    Rng rng(lesson->seed());
    LinePlot plot{.title = "After four tokens a cache is larger than a state",
                  .x_label = "tokens read",
                  .y_label = "numbers that a layer of width 32 keeps",
                  .x_range = {0, 32}};
    for (const auto& [name, mixer] :
         std::vector<std::pair<const char*, Mixer>>{{"cache of attention", Mixer::attention},
                                                    {"state of a matrix", Mixer::delta},
                                                    {"state of a GRU", Mixer::gru}}) {
        const MixerLayer layer = make_mixer(mixer, rng);
        Series line{.name = name};
        for (int tokens = 0; tokens <= 32; tokens += 4) {
            line.x.push_back(tokens);
            line.y.push_back(tokens == 0 && mixer == Mixer::attention
                                 ? 0.0
                                 : static_cast<double>(numbers_kept(layer, std::max(tokens, 1))));
        }
        plot.series.push_back(line);
    }
    lesson->show(
        "kept", plot,
        "Four heads of width 8: a matrix of 8 x 8 numbers for each head, a GRU with 24, and "
        "64 more numbers in a cache for each token.");
}

std::vector<Held> show_what_fits(AtCall lesson, const std::vector<Rule>& rules) {
    const Rng rng(lesson->seed());
    LinePlot plot{.title = "The more pairs in a state, the more noise in each answer",
                  .x_label = "pairs written into a state of 32 x 32 numbers",
                  .y_label = "squared error over the square of a value",
                  .log_x = true};
    Table table({"rule", "once: error", "once: recognised", "again: error", "again: recognised"});
    std::vector<Held> all;
    for (const auto& [name, write] : rules) {
        Series line{.name = name, .x = {2, 4, 8, 16, 32, 64}};
        for (const double count : line.x)
            line.y.push_back(
                mean_read_back(static_cast<int64_t>(count), 32, false, write, rng).error);
        plot.series.push_back(line);
        const Held held{mean_read_back(32, 32, false, write, rng),
                        mean_read_back(32, 32, true, write, rng)};
        table.row(name, number(held.once.error), number(held.once.share), number(held.again.error),
                  number(held.again.share));
        all.push_back(held);
    }
    lesson->show("errors", plot,
                 "Keys written once: mean of 20 draws. The axis of the pairs is logarithmic.");
    lesson->table(table, "32 keys in a state of 32 x 32 numbers, written once, and written again.");
    return all;
}

void claim_what_fits(AtCall lesson, const std::vector<Held>& held) {
    const ReadBack &sum_once = held[0].once, &delta_once = held[2].once;
    const double gap = sum_once.share - delta_once.share;
    lesson->claim("sum-error", "identity: the sum, 32 pairs: squared error over 31 / 32",
                  sum_once.error / (31.0 / 32), between(0.85, 1.15));
    lesson->measured("sum-recognised", "the sum: share recognised", sum_once.share);
    lesson->measured("delta-recognised", "the delta rule: share recognised", delta_once.share);
    lesson->claim("delta-error", "finding: the delta rule's error over that of the sum",
                  delta_once.error / sum_once.error, at_most(0.8));
    lesson->claim("sum-minus-delta", "finding: share recognised, the sum minus the delta rule", gap,
                  at_least(0.08));
    lesson->claim("sum-again", "finding: keys written again: the sum, share recognised",
                  held[0].again.share, at_most(0.6));
    lesson->claim("delta-again", "finding: keys written again: the delta rule, share recognised",
                  held[2].again.share, at_least(0.6));
}

namespace {

std::string name_of_all(const std::vector<Mixer>& kinds) {
    std::string name;
    for (Mixer mixer : kinds) name += (name.empty() ? "" : ", then ") + std::string(name_of(mixer));
    return name;
}

// Shares of the right answers; a guess is white.
HeatMap shares(const std::string& title, double guess, const std::vector<std::string>& rows,
               const std::vector<std::string>& columns, const std::string& axis) {
    return {.title = title,
            .row_labels = rows,
            .column_labels = columns,
            .column_axis = axis,
            .low = guess,
            .high = 1,
            .value_name = "share right"};
}

}  // namespace

void show_results(AtCall lesson, const std::string& name, const std::vector<Result>& results) {
    std::vector<std::string> rows, pairs;
    for (const Result& result : results) rows.push_back(name_of_all(result.mixer));
    for (const int count : recall_pairs) pairs.push_back(std::to_string(count));
    std::vector<std::pair<double, std::string>> order;  // by recall of 32 pairs, the best first
    for (const Result& one : results)
        order.emplace_back(-one.recall.back(), name_of_all(one.mixer));
    std::sort(order.begin(), order.end());
    const bool ahead = order[1].first - order[0].first > 0.02;
    const auto learned = std::count_if(results.begin(), results.end(),
                                       [](const Result& one) { return one.parity > 0.75; });
    HeatMap recall = shares(ahead ? fmt::format("Recall: {} is ahead", order[0].second)
                                  : "Recall: no difference",
                            1.0 / values, rows, pairs, "pairs"),
            parity = shares(fmt::format("Parity: {} of {} learn it", learned, results.size()), 0.5,
                            rows, {"24", "48", "96"}, "bits; trained on 24");
    int64_t least = results[0].parameters, most = least;
    for (const Result& result : results) {
        for (const double share : result.recall)
            recall.values.push_back(std::round(share * 100) / 100);
        for (const double share : {result.parity, result.longer, result.four_times})
            parity.values.push_back(std::round(share * 100) / 100);
        least = std::min(least, result.parameters), most = std::max(most, result.parameters);
    }
    lesson->show(
        name, {recall, parity},
        fmt::format("Share of the answers that are right. White is a guess, 1/8 in recall "
                    "and 1/2 in parity. The models have {} to {} parameters.",
                    number(static_cast<double>(least), 6), number(static_cast<double>(most), 6)));
}

void claim_both(AtCall lesson, const Result& both, const Result& twice) {
    lesson->claim("hybrid-recall", "finding: delta rule, then attention: recall of 32 pairs",
                  both.recall[3], at_least(0.9));
    lesson->claim("hybrid-parity", "finding: delta rule, then attention: parity of 24 bits",
                  both.parity, at_least(0.7));
    lesson->claim("twice-parity", "finding: two layers of attention: parity of 24 bits",
                  twice.parity, at_most(0.65));
}

void claim_results(AtCall lesson, const std::vector<Result>& results) {
    const auto of = [&](Mixer mixer) -> const Result& {
        for (const Result& result : results)
            if (result.mixer[0] == mixer) return result;
        fail("{} was not trained", name_of(mixer));
    };
    lesson->claim("attention-recall", "finding: attention: recall of 32 pairs",
                  of(Mixer::attention).recall[3], at_least(lesson->quick() ? 0.85 : 0.9));
    lesson->claim("gru-recall", "finding: GRU: recall of 32 pairs", of(Mixer::gru).recall[3],
                  at_most(0.5));
    lesson->claim("sum-recall", "finding: the sum: recall of 32 pairs", of(Mixer::sum).recall[3],
                  at_most(0.95));
    lesson->measured("sum-recall-4", "the sum: recall of 4 pairs", of(Mixer::sum).recall[0]);
    lesson->claim("attention-parity", "finding: attention: parity of 48 bits",
                  of(Mixer::attention).longer, at_most(0.65));
    lesson->claim("sum-parity", "finding: the sum: parity of 48 bits", of(Mixer::sum).longer,
                  at_most(0.65));
    // A quick run ends before all its seeds have learned parity.
    const double gru = of(Mixer::gru).longer, signed_delta = of(Mixer::signed_delta).longer;
    const char* const gru_text = "finding: GRU: parity of 48 bits";
    const char* const signed_text = "finding: the delta rule with β up to 2: parity of 48 bits";
    if (lesson->quick()) {
        lesson->measured("gru-parity", gru_text, gru);
        lesson->measured("signed-parity", signed_text, signed_delta);
    } else {
        lesson->claim("gru-parity", gru_text, gru, at_least(0.9));
        lesson->claim("signed-parity", signed_text, signed_delta, at_least(0.7));
    }
    lesson->measured("signed-far", "the delta rule with β up to 2: parity of 96 bits",
                     of(Mixer::signed_delta).four_times);
    if (lesson->quick()) return;
    lesson->measured("delta-recall", "the delta rule: recall of 32 pairs",
                     of(Mixer::delta).recall[3]);
    lesson->measured("space-recall", "the state space: recall of 32 pairs",
                     of(Mixer::state_space).recall[3]);
    lesson->claim("delta-parity", "finding: the delta rule with β up to 1: parity of 48 bits",
                  of(Mixer::delta).longer, at_most(0.65));
    lesson->claim("space-parity", "finding: the state space: parity of 48 bits",
                  of(Mixer::state_space).longer, at_most(0.65));
}

}  // namespace heed::lesson33
