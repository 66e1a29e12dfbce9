#include "lessons/34_experts/pictures.h"

namespace heed::lesson34 {

using namespace course;

Diagram two_of_four() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "One token, four experts, two of them computed"};
    diagram.boxes = {
        {.name = "token x", .column = 0, .row = 1.5, .kind = input},
        {.name = "router", .lines = {"2, -1, 1, 0"}, .column = 1, .row = 3, .kind = learned},
        {.name = "expert 1", .lines = {"weight 0.73"}, .column = 2, .row = 0, .kind = learned},
        {.name = "expert 2", .lines = {"not computed"}, .column = 2, .row = 1, .kind = learned},
        {.name = "expert 3", .lines = {"weight 0.27"}, .column = 2, .row = 2, .kind = learned},
        {.name = "expert 4", .lines = {"not computed"}, .column = 2, .row = 3, .kind = learned},
        {.name = "+", .column = 3, .row = 1, .round = true},
        {.name = "y", .column = 4, .row = 1, .kind = output}};
    diagram.arrows = {{0, 1},
                      {0, 2},
                      {0, 4},
                      {.from = 1, .to = 2, .dashed = true},
                      {.from = 1, .to = 4, .dashed = true},
                      {2, 6},
                      {4, 6},
                      {6, 7}};
    return diagram;
}

namespace {

HeatMap map_of(const std::string& title, const std::vector<double>& values) {
    HeatMap map{.title = title,
                .values = values,
                .row_axis = "kind",
                .column_axis = "expert",
                .value_name = "share of the kind"};
    for (int i = 1; i <= kinds; ++i) {
        map.row_labels.push_back(std::to_string(i));
        map.column_labels.push_back(std::to_string(i));
    }
    return map;
}

}  // namespace

void show_tables(AtCall lesson, const Means& without, const Means& with) {
    lesson->show(
        "tables",
        std::vector<HeatMap>{map_of("Before training", without.first.tables.front()),
                             map_of("Trained without balance", without.first.tables.back()),
                             map_of("Trained with balance", with.first.tables.back())},
        "Which expert takes the tokens of which kind, in the first of the tasks. A "
        "row with one dark cell is a kind that goes to one expert. An expert whose column is white "
        "is not used.");
}

void show_effective(AtCall lesson, const Means& without, const Means& with) {
    LinePlot plot{.title = with.experts > without.experts + 0.5
                               ? "The balance loss brings idle experts into use"
                               : "Experts in use, with and without the balance loss",
                  .x_label = "step",
                  .y_label = "effective number of experts",
                  .y_range = {0, 8.5}};
    plot.series = {without.series, with.series};
    plot.series[0].name = "without balance";
    plot.series[1].name = "with balance";
    lesson->show("effective", plot, "Mean over the tasks, with a band of one standard deviation.");
}

void show_rules(AtCall lesson, const std::vector<std::pair<std::string, Means>>& rules) {
    Table table({"trained by", "experts computed for a token", "experts in use", "error"});
    for (const auto& [name, means] : rules)
        table.row(name, number(means.work), number(means.experts), number(means.error));
    lesson->table(table,
                  "Means over the tasks. After training every token goes to its best expert only. "
                  "An answer of 0 would have the error 1.");
}

void show_facts(AtCall lesson, const std::vector<Learned>& all) {
    Table table({"network", "parameters", "multiply-adds", "facts known", "seconds"});
    BarChart chart{.title = "Share of the facts that each network knows",
                   .value_label = "share of the facts known",
                   .high = 1};
    chart.sets = {{.name = "facts known"}};
    for (const Learned& one : all) {
        table.row(one.network.name, number(one.parameters), number(one.work), number(one.right),
                  number(one.seconds));
        chart.labels.push_back(one.network.name);
        chart.sets[0].values.push_back(one.right);
    }
    lesson->table(
        table,
        "Parameters are those of the feed-forward network alone, multiply-adds those for one "
        "token. The seconds are those of the training on this machine.");
    lesson->show(
        "facts", chart,
        "The first four networks cost about the same for a token, the last one about eight "
        "times as much.");
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

void show_texts(AtCall lesson, const std::vector<Network>& networks,
                const std::vector<double>& losses) {
    Table table({"network", "loss, nats a character"});
    for (std::size_t i = 0; i < losses.size(); ++i)
        table.row(networks[i].name, fmt::format("{:.3f}", losses[i]));
    lesson->table(table, "Loss on unseen sentences, the mean of two models.");
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
}

void show_times(AtCall lesson, const std::vector<Network>& wide) {
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

}  // namespace heed::lesson34
