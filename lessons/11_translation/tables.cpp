#include "lessons/11_translation/tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace heed;
using namespace heed::course;

void show_sentences(Lesson& lesson, const ParallelText& text) {
    Table examples({"Korean", "English"});
    for (int i : {0, 1, 2, 3})
        examples.row(joined(text.test.pairs[i].source), joined(text.test.pairs[i].target));
    lesson.table(examples, "Four sentences of the test set.");
}

void show_distances(Lesson& lesson, const TextSet& test) {
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
    lesson.show("distances", chart,
                "How far apart two linked words are, in the test set: the difference of their "
                "indices in the two sentences.");
    lesson.say("The mean distance is {:.1f} words, and the largest {}.", total / all, farthest);
}

void describe(Lesson& lesson, const ParallelText& text, const Models& models) {
    lesson.say("{} training pairs, {} test pairs; {} Korean and {} English words.",
               number(text.train.size()), number(text.test.size()),
               text.source.size() - Vocabulary::specials,
               text.target.size() - Vocabulary::specials);
    const auto with = static_cast<double>(parameter_count(models.attending)),
               without = static_cast<double>(parameter_count(models.fixed));
    lesson.say("Parameters: {} with attention and {} without, a difference of {:.0f} %.",
               number(with), number(without), 100 * (with / without - 1));
}

ByLength show_by_length(Lesson& lesson, const Evaluation& attending, const Evaluation& fixed,
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
    lesson.table(table, "Exact match by the length of the Korean sentence; last row: BLEU.");
    lesson.show("by_length", plot, "Exact match on the test set, by the length of the sentence.");
    return {with.front(), with[longest], without.front(), without[longest]};
}

bool show_weights(Lesson& lesson, const Models& models, const ParallelText& text) {
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
        lesson.show(fmt::format("alignment_{}", i + 1), maps[i],
                    i == 0
                        ? "The weights for each word of the output. The true alignment is outlined."
                        : fmt::format("Test sentence {} of those shown here. The true alignment is "
                                      "outlined only if the translation is right: it belongs to "
                                      "the words of the right translation.",
                                      i + 1));
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

AlignmentErrors show_alignment_errors(Lesson& lesson, const Translator& model,
                                      const TextSet& test) {
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
    lesson.show("alignment_errors", chart,
                "Alignment error rate on the test set: three rules that do not look at the words, "
                "and the largest attention weight.");
    return {attention, std::min({last, same, share})};
}
