#include "lessons/20_language_model/pictures.h"

#include <algorithm>

#include "lessons/20_language_model/counts.h"
#include "lessons/course/course.h"

namespace heed::lesson20 {

using namespace heed::course;

double Judgement::loss() const { return summarise(by_place).mean; }
double Judgement::best_table() const { return *std::min_element(tables.begin(), tables.end()); }

Judgement judge(const LanguageModel& model, const Characters& text, const Settings& settings,
                int longest) {
    Judgement found{loss_by_place(model, text.valid, settings), {}, 0};
    const Counts counts(text.train, text.size(), longest);
    for (int n = 0; n <= longest; ++n) found.tables.push_back(counts.loss(text.valid, n));
    found.stored = counts.stored();
    return found;
}

void show_judgement(Lesson& lesson, const Judgement& found, const Characters& text) {
    LinePlot plot{.title = "What context buys",
                  .x_label = "characters seen",
                  .y_label = "nats a character",
                  .series = {{"GPT, by its place"}, {"table of counts"}},
                  .log_x = true};
    for (std::size_t t = 0; t < found.by_place.size(); ++t) {
        plot.series[0].x.push_back(static_cast<double>(t + 1));
        plot.series[0].y.push_back(found.by_place[t]);
    }
    Table table({"model", "looks back", "nats a character"});
    for (std::size_t n = 0; n < found.tables.size(); ++n) {
        table.row("table of counts", n, found.tables[n]);
        if (n == 0) continue;  // has no place on a logarithmic axis
        plot.series[1].x.push_back(static_cast<double>(n));
        plot.series[1].y.push_back(found.tables[n]);
    }
    table.row("GPT", found.by_place.size(), found.loss());
    lesson.table(
        table,
        fmt::format("On the whole validation part, {} characters. The tables hold {} numbers.",
                    number(static_cast<double>(text.valid.size()), 7),
                    number(static_cast<double>(found.stored), 7)));
    lesson.show("context", plot, "The loss on the validation part against what was seen before.");
    lesson.say("The best table of counts is {} than the model, by {:.3f} nats a character.",
               found.best_table() < found.loss() ? "better" : "worse",
               std::abs(found.best_table() - found.loss()));
}

void show_training(Lesson& lesson, const Curve& curve, double best_table) {
    if (curve.at.size() < 2) return;
    LinePlot plot{.title = "Training",
                  .x_label = "step",
                  .y_label = "nats a character",
                  .series = {{"validation", curve.at, curve.valid},
                             {"best table of counts",
                              {curve.at.front(), curve.at.back()},
                              {best_table, best_table}}}};
    lesson.show("training", plot, "The loss on 20 random batches of the validation part.");
}

void show_heads(Lesson& lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings) {
    lesson.heading("What do the heads look at?");
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
                "How much weight each head puts how far back; 0 is the character itself.");
}

void show_work(Lesson& lesson, const Work& with, const Work& without, int written) {
    Table table({"", "characters through the layers", "multiplications", "seconds"});
    const auto row = [&](const char* name, const Work& work) {
        table.row(name, work.tokens, number(static_cast<double>(work.multiplications), 3),
                  number(work.seconds, 2));
    };
    row("with a cache", with);
    row("without", without);
    lesson.table(table, fmt::format("{} characters, four texts at a time.", written));
}

Boldness try_temperatures(const LanguageModel& model, const Characters& text, int rows, int length,
                          std::uint64_t seed) {
    const std::vector<std::string> words = whole_words("\n" + text.text(text.train) + "\n");
    const std::set<std::string> known(words.begin(), words.end());
    Boldness found;
    for (double temperature : {0.2, 0.6, 1.0, 1.4, 1.8}) {
        Rng rng(seed);
        const auto texts = [&](int k) {
            return write(model, text, "\n", rows, length, {.temperature = temperature, .top_k = k},
                         rng);
        };
        const std::vector<std::string> all = texts(0);
        found.all[temperature] = quality_of(all, known);
        found.top[temperature] = quality_of(texts(few), known);
        found.lines[temperature] =
            printable(all[0].substr(0, std::min(all[0].find('\n'), all[0].size())));
    }
    return found;
}

void show_boldness(Lesson& lesson, const Boldness& found) {
    LinePlot plot{.title = "Real words and repetition",
                  .x_label = "temperature",
                  .y_label = "share",
                  .series = {{"real words"},
                             {fmt::format("real words, top {}", few)},
                             {"variety"},
                             {fmt::format("variety, top {}", few)}},
                  .y_range = {0, 1}};
    Table table({"temperature", "real words", fmt::format("real, top {}", few), "variety",
                 fmt::format("variety, top {}", few)});
    std::string lines;
    for (const auto& [temperature, all] : found.all) {
        const Quality& top = found.top.at(temperature);
        const double shares[] = {all.real, top.real, all.variety, top.variety};
        for (int i = 0; i < 4; ++i) {
            plot.series[i].x.push_back(temperature);
            plot.series[i].y.push_back(shares[i]);
        }
        table.row(temperature, all.real, top.real, all.variety, top.variety);
        lines += fmt::format("{:.1f}  {}\n", temperature, shorten(found.lines.at(temperature), 60));
    }
    lesson.table(table, fmt::format("Drawn from all characters, and from the {} likeliest.", few));
    lesson.say("The first line drawn from all characters, for each temperature:");
    lesson.listing(lines);
    lesson.show("temperature", plot,
                fmt::format("Drawn from all characters, and from the {} likeliest.", few));
}

}  // namespace heed::lesson20
