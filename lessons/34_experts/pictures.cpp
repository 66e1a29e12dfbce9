#include "lessons/34_experts/pictures.h"

#include <algorithm>

#include "lessons/course/contents/kept_seeds.h"

namespace heed::lesson34 {

using namespace course;

namespace {

constexpr std::size_t compared = 5;  // networks; the last two of model.h are for show_scale()

Diagram two_of_four() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "One token, four experts, two of them computed"};
    diagram.boxes = {
        {.name = "token x", .column = 0, .row = 0.5, .kind = input},
        {.name = "router", .lines = {"2, -1, 1, 0"}, .column = 1, .row = 1.5, .kind = learned},
        {.name = "expert 1", .lines = {"weight 0.73"}, .column = 2, .row = 0, .kind = learned},
        {.name = "expert 3", .lines = {"weight 0.27"}, .column = 2, .row = 1, .kind = learned},
        {.name = "expert 2", .column = 2, .row = 2, .kind = learned},
        {.name = "expert 4", .column = 2, .row = 3, .kind = learned},
        {.name = "+", .column = 3, .row = 0.5, .round = true},
        {.name = "y", .column = 4, .row = 0.5, .kind = output}};
    diagram.arrows = {{0, 1},
                      {0, 2},
                      {0, 3},
                      {.from = 1, .to = 2, .dashed = true},
                      {.from = 1, .to = 3, .dashed = true},
                      {2, 6},
                      {3, 6},
                      {6, 7}};
    diagram.frames = {{"not computed", {4, 5}}};
    return diagram;
}

void claim_balance(AtCall lesson, const Means& without, const Means& with) {
    lesson->claim("balanced-experts", "finding: with balance: experts in use, of 8", with.experts,
                  at_least(lesson->quick() ? 7 : 7.7));
    lesson->claim("balanced-error", "finding: with balance: error", with.error,
                  at_most(lesson->quick() ? 0.15 : 0.05));
    lesson->claim("balance-gain", "finding: error without balance over that with balance",
                  without.error / with.error, at_least(lesson->quick() ? 1.2 : 5));
}

void claim_rules(AtCall lesson, const std::vector<std::pair<std::string, Means>>& rules) {
    const Means &choice = rules[0].second, &mixed = rules[1].second, &through = rules[2].second,
                &sampled = rules[3].second;
    lesson->claim("mixture-error", "finding: trained as a mixture: error with one expert",
                  mixed.error, at_least(0.2));
    lesson->measured("mixture-as-trained", "trained as a mixture: error as a mixture", mixed.mixed);
    lesson->claim("straight-error", "finding: straight-through: error", through.error,
                  at_most(lesson->quick() ? 0.35 : 0.11));
    lesson->claim("reinforce-error", "finding: REINFORCE: error", sampled.error, at_least(0.1));
    lesson->measured("reinforce-experts", "REINFORCE: experts in use", sampled.experts);
    lesson->claim("work-choice", "identity: the choice: experts computed for a token", choice.work,
                  equals(1, 1e-9));
    lesson->claim("work-straight", "identity: straight-through: experts computed for a token",
                  through.work, equals(8, 1e-9));
}

void claim_facts(AtCall lesson, const std::vector<Learned>& all) {
    const double small = all[0].right, frozen = all[1].right, one = all[2].right,
                 two = all[3].right, large = all[4].right;
    lesson->measured("facts-small", "facts known: small network", small);
    lesson->measured("facts-frozen", "facts known: 1 of 8, router not trained", frozen);
    lesson->measured("facts-one", "facts known: 1 of 8", one);
    lesson->measured("facts-two", "facts known: 2 of 16", two);
    lesson->measured("facts-large", "facts known: large network", large);
    lesson->claim("facts-gain", "finding: facts known: 1 of 8 minus the small network", one - small,
                  at_least(lesson->quick() ? 0.1 : 0.39));
    lesson->claim("facts-router", "finding: facts known: trained router minus random router",
                  one - frozen, at_least(lesson->quick() ? 0.01 : 0.03));
    if (!lesson->quick()) {  // a quick run ends before the large network is ahead
        lesson->claim("facts-price", "finding: facts known: the large network minus 1 of 8",
                      large - one, at_least(0.045));
        lesson->claim("facts-halves", "finding: facts known: 2 of 16 minus 1 of 8", two - one,
                      at_least(-0.01));
    }
    lesson->claim("work-ratio", "identity: multiply-adds for a token, 1 of 8 over small",
                  all[2].work / all[0].work, equals(1.125, 1e-9));
    lesson->claim("work-large", "identity: multiply-adds for a token, large over small",
                  all[4].work / all[0].work, equals(8, 1e-9));
}

}  // namespace

