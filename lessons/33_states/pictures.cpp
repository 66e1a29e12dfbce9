#include "lessons/33_states/pictures.h"

#include <algorithm>
#include <cmath>

namespace heed::lesson33 {

using namespace course;

namespace {

const std::vector<std::string> sentences{"Ada: 1", "Ben: 5", "Ada: 2"};

// With the numbers of a layer for each token, and in all.
std::vector<Diagram> cache_and_state(int64_t of_token, int64_t of_state) {
    using enum Diagram::Kind;
    Diagram cache{.title = fmt::format("A cache: {} numbers a token", of_token)};
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        cache.boxes.push_back({.name = sentences[i],
                               .lines = {"key, value"},
                               .row = static_cast<double>(i),
                               .kind = input});
        cache.arrows.push_back({static_cast<int>(i), 3});
    }
    cache.boxes.push_back({.name = "Ada?", .column = 1, .row = 1, .kind = output});
    cache.frames = {{"cache: 3 entries", {0, 1, 2}}};

    Diagram state{.title = fmt::format("A state: always {} numbers, {} tokens of the cache",
                                       of_state, of_state / of_token)};
    const std::vector<std::string> held{"Ada 1", "Ada 1, Ben 5", "Ada 2, Ben 5"};
    for (int i = 0; i < 3; ++i) {
        const auto column = static_cast<double>(i);
        state.boxes.push_back({.name = sentences[static_cast<std::size_t>(i)],
                               .column = column,
                               .row = 1,
                               .kind = input});
        state.boxes.push_back({.name = "S",
                               .lines = {held[static_cast<std::size_t>(i)]},
                               .column = column,
                               .row = 0});
        state.arrows.push_back({2 * i, 2 * i + 1});
        if (i > 0) state.arrows.push_back({2 * i - 1, 2 * i + 1});
    }
    state.boxes.push_back({.name = "Ada?", .column = 3, .row = 0, .kind = output});
    state.arrows.push_back({5, 6});
    return {cache, state};
}

}  // namespace

void show_cache_and_state(AtCall lesson) {
    Rng rng(lesson->seed());
    const int64_t of_token = numbers_kept(make_mixer(Mixer::attention, rng), 1),
                  of_state = numbers_kept(make_mixer(Mixer::delta, rng), 1);
    lesson->show(
        "cache_and_state", cache_and_state(of_token, of_state),
        fmt::format(
            "On the left each token adds an entry, and the question reads all of them. On the right "
            "each token changes the box S, and the question reads the box. From token {} on the "
            "cache is larger. The numbers are those of a layer of width 32, with four heads of "
            "width 8.",
            of_state / of_token + 1));
}

HeatMap answers_map(const std::string& rule, const Tensor& read) {
    const double unknown = std::nan("");
    const std::vector<double> right{1, 1, 2, unknown, 5, 5};
    HeatMap map{.title = rule,
                .values = read.to_vector(),
                .row_labels = {"Ada", "Ben"},
                .column_labels = sentences,
                .column_axis = "after the sentence",
                .high = 1000,  // no shades: a larger house number is not more of anything
                .value_name = "house number"};
    for (int i = 0; i < 6; ++i)
        if (std::fabs(map.values[static_cast<std::size_t>(i)] -
                      right[static_cast<std::size_t>(i)]) > 0.01)
            map.gold.emplace_back(i / 3, i % 3);
    map.title += map.gold.empty() ? ": none wrong" : fmt::format(": {} wrong", map.gold.size());
    return map;
}

