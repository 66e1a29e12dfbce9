#include "lessons/22_transformer/pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/attention.h"
#include "attention/decoding/beam.h"
#include "autograd/autograd.h"

namespace heed::lesson22 {

using namespace course;

// --- diagrams -----------------------------------------------------------------------------------

namespace {

using Kind = Diagram::Kind;
constexpr auto left = Diagram::Side::left, right = Diagram::Side::right;

Diagram::Box box(const char* name, double row, Kind kind = Kind::computed,
                 std::vector<std::string> lines = {}, double column = 0) {
    return {.name = name, .lines = std::move(lines), .column = column, .row = row, .kind = kind};
}

Diagram::Box plus(double row, double column = 0) {
    return {.name = "+", .column = column, .row = row, .round = true};
}

// The residual connections are the arrows on the left.
Diagram pre_norm() {
    return {
        .title = "pre-norm",
        .boxes = {box("x", 0, Kind::input), box("norm", 1, Kind::learned),
                  box("self-attention", 2, Kind::learned), plus(3), box("norm", 4, Kind::learned),
                  box("feed-forward", 5, Kind::learned), plus(6), box("y", 7, Kind::output)},
        .arrows = {{0, 1},
                   {1, 2},
                   {2, 3},
                   {3, 4},
                   {4, 5},
                   {5, 6},
                   {6, 7},
                   {0, 3, "", left},
                   {3, 6, "", left}},
        .flow = Diagram::Flow::up};
}

Diagram post_norm() {
    return {.title = "post-norm",
            .boxes = {box("x", 0, Kind::input), box("self-attention", 1, Kind::learned), plus(2),
                      box("norm", 3, Kind::learned), box("feed-forward", 4, Kind::learned), plus(5),
                      box("norm", 6, Kind::learned), box("y", 7, Kind::output)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {5, 6},
                       {6, 7},
                       {0, 2, "", left},
                       {3, 5, "", left}},
            .flow = Diagram::Flow::up};
}

// The encoder in column 0, the decoder in column 1.
Diagram whole() {
    return {.title = "the Transformer",
            .boxes = {box("source words", 0, Kind::input), box("embedding", 1, Kind::learned),
                      box("+ positions", 2), box("self-attention", 3, Kind::learned),
                      box("feed-forward", 5, Kind::learned),
                      box("norm", 6, Kind::learned, {"the memory"}),
                      box("target words", 0, Kind::input, {}, 1),
                      box("embedding", 1, Kind::learned, {}, 1),
                      box("+ positions", 2, Kind::computed, {}, 1),
                      box("self-attention", 3, Kind::learned, {"causal mask"}, 1),
                      box("cross-attention", 4, Kind::learned, {"keys, values: memory"}, 1),
                      box("feed-forward", 5, Kind::learned, {}, 1),
                      box("norm", 6, Kind::learned, {}, 1),
                      box("output layer", 7, Kind::learned, {}, 1),
                      box("logits of the next word", 8, Kind::output, {}, 1)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {6, 7},
                       {7, 8},
                       {8, 9},
                       {9, 10},
                       {10, 11},
                       {11, 12},
                       {12, 13},
                       {13, 14},
                       {5, 10, "", left}},
            .frames = {{"encoder, N blocks", {3, 4}}, {"decoder, N blocks", {9, 10, 11}}},
            .flow = Diagram::Flow::up};
}

Diagram decoder_block() {
    return {.title = "a block of the decoder (pre-norm)",
            .boxes = {box("x", 0, Kind::input), box("norm", 1, Kind::learned),
                      box("self-attention", 2, Kind::learned, {"causal mask"}), plus(3),
                      box("norm", 4, Kind::learned),
                      box("cross-attention", 5, Kind::learned, {"queries from x"}), plus(6),
                      box("norm", 7, Kind::learned), box("feed-forward", 8, Kind::learned), plus(9),
                      box("y", 10, Kind::output),
                      box("memory", 4, Kind::input, {"keys and values"}, 1)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {5, 6},
                       {6, 7},
                       {7, 8},
                       {8, 9},
                       {9, 10},
                       {0, 3, "", left},
                       {3, 6, "", left},
                       {6, 9, "", left},
                       {11, 5, "", right}},
            .flow = Diagram::Flow::up};
}

}  // namespace

Arrows road_with_side_streets() {
    const Tensor weights = tensor({0.75, 0.25, 0.25, 0.75}, {2, 2});
    Tensor tokens = tensor({0., 8.}, {2, 1});
    Arrows road{.title = "A road with side streets", .same_scale = false, .axes = false};
    const double edge[] = {-1, 1}, street[] = {-0.4, 0.4};  // of the tokens 0 and 8
    const auto words = [&](const std::string& name, double x, double y) {
        road.lines.push_back(
            {.name = name, .x = {x}, .y = {y}, .colour = 1, .end = Arrows::End::none});
    };
    const auto stop = [&](double x) {
        for (const int i : {0, 1})
            road.lines.push_back({.name = number(tokens.at({i, 0}), 3),
                                  .x = {x},
                                  .y = {edge[i]},
                                  .end = Arrows::End::ball});
    };
    stop(0);
    for (const double start : {0., 4.}) {
        const Tensor added = matmul(weights, tokens);
        tokens = tokens + added;
        for (const int i : {0, 1}) {
            const double y = edge[i], aside = street[i];
            road.lines.push_back(arrow("", start + 3.85, y, 0, start + 0.15, y));
            road.lines.push_back({.x = {start + 0.4, start + 0.9, start + 3, start + 3.6},
                                  .y = {y, aside, aside, 0.95 * y},
                                  .colour = 1});
            road.lines.push_back(arrow("", start + 1.8, -0.9 * aside, 2, start + 0.9, aside));
            words("+" + number(added.at({i, 0}), 3), start + 3.2, 1.3 * y);
        }
        words("1/4", start + 1.5, 0);
        stop(start + 4);
    }
    return road;
}

std::vector<Diagram> block_diagrams() { return {pre_norm(), post_norm()}; }

std::vector<Diagram> transformer_diagrams() { return {whole(), decoder_block()}; }

// --- small cases --------------------------------------------------------------------------------

namespace {

std::string pair(const std::vector<double>& x) {
    return fmt::format("{}, {}", number(x[0], 4), number(x[1], 4));
}

const char* const words[] = {"(start)", "a", "the", "cat", "dog"};

// The probabilities of the next word depend on the last one only.
struct FourWords {
    DecodingStep step(const Indices& last) const {
        static const double next[5][5] = {{0, 0.6, 0.4, 0, 0},
                                          {0, 0, 0, 0.5, 0.5},
                                          {0, 0, 0, 0.9, 0.1},
                                          {0, 0.5, 0.5, 0, 0},
                                          {0, 0.5, 0.5, 0, 0}};
        std::vector<double> logs;
        for (std::int64_t row = 0; row < last.count(); ++row)
            for (double p : next[last[row]]) logs.push_back(std::log(p + 1e-30));
        return {tensor(logs, {last.count(), 5})};
    }
    void select_rows(const std::vector<int>&) const {}  // there is no state to rearrange
};

}  // namespace

void add_row(Table& table, int layers, const Tensor& alone, const Tensor& added) {
    const std::vector<double> x = alone.to_vector(), y = added.to_vector();
    table.row(layers, pair(x), number(x[1] - x[0], 4), pair(y), number(y[1] - y[0], 4));
}

namespace {

std::string with_decimals(const std::vector<double>& x, std::size_t first) {
    return fmt::format("({:.3f}, {:.3f}, {:.3f})", x[first], x[first + 1], x[first + 2]);
}

}  // namespace

void show_normalised(AtCall lesson, const Tensor& tokens, const Tensor& normalised) {
    Table table({"token", "normalised"});
    const std::vector<double> x = tokens.to_vector(), y = normalised.to_vector();
    for (std::size_t i = 0; i < x.size(); i += 3)
        table.row(fmt::format("({}, {}, {})", x[i], x[i + 1], x[i + 2]), with_decimals(y, i));
    lesson->table(table, "Scale 1 and shift 0.");
}

void show_absolute_values(AtCall lesson, const Tensor& x, const Tensor& y) {
    Table table({"x", "FF(x)"});
    const std::vector<double> in = x.to_vector(), out = y.to_vector();
    for (std::size_t i = 0; i < in.size(); ++i) table.row(number(in[i]), number(out[i]));
    lesson->table(table, "A feed-forward network with two hidden units, weights set by hand.");
}

void show_stages(AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& stages) {
    Table table({"", "first token", "second token"});
    for (const auto& [name, tokens] : stages) {
        const std::vector<double> x = tokens.to_vector();
        table.row(name, with_decimals(x, 0), with_decimals(x, 3));
    }
    lesson->table(table, "Two tokens on their way through a block with pre-norm.");
}

Decodable four_words() { return {FourWords{}, 1}; }

void show_searches(AtCall lesson, const Hypothesis& greedy, const Hypothesis& beam) {
    Table table({"decoding", "sentence", "probability"});
    const auto row = [&](const char* name, const Hypothesis& found) {
        std::string sentence;
        for (int word : found.tokens)
            sentence += (sentence.empty() ? "" : " ") + std::string(words[word]);
        table.row(name, sentence, number(std::exp(found.log_probability), 3));
    };
    row("greedy", greedy);
    row("beam of 2", beam);
    lesson->table(table, "Both decodings of the example above.");
}

double published_parameters(std::int64_t blocks) {
    const TransformerOptions stack{.width = 512, .heads = 8, .layers = blocks, .hidden = 2048};
    return 1e-6 * static_cast<double>(parameter_count(TransformerModelOptions{
                      .source_vocabulary = 37000, .target_vocabulary = 37000, .stack = stack}));
}

// --- results ------------------------------------------------------------------------------------

void show_models(AtCall lesson, const std::vector<Outcome>& all) {
    const bool own = !all[0].beam_bleu.empty();
    BarChart chart{.title = "Five models",
                   .value_label = own ? "BLEU (beam of 5)" : "share of sentences exact",
                   .high = own ? 0.0 : 1.0};
    chart.sets.emplace_back();
    Table made = own ? Table({"model", "parameters", "seconds", "nats a token", "BLEU greedy",
                              "BLEU beam 5"})
                     : Table({"model", "parameters", "seconds", "exact", "nats a token", "AER"});
    for (const Outcome& one : all) {
        const std::string seconds = fmt::format("{:.1f}", mean_of(one.seconds));
        if (own)
            made.row(one.name, one.parameters, seconds, mean_and_spread(one.loss),
                     mean_and_spread(one.bleu, 1), mean_and_spread(one.beam_bleu, 1));
        else
            made.row(one.name, one.parameters, seconds, mean_and_spread(one.exact),
                     mean_and_spread(one.loss),
                     one.aer.empty() ? "—" : mean_and_spread(one.aer, 2));
        const Summary shown = summarise(own ? one.beam_bleu : one.exact);
        chart.labels.push_back(one.name);
        chart.sets[0].values.push_back(shown.mean);
        if (one.exact.size() > 1) chart.sets[0].spread.push_back(shown.deviation);
    }
    const std::size_t count = all[0].exact.size();
    lesson->table(made,
                  fmt::format("Seconds of one training, and results on the test set, {}. {}",
                              averaged_over(count, "seed"),
                              own ? "Nats a token: the mean loss of a token. BLEU-4 times 100, "
                                    "by words, one reference each."
                                  : "Nats a token: the mean loss of a token. AER, the alignment "
                                    "error rate: 0 if the largest weights link each word with "
                                    "its translation, 1 if all links are wrong."));
    lesson->show("models", chart,
                 own ? "BLEU of the test set, with one standard deviation."
                     : "Share of test sentences translated exactly; with several seeds, the mean "
                       "and one standard deviation.");
}

void judge_models(AtCall lesson, const std::vector<Outcome>& all, const Prediction& guess) {
    const bool own = !lesson->options().data.empty();
    std::vector<double> quality, loss, parameters;  // of every model
    for (const Outcome& one : all) {
        quality.push_back(mean_of(own ? one.beam_bleu : one.exact));
        loss.push_back(mean_of(one.loss));
        parameters.push_back(static_cast<double>(one.parameters));
    }
    const auto best = std::max_element(quality.begin(), quality.end());
    const auto [lowest, highest] =
        std::minmax_element(quality.begin() + 1, quality.end());  // with attention
    const auto [fewest, most] = std::minmax_element(parameters.begin(), parameters.end());
    if (!lesson->quick() && lesson->options().load.empty())
        lesson->reveal(guess, all[best - quality.begin()].name);
    lesson->claim("sizes-apart",
                  "identity: parameters of the largest model over those of the smallest",
                  *most / *fewest, at_most(1.1));
    if (own) {
        if (!lesson->quick())  // BLEU is close to 0 for all where there is little text
            lesson->claim(
                "attention-loss",
                "finding: lowest loss with attention, compared with that of a fixed context",
                *std::min_element(loss.begin() + 1, loss.end()), less_than(loss[0]));
    } else if (!lesson->quick()) {
        lesson->claim(
            "attention-gain",
            "finding: share exact: the lowest with attention minus that of a fixed context",
            *lowest - quality[0], at_least(0.12));
        lesson->claim("transformer-gain",
                      "finding: share exact with the Transformer minus the best of the others",
                      quality[4] - *std::max_element(quality.begin(), quality.end() - 1),
                      between(-0.04, -0.005));
        lesson->measured("attention-apart",
                         "models with attention: share exact of the best minus that of the worst",
                         *highest - *lowest);
    }
}

void show_changes(AtCall lesson, const std::vector<Outcome>& all, const Settings& s) {
    Table table({"Transformer", "exact", "nats a token"});
    LinePlot plot{.title = "Variants of the Transformer",
                  .x_label = "step",
                  .y_label = "nats a token, training",
                  .log_y = true};
    for (const Outcome& one : all) {
        table.row(one.name, mean_and_spread(one.exact), mean_and_spread(one.loss));
        std::vector<double> x;
        for (std::size_t i = 0; i < one.curves[0].size(); ++i)
            x.push_back(static_cast<double>((i + 1) * s.steps) /
                        static_cast<double>(one.curves[0].size()));
        plot.series.push_back(over_seeds(one.name, x, one.curves));
    }
    lesson->table(table, fmt::format("Results on the test set, {}.",
                                     averaged_over(all[0].exact.size(), "seed")));
    lesson->show("changes", plot,
                 "The training loss; with several seeds, the mean and one standard deviation.");
}

void show_tuning(AtCall lesson, const std::vector<std::vector<double>>& losses, const Settings& s) {
    std::vector<std::string> header{"model"};
    for (double rate : rates_tried) header.push_back(number(rate));
    header.insert(header.end(), {"best", "default"});
    Table table(header);
    LinePlot plot{.title = "The learning rates",
                  .x_label = "learning rate",
                  .y_label = "nats a token, validation",
                  .log_x = true,
                  .log_y = true};
    for (std::size_t i = 0; i < losses.size(); ++i) {
        std::vector<std::string> cells{name_of(ladder[i])};
        for (double loss : losses[i]) cells.push_back(number(loss, 3));
        cells.insert(cells.end(), {number(s.rates[i]),
                                   number(rate_of(ladder[i], !lesson->options().data.empty()))});
        table.add(cells);
        plot.series.push_back(
            {name_of(ladder[i]), {std::begin(rates_tried), std::end(rates_tried)}, losses[i]});
    }
    lesson->table(table, "Validation loss in nats a token, after one run each.");
    lesson->show("tuning", plot,
                 "Validation loss by learning rate; the rate with the lowest loss is used.");
}

Decoded show_decoding(AtCall lesson, const Translator& model, const ParallelText& text) {
    Table table({"decoding", "exact", "BLEU"});
    std::vector<double> exact;
    for (int beam : {1, 5}) {
        const Evaluation found = evaluate(model, text, text.test, beam);
        exact.push_back(found.exact());
        table.row(beam == 1 ? "greedy" : "beam of 5", fmt::format("{:.3f}", exact.back()),
                  fmt::format("{:.1f}", 100 * word_bleu(text, found, text.test).score()));
    }
    lesson->table(table, "One Transformer, the first of its seeds, on the test set.");
    return {exact[0], exact[1]};
}

void show_alignment(AtCall lesson, const Translator& model, const ParallelText& text, int words) {
    const auto long_enough = [&](const SentencePair& pair) {
        return static_cast<int>(pair.source.size()) >= words;
    };
    const auto& pairs = text.test.pairs;
    const SentencePair& pair = *std::find_if(pairs.begin(), pairs.end() - 1, long_enough);
    const Shown shown = show_translation(model, text, pair.source);
    HeatMap map = alignment_map(shown);
    if (joined(shown.output) == joined(pair.target) + " (end)")
        for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
    lesson->show("alignment", map,
                 "The weights of the cross-attention for each word of the output, averaged over "
                 "heads. If the translation is right, the true alignment is marked.");
}

void show_translations(AtCall lesson, const ParallelText& text, const Comparison& comparison) {
    std::vector<std::pair<std::string, Translator>> models;
    for (std::size_t i = 0; i < comparison.models.size(); ++i)
        models.emplace_back(comparison.outcomes[i].name, comparison.models[i]);
    if (models.empty())
        models.emplace_back(name_of(LadderModel::transformer),
                            translator_of(comparison.transformer));

    lesson->heading("Some of the translations");
    const std::vector<int> chosen = drawn_at_random(text.test, 4, lesson->seed());
    TextSet part;
    for (int i : chosen) {
        part.pairs.push_back(text.test.pairs[i]);
        part.source.push_back(text.test.source[i]);
        part.target.push_back(text.test.target[i]);
    }
    std::vector<Evaluation> translated;
    for (const auto& [name, model] : models) translated.push_back(evaluate(model, text, part, 5));
    std::size_t shortest = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const SentencePair& pair = part.pairs[i];
        if (pair.source.size() < part.pairs[shortest].source.size()) shortest = i;
        Table table({"from", "sentence"});
        table.row("source", line_of(pair.source, text.source_unit));
        table.row("reference", line_of(pair.target, text.target_unit));
        for (std::size_t m = 0; m < models.size(); ++m)
            table.row(models[m].first, line_of(translated[m].outputs[i], text.target_unit));
        lesson->table(table, "Drawn at random from the test set; decoded with a beam of 5.");
    }

    std::vector<HeatMap> maps;
    for (const auto& [name, model] : models) {
        const Shown shown = show_translation(model, text, part.pairs[shortest].source);
        if (shown.weights.empty()) continue;
        maps.push_back(alignment_map(shown));
        maps.back().title = name;
    }
    lesson->show("alignment", maps,
                 "The shortest of these sentences, decoded greedily: the attention weights for "
                 "every word or character.");
}

}  // namespace heed::lesson22
