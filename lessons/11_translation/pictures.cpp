#include "lessons/11_translation/pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "autograd/autograd.h"
#include "lessons/material/corpora/corpus.h"
#include "nn/data/metrics.h"

namespace heed::lesson11 {

using namespace course;

// --- the example by hand ------------------------------------------------------------------------

namespace {

const char* const words[] = {"나는", "학생", "이다"};

std::string pair_of(const Tensor& x) {
    return fmt::format("({:.2f}, {:.2f})", x.at({0}), x.at({1}));
}

}  // namespace

SmallCase small_case() {
    Rng rng(1);
    SmallCase small;
    small.score.query = Linear(2, 2, rng, false);
    small.score.key = Linear(2, 2, rng, false);
    small.score.query.weight.assign(eye(2));
    small.score.key.weight.assign(eye(2));
    small.score.v = tensor({3., 3.});
    small.s = tensor({0., -1.});
    small.h = tensor({1., -1., -1., 1., 1., 1.}, {3, 2});
    return small;
}

void show_small_case(AtCall lesson, const SmallCase& small, const Tensor& weights) {
    const NoGrad no_grad;
    Table table({"word", "annotation", "score", "weight"});
    const Tensor hidden = tanh(small.score.query(small.s) + small.score.key(small.h));
    const Tensor scores = matmul(hidden, small.score.v);
    for (int j = 0; j < 3; ++j)
        table.row(words[j], pair_of(select(small.h, 0, j)), fmt::format("{:.3f}", scores.at({j})),
                  fmt::format("{:.3f}", weights.at({j})));
    lesson->table(table, fmt::format("The query is (0, -1). The context is {}.",
                                     pair_of(matmul(weights, small.h))));
}

double show_small_gradient(AtCall lesson, const SmallCase& small) {
    Tensor scores = zeros({3}).set_requires_grad();
    const Tensor weights = softmax(scores);
    const Tensor loss = sum(matmul(weights, small.h) * tensor({-1., -1.}));
    const std::vector<Tensor> gradients = grad(loss, {weights, scores});
    const double text[] = {0.222, 0.222, -0.444};
    Table table({"word", "derivative for the weight", "derivative for the score"});
    double gap = 0;
    for (int j = 0; j < 3; ++j) {
        const double of_score = gradients[1].at({j});
        gap = std::max(gap, std::abs(of_score - text[j]));
        table.row(words[j], fmt::format("{:.3f}", gradients[0].at({j})),
                  fmt::format("{:.3f}", of_score));
    }
    lesson->table(table, "Gradient descent raises the score of 이다 and lowers the two others.");
    return gap;
}

std::vector<Diagram> architectures() {
    const auto box = [](const char* name, double column, double row,
                        std::vector<std::string> lines = {}, bool source = false) {
        return Diagram::Box{name, std::move(lines), column, row, source};
    };
    Diagram fixed{.title = "fixed context"};
    for (int j = 0; j < 3; ++j) fixed.boxes.push_back(box(words[j], 0, j, {}, true));
    for (int j = 0; j < 3; ++j) fixed.boxes.push_back(box(fmt::format("h{}", j + 1).c_str(), 1, j));
    const auto tail = [&](Diagram& diagram, int context, int state) {
        const int first = static_cast<int>(diagram.boxes.size());
        diagram.boxes.push_back(box("I", 4, 0, {"the word before"}, true));
        diagram.boxes.push_back(box("GRU", 5, 1, {"next state s2"}));
        diagram.boxes.push_back(box("softmax", 6, 1, {"over all words"}));
        diagram.boxes.push_back(box("am", 7, 1));
        diagram.arrows.insert(diagram.arrows.end(), {{first, first + 1},
                                                     {context, first + 1},
                                                     {state, first + 1},
                                                     {first + 1, first + 2},
                                                     {first + 2, first + 3}});
    };
    fixed.boxes.push_back(box("c", 3, 1, {"last states"}));              // 6
    fixed.boxes.push_back(box("s1", 4, 2, {"the state before"}, true));  // 7
    fixed.arrows = {{0, 3}, {1, 4}, {2, 5}, {3, 6}, {5, 6}};
    tail(fixed, 6, 7);

    Diagram attending{.title = "with attention"};
    for (int j = 0; j < 3; ++j) attending.boxes.push_back(box(words[j], 0, j, {}, true));
    for (int j = 0; j < 3; ++j)
        attending.boxes.push_back(box(fmt::format("h{}", j + 1).c_str(), 1, j));
    attending.boxes.push_back(box("s1", 1, 6, {"the state before,", "the query"}, true));  // 6
    for (int j = 0; j < 3; ++j)  // 7, 8, 9
        attending.boxes.push_back(box(fmt::format("score e{}", j + 1).c_str(), 2, 3 + j));
    attending.boxes.push_back(box("softmax", 3, 4, {"weights"}));                     // 10
    attending.boxes.push_back(box("c2", 4, 1, {"mean of h with", "these weights"}));  // 11
    attending.arrows = {{0, 3}, {1, 4},  {2, 5},  {3, 7},  {4, 8},   {5, 9},  {6, 7},  {6, 8},
                        {6, 9}, {7, 10}, {8, 10}, {9, 10}, {10, 11}, {3, 11}, {4, 11}, {5, 11}};
    tail(attending, 11, 6);
    for (Diagram::Arrow& arrow : attending.arrows)  // from s1 to the GRU, below the scores
        if (arrow.from == 6 && arrow.to > 11) arrow.side = Diagram::Side::right;
    return {fixed, attending};
}

double bleu_of_the_example() {
    metrics::Bleu bleu;
    bleu.add({"the", "student", "read", "a", "book", "today"},
             {"the", "student", "read", "a", "book", "yesterday"});
    return bleu.score();
}

double error_of_the_example() {
    const SentencePair pair = korean_english(1, {.pairs = 10, .valid = 1, .test = 1}).test[0];
    return alignment_error_rate({{0, 0}, {1, 1}, {2, 2}}, pair.alignment, pair.possible);
}

// --- sentences of the corpus --------------------------------------------------------------------

std::vector<SentencePair> sentences_to_show(const TextSet& part) {
    std::vector<SentencePair> chosen{part.pairs.front()};
    for (std::size_t length : {6, 10, 15}) {
        const auto fits = [&](const SentencePair& pair) {
            return pair.source.size() == length && joined(pair.source) != joined(chosen[0].source);
        };
        const auto found = std::find_if(part.pairs.begin(), part.pairs.end(), fits);
        if (found != part.pairs.end()) chosen.push_back(*found);
    }
    return chosen;
}

std::vector<int> sentences_by_length(const TextSet& part) {
    std::vector<int> count(length_bands.size());
    for (const SentencePair& pair : part.pairs)
        ++count[length_band(static_cast<int>(pair.source.size()))];
    return count;
}

// --- results ------------------------------------------------------------------------------------

void show_sentences(AtCall lesson, const ParallelText& text) {
    Table examples({"Korean", "English"});
    for (int i : {0, 1, 2, 3})
        examples.row(joined(text.test.pairs[i].source), joined(text.test.pairs[i].target));
    lesson->table(examples, "Four sentences of the test set.");
}

void show_distances(AtCall lesson, const TextSet& test) {
    std::vector<double> links(8);
    int farthest = 0, all = 0;
    double total = 0;
    for (const SentencePair& pair : test.pairs)
        for (const auto& [j, t] : pair.alignment) {
            const int distance = std::abs(j - t);
            ++links[std::min<std::size_t>(distance, links.size() - 1)];
            farthest = std::max(farthest, distance);
            total += distance;
            ++all;
        }
    BarChart chart{.value_label = "share of the links", .sets = {{"true alignment", {}}}};
    for (std::size_t distance = 0; distance < links.size(); ++distance) {
        chart.labels.push_back(fmt::format("{}{}", distance,
                                           distance == 0   ? " words apart"
                                           : distance == 7 ? " or more"
                                                           : ""));
        chart.sets[0].values.push_back(links[distance] / all);
    }
    lesson->show("distances", chart,
                 "How far apart two linked words are, in the test set: the difference of their "
                 "indices in the two sentences.");
    lesson->say("The mean distance is {:.1f} words, and the largest {}.", total / all, farthest);
}

void describe(AtCall lesson, const ParallelText& text, const Models& models) {
    lesson->say("{} training pairs, {} test pairs; {} Korean and {} English words.",
                number(text.train.size()), number(text.test.size()),
                text.source.size() - Vocabulary::specials,
                text.target.size() - Vocabulary::specials);
    const auto with = static_cast<double>(parameter_count(models.attending)),
               without = static_cast<double>(parameter_count(models.fixed));
    lesson->say(
        "States of {} numbers. Parameters: {} with attention and {} without, a difference of {:.0f} %.",
        models.fixed.decoder.cell.hidden_size(), number(with), number(without),
        100 * (with / without - 1));
}

ByLength show_by_length(AtCall lesson, const Evaluation& attending, const Evaluation& fixed,
                        const TextSet& test) {
    const std::vector<double> with = attending.exact_by_length(test),
                              without = fixed.exact_by_length(test);
    LinePlot plot{.x_label = "words of the Korean sentence",
                  .y_label = "exact match",
                  .series = {{"with attention"}, {"fixed context"}},
                  .y_range = {0, 1}};
    Table table({"words", "sentences", "with attention", "fixed context"});
    const std::vector<int> count = sentences_by_length(test);
    std::size_t longest = 0;
    for (std::size_t band = 0; band < with.size(); ++band) {
        if (count[band] == 0) continue;
        longest = band;
        table.row(length_bands[band].name, count[band], fmt::format("{:.3f}", with[band]),
                  fmt::format("{:.3f}", without[band]));
        const double middle = 0.5 * (length_bands[band].from + length_bands[band].to);
        for (int i : {0, 1}) plot.series[i].x.push_back(middle);
        plot.series[0].y.push_back(with[band]);
        plot.series[1].y.push_back(without[band]);
    }
    table.row("all", test.size(), fmt::format("{:.3f}", attending.exact()),
              fmt::format("{:.3f}", fixed.exact()));
    table.row("BLEU", test.size(), fmt::format("{:.3f}", attending.bleu.score()),
              fmt::format("{:.3f}", fixed.bleu.score()));
    lesson->show("by_length", plot, "Exact match on the test set, by the length of the sentence.");
    lesson->table(table, "Exact match by the length of the Korean sentence; last row: BLEU.");
    return {with.front(), with[longest], without.front(), without[longest]};
}

namespace {

// What a reader of Korean would miss in the picture of a sentence with these words.
std::string about_korean(const std::vector<std::string>& source) {
    const auto has = [&](const char* word) {
        return std::find(source.begin(), source.end(), word) != source.end();
    };
    std::string text;
    if (has("것")) text += " The future is -ㄹ 것 이다 together; \"will\" is linked with 것 alone.";
    if (has("들")) text += " 들 is no particle: it is the suffix of the plural, written apart.";
    return text;
}

}  // namespace

bool show_weights(AtCall lesson, const Models& models, const ParallelText& text) {
    const Translator model = translator(models.attending);
    std::vector<HeatMap> maps;
    for (const SentencePair& pair : sentences_to_show(text.test)) {
        const Shown shown = show_translation(model, text, pair.source);
        HeatMap map = attention_map(shown.output, shown.source, shown.weights);
        map.scores = scores_of(models.attending, shown.source_ids, shown.output_ids);
        map.row_axis = "output";
        map.column_axis = "source";
        if (joined(shown.output) == joined(pair.target) + " (end)")
            for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
        maps.push_back(std::move(map));
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson->show(
            fmt::format("alignment_{}", i + 1), maps[i],
            i == 0 ? "The weights for each word of the output: the darker, the larger. The true "
                     "alignment is outlined."
                   : fmt::format("Test sentence {} of those shown here. The true alignment is "
                                 "outlined only if the translation is right: it belongs to "
                                 "the words of the right translation.{}",
                                 i + 1, about_korean(maps[i].column_labels)));
    return joined(maps.front().row_labels) == "I am a student (end)";
}

namespace {

// The error rate of a rule that gives the index of a source word for each target word.
double error_of(const std::function<int(int t, int targets, int sources)>& rule,
                const TextSet& test) {
    AlignmentError error;
    for (const SentencePair& pair : test.pairs) {
        const int targets = static_cast<int>(pair.target.size()),
                  sources = static_cast<int>(pair.source.size());
        Alignment links;
        for (int t = 0; t < targets; ++t)
            links.emplace_back(std::min(rule(t, targets, sources), sources - 1), t);
        std::sort(links.begin(), links.end());
        error.add(links, pair.alignment, pair.possible);
    }
    return error.rate();
}

}  // namespace

AlignmentErrors show_alignment_errors(AtCall lesson, const Translator& model, const TextSet& test) {
    const double last = error_of([](int, int, int sources) { return sources - 1; }, test),
                 same = error_of([](int t, int, int) { return t; }, test),
                 share = error_of(
                     [](int t, int targets, int sources) { return t * sources / targets; }, test),
                 attention = align(model, test).rate();
    BarChart chart{.value_label = "alignment error rate",
                   .labels = {"always the last word", "the same index", "the same relative place",
                              "largest weight"},
                   .sets = {{"test set", {last, same, share, attention}}},
                   .high = 1};
    lesson->show("alignment_errors", chart,
                 "Alignment error rate on the test set: three rules that do not look at the words, "
                 "and the largest attention weight.");
    return {attention, std::min({last, same, share})};
}

}  // namespace heed::lesson11