std::vector<Held> show_what_fits(AtCall lesson, const std::vector<Rule>& rules) {
    const Rng rng(lesson->seed());
    const std::vector<double> counts{2, 4, 8, 16, 32, 64};
    LinePlot error{.x_label = "pairs in a state of 32 x 32",
                   .y_label = "squared error over |v|²",
                   .log_x = true},
        share{.x_label = error.x_label, .y_label = "share recognised", .log_x = true};
    Table table({"rule", "once: error", "once: recognised", "again: error", "again: recognised"});
    std::vector<Held> all;
    for (const auto& [name, write] : rules) {
        Series errors{.name = name, .x = counts}, shares = errors;
        for (const double count : counts) {
            const ReadBack read =
                mean_read_back(static_cast<int64_t>(count), 32, false, write, rng);
            errors.y.push_back(read.error), shares.y.push_back(read.share);
        }
        error.series.push_back(errors), share.series.push_back(shares);
        const Held held{mean_read_back(32, 32, false, write, rng),
                        mean_read_back(32, 32, true, write, rng)};
        table.row(name, number(held.once.error), number(held.once.share), number(held.again.error),
                  number(held.again.share));
        all.push_back(held);
    }
    Series predicted{.name = "(n - 1) / d", .x = counts, .dashed = true};
    for (const double count : counts) predicted.y.push_back((count - 1) / 32);
    error.series.push_back(predicted);
    const ReadBack &sum = all[0].once, &delta = all[2].once;
    const bool surprise = delta.error < sum.error && delta.share < sum.share;
    // Up to how many pairs no other rule has a smaller error.
    double least_up_to = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (error.series[2].y[i] > std::min(error.series[0].y[i], error.series[1].y[i])) break;
        least_up_to = counts[i];
    }
    error.title = !surprise ? "The error ..."
                            : fmt::format("The delta rule has the smallest error{} ...",
                                          least_up_to < counts.back()
                                              ? fmt::format(" up to {} pairs", least_up_to)
                                              : "");
    share.title = surprise ? "... but by the sum we recognise more" : "... and what is recognised";
    lesson->show(
        "errors", {error, share},
        "Keys written once: mean of 20 draws. Decay with α = 0.9, delta rule with β = 1. The "
        "axis of the pairs is logarithmic.");
    lesson->table(table,
                  "32 keys in a state of 32 x 32 numbers, written once, and written again, with "
                  "α = 0.9 and β = 1.");
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
    if (kinds.size() == 1) return name_of(kinds[0]);
    return kinds[0] == kinds[1] ? "two layers of attention"
                                : "delta rule (β up to 2), then attention";
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

void show_results(AtCall lesson, const std::vector<Result>& results) {
    std::vector<std::string> rows, pairs;
    for (const Result& result : results) {
        if (result.mixer.size() > 1 && rows.size() == mixers().size())
            rows.emplace_back();  // a gap
        rows.push_back(name_of_all(result.mixer));
    }
    for (const int count : recall_pairs) pairs.push_back(std::to_string(count));
    double with = 1,
           without = 0;  // attention: the worst of the models, and the best, with 32 pairs
    for (const Result& one : results) {
        if (std::count(one.mixer.begin(), one.mixer.end(), Mixer::attention) > 0)
            with = std::min(with, one.recall.back());
        else
            without = std::max(without, one.recall.back());
    }
    const auto learned = std::count_if(results.begin(), results.end(),
                                       [](const Result& one) { return one.parity > 0.75; });
    HeatMap recall = shares(with > without + 0.02 ? "Recall: the models with attention are ahead"
                                                  : "Recall: attention is not ahead",
                            1.0 / values, rows, pairs, "pairs"),
            parity = shares(fmt::format("Parity: {} of {} learn it", learned, results.size()), 0.5,
                            rows, {"24", "48", "96"}, "bits; trained on 24");
    int64_t least = results[0].parameters, most = least;
    for (const Result& result : results) {
        if (result.mixer.size() > 1 &&
            recall.values.size() == mixers().size() * recall_pairs.size()) {
            recall.values.insert(recall.values.end(), recall_pairs.size(), std::nan(""));
            parity.values.insert(parity.values.end(), 3, std::nan(""));
        }
        for (const double share : result.recall)
            recall.values.push_back(std::round(share * 100) / 100);
        for (const double share : {result.parity, result.longer, result.four_times})
            parity.values.push_back(std::round(share * 100) / 100);
        if (result.mixer.size() == 1)
            least = std::min(least, result.parameters), most = std::max(most, result.parameters);
    }
    lesson->show(
        "tasks", {recall, parity},
        fmt::format(
            "Share of the answers that are right. The palest cells are a guess, 1/8 in "
            "recall and 1/2 in parity. The models of one layer have {} to {} parameters{}",
            number(static_cast<double>(least), 6), number(static_cast<double>(most), 6),
            results.back().mixer.size() > 1
                ? ". The last two rows have two layers: see the section \"Both\". Why the "
                  "state space fails at 4 pairs we do not know: this is no verdict on Mamba."
                : "."));
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
