#include "lessons/23_language_model/pictures.h"

#include <algorithm>
#include <cmath>

#include "attention/decoding/decode.h"
#include "lessons/23_language_model/counts.h"
#include "lessons/23_language_model/data.h"

namespace heed::lesson23 {

using namespace course;

namespace {

// The characters one by one, with a sign for the space.
std::vector<std::string> visible(const std::string& text) {
    std::vector<std::string> characters;
    for (const char c : text) characters.push_back(c == ' ' ? "␣" : std::string(1, c));
    return characters;
}

}  // namespace

ShadedText staircase(const std::string& text, std::size_t rows) {
    const Characters ids = characters_of(text, 1);
    const Counts counts(ids.train, ids.size(), 3);
    ShadedText stairs{.title = "What comes next?", .high = 1, .value_name = "probability"};
    for (std::size_t last = text.size() - rows; last < text.size(); ++last) {
        ShadedText::Row row{.words = visible(text.substr(0, last + 1))};
        row.weights.assign(last + 1, 0);
        row.weights[last] = counts.probability(ids.train, last, std::min<int>(3, int(last)));
        stairs.rows.push_back(std::move(row));
    }
    return stairs;
}

// --- by hand ------------------------------------------------------------------------------------

void show_small_table(AtCall lesson,
                      const std::vector<std::pair<std::string, std::vector<double>>>& after) {
    Table table({"context", "o", "space", "n"});
    for (const auto& [context, p] : after)
        table.row(context.empty() ? "(none)" : context, fmt::format("{:.3f}", p[0]),
                  fmt::format("{:.3f}", p[1]), fmt::format("{:.3f}", p[2]));
    lesson->table(table, "The probability of the next character in \"to be or not to be\".");
}

double difference_from_counts(const std::string& text, const NextProbability& by_hand) {
    const Characters ids = characters_of(text, 1);
    const Counts counts(ids.train, ids.size(), 3);
    double largest = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (std::size_t n = 0; n <= std::min<std::size_t>(3, i); ++n)
            largest = std::max(largest,
                               std::fabs(by_hand(text, text.substr(i - n, n), text[i], ids.size()) -
                                         counts.probability(ids.train, i, static_cast<int>(n))));
    return largest;
}

void show_predictions(AtCall lesson, const std::string& text) {
    Table table({"position", "sees", "should predict"});
    const std::vector<std::string> characters = visible(text);
    std::string seen;
    for (std::size_t t = 0; t + 1 < characters.size(); ++t)
        table.row(t, seen += characters[t], characters[t + 1]);
    lesson->table(table, "One piece of text is many training examples; ␣ is the space.");
}

std::vector<Diagram> gpt_diagrams() {
    const auto box = [](const char* name, double column, double row,
                        std::vector<std::string> lines = {}) {
        return Diagram::Box{.name = name, .lines = std::move(lines), .column = column, .row = row};
    };
    Diagram model{.title = "GPT"};
    model.boxes = {box("tokens", 0, 0),
                   box("table E", 1, 0, {"embedding"}),
                   box("positions", 0, 1),
                   box("table P", 1, 1, {"learned"}),
                   box("+", 2, 0.5),
                   box("blocks", 3, 0.5, {"causal"}),
                   box("norm", 4, 0.5),
                   box("table E", 5, 0.5, {"dot products"}),
                   box("softmax", 6, 0.5, {"next token"})};
    model.arrows = {{0, 1}, {2, 3}, {1, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}};
    model.boxes[0].source = model.boxes[2].source = true;

    Diagram block{.title = "a block"};
    block.boxes = {
        box("x", 0, 0),     box("norm₁", 0.5, 1), box("attention", 1.2, 1, {"causal mask"}),
        box("+₁", 1.8, 0),  box("norm₂", 2.3, 1), box("feed-forward", 3.05, 1, {"gelu"}),
        box("+₂", 3.75, 0), box("y", 4.15, 0)};
    block.arrows = {{0, 3}, {0, 1}, {1, 2}, {2, 3}, {3, 6}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
    block.boxes[0].source = true;
    return {model, block};
}

double show_sampling(AtCall lesson, const Sampling& by_hand) {
    const std::vector<double> logits{2, 1, 0};
    Table table({"temperature", "k", "p", "probabilities"});
    double largest = 0;
    for (double temperature : {1.0, 0.5})
        for (const auto& [k, p] : {std::pair{3, 1.0}, {2, 1.0}, {3, 0.8}}) {
            const std::vector<double> ours = by_hand(logits, temperature, k, p);
            const std::vector<double> library =
                sampling_distribution(logits, {.temperature = temperature, .top_k = k, .top_p = p});
            for (std::size_t i = 0; i < ours.size(); ++i)
                largest = std::max(largest, std::fabs(ours[i] - library[i]));
            table.row(temperature, k == 3 ? "all" : number(k), p == 1 ? "all" : number(p),
                      fmt::format("{:.3f}  {:.3f}  {:.3f}", ours[0], ours[1], ours[2]));
        }
    lesson->table(table, "Three tokens with the logits 2, 1 and 0.");
    return largest;
}

// --- results ------------------------------------------------------------------------------------

void show_losses(AtCall lesson, const ValidationLosses& found, const Characters& text) {
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
    lesson->table(
        table, fmt::format(
                   "Loss on the whole validation text, {} characters. The tables have {} counts{}.",
                   count(text.valid.size()), count(found.stored),
                   found.counted == text.train.size()
                       ? ""
                       : fmt::format(" of the first {} characters of the training text",
                                     count(found.counted))));
    lesson->show("context", plot, "The validation loss by the number of characters of context.");
    lesson->say("The best n-gram table is {} than the model, by {:.3f} nats a character.",
                found.best_table() < found.loss() ? "better" : "worse",
                std::abs(found.best_table() - found.loss()));
}

void show_training(AtCall lesson, const Curve& curve, double best_table) {
    if (curve.at.size() < 2) return;
    LinePlot plot{
        .title = "Training",
        .x_label = "step",
        .y_label = "nats a character",
        .series = {
            {"validation", curve.at, curve.valid},
            {"best n-gram table", {curve.at.front(), curve.at.back()}, {best_table, best_table}}}};
    lesson->show("training", plot, "The loss on 20 random batches of the validation text.");
}

void show_names(AtCall lesson, const NamedText& text, const NameLosses& table,
                const NameLosses& gpt, const NameCurve& curve) {
    ShadedText line{.title = "Where the table and the GPT are surprised",
                    .high = 3,
                    .value_name = "nats a letter"};
    for (const auto& [name, losses] : {std::pair("table", &table.line), {"GPT", &gpt.line}}) {
        ShadedText::Row row{.name = name};
        std::string word;
        double total = 0;
        for (std::size_t i = 0; i < losses->size(); ++i) {
            const std::string& c =
                text.characters
                    .names[static_cast<std::size_t>(text.characters.valid[text.beginnings[0] + i])];
            const bool letter = c != " " && c != "\n" && c != ".";
            if (letter) word += c, total += (*losses)[i];
            if (word.empty() || (letter && i + 1 < losses->size())) continue;
            row.words.push_back(word);
            row.weights.push_back(total / static_cast<double>(word.size()));
            word.clear(), total = 0;
        }
        line.rows.push_back(std::move(row));
    }
    lesson->show("surprise", line,
                 "A line that neither has seen. The stronger the colour of a word, the larger "
                 "the loss on its letters.");

    Table losses({"", "new name", "returning name", "other text"});
    losses.row("best table", number(table.new_name, 3), number(table.returning_name, 3),
               number(table.text, 3));
    losses.row("GPT", number(gpt.new_name, 3), number(gpt.returning_name, 3), number(gpt.text, 3));
    lesson->table(losses, "Loss in nats a letter, on 400 lines of the validation text.");

    const std::vector<double> ends{curve.at.front(), curve.at.back()};
    LinePlot plot{.title = "When the GPT begins to copy",
                  .x_label = "step",
                  .y_label = "nats a letter",
                  .series = {{"a name that returns", curve.at, curve.returning_name},
                             {"a new name", curve.at, curve.new_name},
                             {"best table, a name that returns",
                              ends,
                              {table.returning_name, table.returning_name}}}};
    lesson->show("names", plot, "The GPT's loss on 50 lines of the validation text as it learns.");
}

void show_heads(AtCall lesson, const LanguageModel& model, const Characters& text,
                const Settings& settings) {
    lesson->heading("What do the heads attend to?");
    const int reach = std::min(32, settings.context / 2);
    std::vector<HeadDistances> heads = head_distances(model, text.valid, settings, reach);
    std::sort(heads.begin(), heads.end(),
              [](const HeadDistances& a, const HeadDistances& b) { return a.mean < b.mean; });
    HeatMap map{.title = "Mean weight by distance",
                .columns = reach,
                .column_axis = "characters back",
                .high = 0};
    for (const HeadDistances& head : heads) {
        map.row_labels.push_back(fmt::format("head {}: {:.1f} back", head.name, head.mean));
        map.values.insert(map.values.end(), head.weights.begin(), head.weights.end());
    }
    map.high = *std::max_element(map.values.begin(), map.values.end());
    lesson->show("heads", map,
                 "The mean attention weight of each head by distance; 0 is the character itself. "
                 "On the right, how far back it reads in the mean. The heads are sorted by it.");
}

void show_cost(AtCall lesson, const Cost& with, const Cost& without, int generated) {
    Table table({"", "characters through the layers", "multiplications", "seconds"});
    const auto row = [&](const char* name, const Cost& cost) {
        table.row(name, cost.tokens, number(static_cast<double>(cost.multiplications), 3),
                  number(cost.seconds, 2));
    };
    row("with a cache", with);
    row("without", without);
    lesson->table(table, fmt::format("{} characters, four texts at a time.", generated));
}

void show_temperatures(AtCall lesson, const TemperatureResults& found) {
    const std::string top_k = fmt::format("top-k {}", few), top_p = fmt::format("top-p {}", mass);
    const auto plot_of = [&](const char* title, double Quality::*share) {
        LinePlot plot{.title = title,
                      .x_label = "temperature",
                      .y_label = "share",
                      .series = {{"all characters"}, {top_k}, {top_p}},
                      .y_range = {0, 1}};
        std::size_t i = 0;
        for (const auto* by_temperature : {&found.all, &found.top, &found.nucleus}) {
            for (const auto& [temperature, quality] : *by_temperature) {
                plot.series[i].x.push_back(temperature);
                plot.series[i].y.push_back(quality.*share);
            }
            ++i;
        }
        return plot;
    };
    std::string lines;
    for (const auto& [temperature, line] : found.lines)
        lines += fmt::format("{:.1f}  {}\n", temperature, shorten(line, 60));
    const std::string sampled = fmt::format(
        "Sampled from all characters, from the {} most probable, and from the fewest that have {} "
        "of the probability.",
        few, mass);
    lesson->say("The first line sampled from all characters, for each temperature:");
    lesson->listing(lines);
    lesson->show(
        "temperature",
        std::vector{plot_of("real words", &Quality::real), plot_of("variety", &Quality::variety)},
        sampled);
}

}  // namespace heed::lesson23