void show_two_of_four(AtCall lesson) {
    lesson->show(
        "two_of_four", two_of_four(),
        "The router scores the experts with 2, -1, 1 and 0. Only the two best ones get the token. "
        "The dashed arrows carry their weights, which sum to 1, and the weighted outputs are "
        "added.");
}

HeatMap routes(const std::string& when, const std::vector<double>& shares, bool every_column) {
    const auto share = [&](int kind, int expert) {
        return shares[static_cast<std::size_t>(kind * kinds + expert)];
    };
    // Experts in the order of the kind of which they take most, and the idle ones.
    std::vector<std::pair<int, int>> order;  // that kind, and the expert
    std::vector<int> idle;
    for (int expert = 0; expert < kinds; ++expert) {
        double of_all = 0;
        int most = 0;
        for (int kind = 0; kind < kinds; ++kind) {
            of_all += share(kind, expert) / kinds;
            if (share(kind, expert) > share(most, expert)) most = kind;
        }
        if (of_all > 0.02)
            order.emplace_back(most, expert);
        else
            idle.push_back(expert);
    }
    std::sort(order.begin(), order.end());

    HeatMap map{.title = fmt::format("{}: {} of {} work", when, order.size(), kinds),
                .row_axis = "kind",
                .column_axis = "expert",
                .value_name = "share of the kind"};
    const auto name = [](int expert) { return std::string(1, static_cast<char>('A' + expert)); };
    std::vector<std::vector<int>> columns;
    for (const auto& [most, expert] : order) {
        columns.push_back({expert});
        map.column_labels.push_back(name(expert));
    }
    if (every_column) {
        for (const int expert : idle)
            columns.push_back({expert}), map.column_labels.push_back(name(expert));
    } else if (!idle.empty()) {
        columns.push_back(idle), map.column_labels.emplace_back("idle");
    }
    for (int kind = 0; kind < kinds; ++kind) {
        map.row_labels.push_back(fmt::format("{}", kind + 1));
        for (const std::vector<int>& column : columns) {
            double sum = 0;
            for (const int expert : column) sum += share(kind, expert);
            map.values.push_back(sum);
        }
    }
    return map;
}

namespace {

// Where the line has fallen furthest below what it had reached before.
std::size_t deepest_dip(const std::vector<double>& y) {
    std::size_t deepest = 0;
    double high = y[0], furthest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        high = std::max(high, y[i]);
        if (high - y[i] > furthest) furthest = high - y[i], deepest = i;
    }
    return deepest;
}

}  // namespace

void show_balance(AtCall lesson, const Means& without, const Means& with) {
    lesson->show(
        "routes",
        std::vector<HeatMap>{routes("Before training", without.first.tables.front()),
                             routes("Without balance", without.first.tables.back()),
                             routes("With balance", with.first.tables.back())},
        fmt::format(
            "The rotations of eight kinds, the first task; without balance {} experts work in "
            "it, and {} in the mean of the tasks. A cell is the share of the kind that goes to "
            "the expert. Experts with less than 2 % of all tokens are idle, and share a "
            "column.",
            number(without.first.experts), number(without.experts)));

    const Series &low = without.series, &high = with.series;
    LinePlot plot{.title = with.experts > without.experts + 0.5
                               ? "The balance loss brings idle experts into use"
                               : "Experts in use, with and without the balance loss",
                  .x_label = "step",
                  .y_label = "effective number of experts",
                  .y_range = {0, 8.5}};
    plot.series = {low, high};
    plot.series[0].name = "without balance";
    plot.series[1].name = "with balance";
    if (const std::size_t dip = deepest_dip(low.y); dip > 0)
        plot.series.push_back({.name = "the dip", .x = {low.x[dip]}, .y = {low.y[dip]}});
    lesson->show("effective", plot, "Mean over the tasks, with a band of one standard deviation.");
    claim_balance(lesson, without, with);
}

