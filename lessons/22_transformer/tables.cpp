#include "lessons/22_transformer/tables.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/course.h"

namespace heed::lesson22 {

using namespace heed::course;

void show_models(Lesson& lesson, const std::vector<Outcome>& all) {
    Table given({"model", "parameters", "learning rate", "tokens read", "seconds"});
    for (const Outcome& one : all)
        given.row(one.name, one.parameters, one.rate, mean_of(one.tokens),
                  fmt::format("{:.1f}", mean_of(one.seconds)));
    lesson.table(given, "Training: tokens of the target and seconds, both for one run.");

    const bool own = !all[0].beam_bleu.empty();
    BarChart chart{.title = "Five models",
                   .value_label = own ? "BLEU (beam of 5)" : "share of sentences exact",
                   .high = own ? 0.0 : 1.0};
    chart.sets.emplace_back();
    Table made = own ? Table({"model", "nats a token", "BLEU greedy", "BLEU beam 5"})
                     : Table({"model", "exact", "nats a token", "AER"});
    for (const Outcome& one : all) {
        if (own)
            made.row(one.name, mean_and_spread(one.loss), mean_and_spread(one.bleu, 1),
                     mean_and_spread(one.beam_bleu, 1));
        else
            made.row(one.name, mean_and_spread(one.exact), mean_and_spread(one.loss),
                     one.aer.empty() ? "—" : mean_and_spread(one.aer, 2));
        const Summary shown = summarise(own ? one.beam_bleu : one.exact);
        chart.labels.push_back(one.name);
        chart.sets[0].values.push_back(shown.mean);
        if (one.exact.size() > 1) chart.sets[0].spread.push_back(shown.deviation);
    }
    const std::size_t count = all[0].exact.size();
    lesson.table(made, fmt::format("Results on the test set, {}. {}", averaged_over(count, "seed"),
                                   own ? "BLEU-4 times 100, by words, one reference each."
                                       : "AER is the alignment error rate of lesson 11."));
    lesson.show("models", chart,
                own ? "BLEU of the test set, with one standard deviation."
                    : "Share of test sentences translated exactly; with several seeds, the mean "
                      "and one standard deviation.");
}

void judge_models(Lesson& lesson, const std::vector<Outcome>& all, const Prediction& guess) {
    const bool own = !lesson.options().data.empty();
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
    lesson.reveal(guess, all[best - quality.begin()].name);
    lesson.claim("parameters of the largest model over those of the smallest", *most / *fewest,
                 at_most(1.1));
    if (own) {
        if (!lesson.quick())  // BLEU is close to 0 for all where there is little text
            lesson.claim("lowest loss with attention, compared with that of a fixed context",
                         *std::min_element(loss.begin() + 1, loss.end()), less_than(loss[0]));
    } else if (!lesson.quick()) {
        lesson.claim("share exact: the lowest with attention minus that of a fixed context",
                     *lowest - quality[0], at_least(0.08));
        lesson.claim("share exact with the Transformer minus the best of the others",
                     quality[4] - *std::max_element(quality.begin(), quality.end() - 1),
                     between(-0.08, 0.05));
        lesson.claim("models with attention: share exact of the best minus that of the worst",
                     *highest - *lowest, at_most(0.08));
    }
}

void show_changes(Lesson& lesson, const std::vector<Outcome>& all, const Settings& s) {
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
    lesson.table(table, fmt::format("Results on the test set, {}.",
                                    averaged_over(all[0].exact.size(), "seed")));
    lesson.show("changes", plot,
                "The training loss; with several seeds, the mean and one standard deviation.");
}

void show_tuning(Lesson& lesson, const std::vector<std::vector<double>>& losses,
                 const Settings& s) {
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
                                   number(rate_of(ladder[i], !lesson.options().data.empty()))});
        table.add(cells);
        plot.series.push_back(
            {name_of(ladder[i]), {std::begin(rates_tried), std::end(rates_tried)}, losses[i]});
    }
    lesson.table(table, "Validation loss in nats a token, after one run each.");
    lesson.show("tuning", plot,
                "Validation loss by learning rate; the rate with the lowest loss is used.");
}

Decoded show_decoding(Lesson& lesson, const Translator& model, const ParallelText& text) {
    Table table({"decoding", "exact", "BLEU"});
    std::vector<double> exact;
    for (int beam : {1, 5}) {
        const Evaluation found = evaluate(model, text, text.test, beam);
        exact.push_back(found.exact());
        table.row(beam == 1 ? "greedy" : "beam of 5", fmt::format("{:.3f}", exact.back()),
                  fmt::format("{:.1f}", 100 * word_bleu(text, found, text.test).score()));
    }
    lesson.table(table, "One Transformer, the first of its seeds, on the test set.");
    return {exact[0], exact[1]};
}

void show_alignment(Lesson& lesson, const Translator& model, const ParallelText& text, int words) {
    const auto long_enough = [&](const SentencePair& pair) {
        return static_cast<int>(pair.source.size()) >= words;
    };
    const auto& pairs = text.test.pairs;
    const SentencePair& pair = *std::find_if(pairs.begin(), pairs.end() - 1, long_enough);
    const Shown shown = show_translation(model, text, pair.source);
    HeatMap map = alignment_map(shown);
    if (joined(shown.output) == joined(pair.target) + " (end)")
        for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
    lesson.show("alignment", map,
                "The weights of the cross-attention for each word of the output, averaged over "
                "heads. A score that the report shows for a cell is the logarithm of its weight, "
                "up to a constant for each row.");
}

void show_translations(Lesson& lesson, const ParallelText& text, const Comparison& comparison) {
    std::vector<std::pair<std::string, Translator>> models;
    for (std::size_t i = 0; i < comparison.models.size(); ++i)
        models.emplace_back(comparison.outcomes[i].name, comparison.models[i]);
    if (models.empty())
        models.emplace_back(name_of(LadderModel::transformer),
                            translator_of(comparison.transformer));

    lesson.heading("Some of the translations");
    const std::vector<int> chosen = drawn_at_random(text.test, 4, lesson.seed());
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
        table.row("source", line_of(pair.source, text.source.level()));
        table.row("reference", line_of(pair.target, text.target.level()));
        for (std::size_t m = 0; m < models.size(); ++m)
            table.row(models[m].first, line_of(translated[m].outputs[i], text.target.level()));
        lesson.table(table, "Drawn at random from the test set; decoded with a beam of 5.");
    }

    std::vector<HeatMap> maps;
    for (const auto& [name, model] : models) {
        const Shown shown = show_translation(model, text, part.pairs[shortest].source);
        if (shown.weights.empty()) continue;
        maps.push_back(alignment_map(shown));
        maps.back().title = name;
    }
    lesson.show("alignment", maps,
                "The shortest of these sentences, decoded greedily: the attention weights for "
                "every word or character.");
}

}  // namespace heed::lesson22
