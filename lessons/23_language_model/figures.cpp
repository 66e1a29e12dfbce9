#include "lessons/23_language_model/figures.h"

#include <algorithm>
#include <cmath>

#include "lessons/23_language_model/counts.h"
#include "lessons/course/course.h"

namespace heed::lesson23 {

using namespace heed::course;

double ValidationLosses::loss() const { return summarise(by_position).mean; }
double ValidationLosses::best_table() const {
    return *std::min_element(tables.begin(), tables.end());
}

ValidationLosses validation_losses(const LanguageModel& model, const Characters& text,
                                   const Settings& settings, int longest) {
    ValidationLosses found{loss_by_position(model, text.valid, settings), {}, {}, 0, 0};
    found.counted = std::min(text.train.size(), most_counted);
    const std::vector<int> counted(text.train.begin(),
                                   text.train.begin() + static_cast<std::ptrdiff_t>(found.counted));
    const Counts counts(counted, text.size(), longest);
    for (int n = 0; n <= longest; ++n) {
        found.tables.push_back(counts.loss(text.valid, n));
        found.seen.push_back(counts.seen(text.valid, n));
    }
    found.stored = counts.stored();
    return found;
}

void show_losses(Lesson& lesson, const ValidationLosses& found, const Characters& text) {
    LinePlot plot{.title = "Loss by context",
                  .x_label = "characters of context",
                  .y_label = "nats a character",
                  .series = {{"GPT"}, {"n-gram table"}},
                  .log_x = true};
    for (std::size_t t = 0; t < found.by_position.size(); ++t) {
        plot.series[0].x.push_back(static_cast<double>(t + 1));
        plot.series[0].y.push_back(found.by_position[t]);
    }
    Table table({"model", "context", "contexts seen", "nats a character", "bits"});
    for (std::size_t n = 0; n < found.tables.size(); ++n) {
        table.row("n-gram table", n, fmt::format("{:.3f}", found.seen[n]), found.tables[n],
                  number(found.tables[n] / std::log(2), 3));
        if (n == 0) continue;  // 0 cannot be drawn on a logarithmic axis
        plot.series[1].x.push_back(static_cast<double>(n));
        plot.series[1].y.push_back(found.tables[n]);
    }
    table.row("GPT", found.by_position.size(), "", found.loss(),
              number(found.loss() / std::log(2), 3));
    const auto count = [](std::size_t n) { return number(static_cast<double>(n), 8); };
    lesson.table(
        table, fmt::format(
                   "Loss on the whole validation text, {} characters. The tables have {} counts{}.",
                   count(text.valid.size()), count(found.stored),
                   found.counted == text.train.size()
                       ? ""
                       : fmt::format(" of the first {} characters of the training text",
                                     count(found.counted))));
    lesson.show("context", plot, "The validation loss by the number of characters of context.");
    lesson.say("The best n-gram table is {} than the model, by {:.3f} nats a character.",
               found.best_table() < found.loss() ? "better" : "worse",
               std::abs(found.best_table() - found.loss()));
}

void show_training(Lesson& lesson, const Curve& curve, double best_table) {
    if (curve.at.size() < 2) return;
    LinePlot plot{
        .title = "Training",
        .x_label = "step",
        .y_label = "nats a character",
        .series = {
            {"validation", curve.at, curve.valid},
            {"best n-gram table", {curve.at.front(), curve.at.back()}, {best_table, best_table}}}};
    lesson.show("training", plot, "The loss on 20 random batches of the validation text.");
}

void show_heads(Lesson& lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings) {
    lesson.heading("What do the heads attend to?");
    const int reach = 16;
    HeatMap map{.title = "Mean weight by distance",
                .values = weight_by_distance(model, text.valid, settings, reach),
                .row_axis = "layer.head",
                .column_axis = "characters back"};
    for (int layer = 1; layer <= settings.layers; ++layer)
        for (int head = 1; head <= settings.heads; ++head)
            map.row_labels.push_back(fmt::format("{}.{}", layer, head));
    for (int back = 0; back < reach; ++back) map.column_labels.push_back(std::to_string(back));
    map.high = *std::max_element(map.values.begin(), map.values.end());
    lesson.show("heads", map,
                "The mean attention weight of each head by distance; 0 is the character itself.");
}

void show_cost(Lesson& lesson, const Cost& with, const Cost& without, int generated) {
    Table table({"", "characters through the layers", "multiplications", "seconds"});
    const auto row = [&](const char* name, const Cost& cost) {
        table.row(name, cost.tokens, number(static_cast<double>(cost.multiplications), 3),
                  number(cost.seconds, 2));
    };
    row("with a cache", with);
    row("without", without);
    lesson.table(table, fmt::format("{} characters, four texts at a time.", generated));
}

TemperatureResults try_temperatures(const LanguageModel& model, const Characters& text, int rows,
                                    int length, std::uint64_t seed) {
    const std::vector<std::string> words = whole_words("\n" + text.text(text.train) + "\n");
    const std::set<std::string> known(words.begin(), words.end());
    TemperatureResults found;
    for (double temperature : {0.2, 0.6, 1.0, 1.4, 1.8}) {
        Rng rng(seed);
        const auto texts = [&](int k, double p) {
            return generate(model, text, "\n", rows, length,
                            {.temperature = temperature, .top_k = k, .top_p = p}, rng);
        };
        const std::vector<std::string> all = texts(0, 1);
        found.all[temperature] = quality_of(all, known);
        found.top[temperature] = quality_of(texts(few, 1), known);
        found.nucleus[temperature] = quality_of(texts(0, mass), known);
        found.lines[temperature] =
            printable(all[0].substr(0, std::min(all[0].find('\n'), all[0].size())));
    }
    return found;
}

void show_temperatures(Lesson& lesson, const TemperatureResults& found) {
    const std::string top_k = fmt::format("top-k {}", few), top_p = fmt::format("top-p {}", mass);
    LinePlot plot{.title = "Real words and repetition",
                  .x_label = "temperature",
                  .y_label = "share",
                  .series = {{"real words"},
                             {"real words, " + top_k},
                             {"real words, " + top_p},
                             {"variety"},
                             {"variety, " + top_k},
                             {"variety, " + top_p}},
                  .y_range = {0, 1}};
    Table table({"temperature", "real words", top_k, top_p, "variety", top_k, top_p});
    std::string lines;
    for (const auto& [temperature, all] : found.all) {
        const Quality &top = found.top.at(temperature), &nucleus = found.nucleus.at(temperature);
        const double shares[] = {all.real,    top.real,    nucleus.real,
                                 all.variety, top.variety, nucleus.variety};
        std::vector<std::string> cells{number(temperature)};
        for (int i = 0; i < 6; ++i) {
            plot.series[i].x.push_back(temperature);
            plot.series[i].y.push_back(shares[i]);
            cells.push_back(fmt::format("{:.3f}", shares[i]));
        }
        table.add(cells);
        lines += fmt::format("{:.1f}  {}\n", temperature, shorten(found.lines.at(temperature), 60));
    }
    const std::string sampled = fmt::format(
        "Sampled from all characters, from the {} most probable, and from the fewest that have {} "
        "of the probability.",
        few, mass);
    lesson.table(table, sampled);
    lesson.say("The first line sampled from all characters, for each temperature:");
    lesson.listing(lines);
    lesson.show("temperature", plot, sampled);
}
}  // namespace heed::lesson23