std::string show_rules(AtCall lesson, const std::vector<std::pair<std::string, Means>>& rules) {
    Table table({"trained by", "experts computed for a token", "experts in use", "error"});
    for (const auto& [name, means] : rules)
        table.row(name, number(means.work), number(means.experts), number(means.error));
    lesson->table(table,
                  "Means over the tasks. After training every token goes to its best expert only. "
                  "An answer of 0 would have the error 1.");
    claim_rules(lesson, rules);
    return std::max_element(
               rules.begin(), rules.end(),
               [](const auto& a, const auto& b) { return a.second.error < b.second.error; })
        ->first;
}

void claim_collapse(AtCall lesson, const Means& without) {
    lesson->claim("collapsed-experts", "finding: without balance: experts in use, of 8",
                  without.experts, at_most(lesson->quick() ? 7.5 : 6.8));
    lesson->measured("collapsed-effective", "without balance: effective number of experts",
                     without.effective);
    lesson->measured("collapsed-error", "without balance: error", without.error);
}

void show_facts(AtCall lesson, const std::vector<Learned>& all) {
    Table table({"network", "parameters", "multiply-adds", "facts known", "ms a step"});
    LinePlot plot{
        .title = fmt::format("For nearly the same work: {:.0f} % of the facts, not {:.0f} %",
                             100 * all[2].right, 100 * all[0].right),
        .x_label = "multiply-adds for a token",
        .y_label = "share of the facts known",
        .log_x = true,
        .y_range = {0, 1},
        .x_range = {0.6 * all[0].work, 2 * all[4].work}};
    for (std::size_t i = 0; i < compared; ++i) {
        const Learned& one = all[i];
        table.row(one.network.name, number(one.parameters), number(one.work), number(one.right),
                  number(one.milliseconds));
        plot.series.push_back({.name = one.network.name, .x = {one.work}, .y = {one.right}});
    }
    lesson->table(
        table,
        "Parameters are those of the feed-forward network alone, multiply-adds those for one "
        "token. A step of training with 512 facts, on this machine: the networks in turn, the "
        "quickest of five rounds.");
    lesson->show(
        "facts", plot,
        "Up: more facts. Right: more work, on a logarithmic axis: the large network needs "
        "eight times the work of the small one. All but the small network have about eight "
        "times its parameters.");
    claim_facts(lesson, all);
}

namespace {

// The claims that hold the losses on text, in the order of the networks.
const std::string names_of_losses[compared] = {"text-small", "text-frozen", "text-one", "text-two",
                                               "text-large"};

// What each network saves against the small one in the kept full runs.
void show_text_gains(AtCall lesson, const std::vector<Network>& networks, const KeptSeeds& kept) {
    BarChart chart{.title = "What is saved on text against the small network",
                   .value_label = "nats a character",
                   .sets = {{.name = "kept runs"}}};
    const std::vector<double>& small = kept.at(names_of_losses[0]);
    for (std::size_t i = 1; i < compared; ++i) {
        std::vector<double> saved;
        for (std::size_t seed = 0; seed < small.size(); ++seed)
            saved.push_back(small[seed] - kept.at(names_of_losses[i])[seed]);
        chart.labels.push_back(networks[i].name);
        chart.sets[0].values.push_back(median(saved));
        chart.sets[0].spread.push_back(summarise(saved).deviation);
    }
    const std::vector<double>& saved = chart.sets[0].values;
    if (saved[2] > 0.9 * saved[3] && saved[1] < 0.5 * saved[3])
        chart.title = "On text 2 of 16 saves as much as the large network, 1 of 8 little";
    lesson->show(
        "texts", chart,
        "The median of our kept runs, and the standard deviation to either side. Below 0 a "
        "network is worse than the small one.");
}

}  // namespace

