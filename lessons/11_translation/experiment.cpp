#include "lessons/11_translation/experiment.h"

#include <cmath>
#include <optional>

#include "lessons/course/course.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson11 {

using namespace course;

namespace {

// The loss by step, averaged over up to 60 intervals of steps so that the line is smooth.
Series curve(const std::string& name, const std::vector<double>& losses) {
    Series series{name};
    const std::size_t interval = std::max<std::size_t>(losses.size() / 60, 1);
    for (std::size_t first = 0; first + interval <= losses.size(); first += interval) {
        double total = 0;
        for (std::size_t i = first; i < first + interval; ++i) total += losses[i];
        series.x.push_back(static_cast<double>(first + interval));
        series.y.push_back(total / static_cast<double>(interval));
    }
    return series;
}

TrainReport train_one(AtCall lesson, const std::string& label, const EncoderDecoder& model,
                      const ParallelText& text, const Settings& settings) {
    const TrainingBudget budget{
        .epochs = settings.epochs, .lr = settings.lr, .seed = lesson->seed()};
    std::optional<course::ProgressLine> line;
    TrainReport report =
        train_translator(translator(model), text, budget, [&](const heed::TrainProgress& progress) {
            if (!line) line.emplace(lesson->screen(), label, progress.steps);
            line->update(progress.step, progress.mean_loss,
                         static_cast<std::int64_t>(progress.tokens_per_second * progress.seconds));
        });
    line.reset();
    lesson->say("{}: {} steps, {:.0f} s, {} tokens a second, last loss {:.3f} a token.", label,
                report.last.step, report.last.seconds, number(report.last.tokens_per_second, 3),
                report.last.mean_loss);
    return report;
}

void load(Models& models, const std::string& path, const ParallelText& text) {
    check_vocabularies(path, text);
    load_model(models, path);
}

}  // namespace

void check_file_to_load(const Lesson& lesson, const ParallelText& text, const Settings& settings) {
    if (lesson.options().load.empty()) return;
    Models models = make_models(text, settings, lesson.seed());
    load(models, lesson.options().load, text);
}

void train_models(AtCall lesson, Models& models, const ParallelText& text,
                  const Settings& settings) {
    const Options& options = lesson->options();
    if (!options.load.empty()) {
        load(models, options.load, text);
        lesson->say("Both models were loaded from `{}`: no training.", options.load);
    } else {
        const TrainReport attending =
            train_one(lesson, "With attention", models.attending, text, settings);
        const TrainReport fixed = train_one(lesson, "Fixed context", models.fixed, text, settings);
        LinePlot plot{.title = "Training",
                      .x_label = "step",
                      .y_label = "nats a token",
                      .series = {curve("with attention", attending.losses),
                                 curve("fixed context", fixed.losses)},
                      .log_y = true};
        lesson->show("training", plot, "The training loss. Both models see the same batches.");
    }
    if (!options.save.empty()) save_model(models, options.save, vocabularies(text));
}

// --- the reader's own pairs ---------------------------------------------------------------------

namespace {

// A share as text, in percent.
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

}  // namespace

void run_on_files(AtCall lesson, const Settings& settings) {
    const ParallelText text = read_own_pairs(lesson, settings.files);
    Models models = make_models(text, settings, lesson->seed());
    train_models(lesson, models, text, settings);
    const Translator attending = translator(models.attending), fixed = translator(models.fixed);

    lesson->heading("How good are the translations?");
    Table table(
        {"model", "validation loss", "test loss", "BLEU greedy", "BLEU beam 5", "exact, %"});
    std::vector<double> beam_bleu;
    Evaluation best;
    for (const auto& [label, model] :
         {std::pair("with attention", &attending), std::pair("fixed context", &fixed)}) {
        const Evaluation greedy = evaluate(*model, text, text.test);
        Evaluation beam = evaluate(*model, text, text.test, 5);
        beam_bleu.push_back(word_bleu(text, beam, text.test).score());
        table.row(label, loss_of(*model, text.valid), loss_of(*model, text.test),
                  percent(word_bleu(text, greedy, text.test).score()), percent(beam_bleu.back()),
                  percent(beam.exact()));
        if (best.outputs.empty()) best = std::move(beam);
    }
    lesson->table(table,
                  "Loss in nats a token; corpus BLEU-4 times 100, by words, one reference each.");

    lesson->heading("Some of the translations");
    Table samples({"source", "output (beam 5)", "reference"});
    std::vector<HeatMap> maps;
    for (int i : drawn_at_random(text.test, 6, lesson->seed())) {
        const SentencePair& pair = text.test.pairs[i];
        samples.row(line_of(pair.source, text.source_unit),
                    line_of(best.outputs[i], text.target_unit),
                    line_of(pair.target, text.target_unit));
        const Shown shown = show_translation(attending, text, pair.source);
        maps.push_back(alignment_map(shown));
        maps.back().scores = scores_of(models.attending, shown.source_ids, shown.output_ids);
    }
    lesson->table(samples, "Drawn at random from the test set.");
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson->show(fmt::format("alignment_{}", i + 1), maps[i],
                     "The attention weights of a greedily decoded translation.");

    const double untrained = std::log(static_cast<double>(text.target.size()));
    lesson->claim("own-loss",
                  "test loss with attention, over that of equal probabilities for all tokens",
                  loss_of(attending, text.test) / untrained, less_than(1));
    if (lesson->quick()) return;  // three epochs are too few to translate
    lesson->claim("own-bleu-gain", "BLEU (beam 5) gained by attention, in points",
                  100 * (beam_bleu[0] - beam_bleu[1]), more_than(0));
}

}  // namespace heed::lesson11