void show_texts_and_times(AtCall lesson, const std::vector<Network>& networks,
                          const std::vector<double>& losses, const std::vector<Network>& wide) {
    const KeptSeeds kept = kept_seeds(kept_seeds_path("experts"), false);
    const bool has_kept = kept.contains(names_of_losses[0]);
    Table table({"network", "loss", "in our kept runs", "lowest and highest"});
    for (std::size_t i = 0; i < compared; ++i) {
        const std::string loss = fmt::format("{:.3f}", losses[i]);
        if (!has_kept) {
            table.row(networks[i].name, loss, "", "");
            continue;
        }
        const Summary all = summarise(kept.at(names_of_losses[i]));
        table.row(networks[i].name, loss,
                  fmt::format("{:.3f}", median(kept.at(names_of_losses[i]))),
                  fmt::format("{:.3f}, {:.3f}", all.low, all.high));
    }
    lesson->table(table,
                  "Loss on unseen sentences in nats a character, the mean of two models; of the "
                  "kept runs the median.");
    if (has_kept) show_text_gains(lesson, networks, kept);
    const double small = losses[0], frozen = losses[1], one = losses[2], two = losses[3],
                 large = losses[4];
    lesson->measured("text-small", "loss on text: small network", small);
    lesson->measured("text-frozen", "loss on text: 1 of 8, router not trained", frozen);
    lesson->measured("text-one", "loss on text: 1 of 8", one);
    lesson->measured("text-two", "loss on text: 2 of 16", two);
    lesson->measured("text-large", "loss on text: large network", large);
    lesson->claim("text-gain", "finding: loss on text: small minus 2 of 16", small - two,
                  at_least(0.05));
    lesson->claim("text-router", "finding: loss on text: random minus trained router, 1 of 8",
                  frozen - one, at_least(-0.05));

    const double least = milliseconds(wide[0]), expert = milliseconds(wide[2]),
                 most = milliseconds(wide[4]);
    lesson->say(
        "2,048 tokens of width 256, hidden units 1,024 or 8 times as many: small {:.1f} ms, "
        "1 of 8 experts {:.1f} ms, large {:.1f} ms.",
        least, expert, most);
    lesson->measured("time-experts", "time of 1 of 8 experts over that of the small network",
                     expert / least);
    lesson->measured("time-large", "time of the large network over that of the small one",
                     most / least);
}

void show_scale(AtCall lesson, const std::vector<Learned>& facts,
                const std::vector<double>& losses) {
    const auto known = [&](std::size_t i) { return fmt::format("{:.0f} %", 100 * facts[i].right); };
    const auto loss = [&](std::size_t i) { return fmt::format("{:.3f}", losses[i]); };
    Table table({"network", "facts, times p", "p = 1", "text, times p", "p = 1"});
    table.row("1 of 8, random", known(1), known(5), loss(1), loss(5));
    table.row("1 of 8", known(2), "", loss(2), "");
    table.row("2 of 16", known(6), known(3), loss(6), loss(3));
    lesson->table(
        table,
        "The same choice, multiplied by p or not: facts known, and the loss on text. With p = 1 "
        "the trained router of 1 of 8 would have no gradient.");
    lesson->measured("facts-frozen-whole", "facts known: 1 of 8, random router, p = 1",
                     facts[5].right);
    lesson->measured("facts-two-scaled", "facts known: 2 of 16, times p", facts[6].right);
    lesson->measured("text-frozen-whole", "loss on text: 1 of 8, random router, p = 1", losses[5]);
    lesson->measured("text-two-scaled", "loss on text: 2 of 16, times p", losses[6]);
}

}  // namespace heed::lesson34
