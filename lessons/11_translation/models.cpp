#include "lessons/11_translation/models.h"

#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"
#include "nn/saved/safetensors.h"

using namespace heed;
using namespace heed::course;

void add_options(Lesson& lesson, Settings& settings) {
    lesson.option("--hidden", settings.hidden, "width of the recurrent states (128)");
    lesson.option("--epochs", settings.epochs,
                  "epochs: passes over the training pairs (14; files: 30)");
    lesson.option("--lr", settings.lr, "learning rate of Adam (0.003)");
    lesson.option("--dropout", settings.dropout,
                  "share of features dropped in training (files: 0.3)");
    add_options(lesson, settings.files);
}

void complete_settings(Settings& settings, const Lesson& lesson) {
    const bool files = !lesson.options().data.empty();
    check(settings.hidden % 2 == 0 && settings.hidden <= 4096,
          "--hidden: expected an even width up to 4096, got {}", settings.hidden);
    if (std::isnan(settings.dropout)) settings.dropout = files ? 0.3 : 0;
    check(settings.lr > 0, "--lr: expected a positive number, got {}", settings.lr);
    check(settings.dropout >= 0 && settings.dropout < 1, "--dropout: expected 0 to below 1, got {}",
          settings.dropout);
    check_options(settings.files, lesson);
    if (settings.hidden == 0) settings.hidden = lesson.quick() ? 64 : 128;
    // Two models of about 14 hidden² parameters, four numbers for each: its value, its gradient and
    // two averages of Adam.
    check_memory("--hidden", 4.0 * 2 * 4 * 14 * settings.hidden * settings.hidden);
    if (settings.epochs == 0 && files) settings.epochs = lesson.quick() ? 3 : 30;
    if (settings.epochs == 0) settings.epochs = lesson.quick() ? 12 : 14;
}

Models make_models(const ParallelText& text, const Settings& settings, std::uint64_t seed) {
    EncoderDecoderOptions options{.source_vocabulary = text.source.size(),
                                  .target_vocabulary = text.target.size(),
                                  .embedding = settings.hidden / 2,
                                  .hidden = settings.hidden,
                                  .dropout = settings.dropout,
                                  .decoder = DecoderKind::bahdanau};
    Rng rng(seed);
    Models models;
    models.attending = EncoderDecoder(options, rng);
    options.decoder = DecoderKind::fixed;
    models.fixed = EncoderDecoder(options, rng);
    return models;
}

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

TrainReport train_one(Lesson& lesson, const std::string& label, const EncoderDecoder& model,
                      const ParallelText& text, const Settings& settings) {
    const TrainingBudget budget{
        .epochs = settings.epochs, .lr = settings.lr, .seed = lesson.seed()};
    std::optional<course::ProgressLine> line;
    TrainReport report =
        train_translator(translator(model), text, budget, [&](const heed::TrainProgress& progress) {
            if (!line) line.emplace(lesson.screen(), label, progress.steps);
            line->update(progress.step, progress.mean_loss,
                         static_cast<std::int64_t>(progress.tokens_per_second * progress.seconds));
        });
    line.reset();
    lesson.say("{}: {} steps, {:.0f} s, {} tokens a second, last loss {:.3f} a token.", label,
               report.last.step, report.last.seconds, number(report.last.tokens_per_second, 3),
               report.last.mean_loss);
    return report;
}

}  // namespace

void train_models(Lesson& lesson, Models& models, const ParallelText& text,
                  const Settings& settings) {
    const Options& options = lesson.options();
    if (!options.load.empty()) {
        check_vocabularies(options.load, text);
        load_model(models, options.load);
        lesson.say("Both models were loaded from `{}`: no training.", options.load);
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
        lesson.show("training", plot, "The training loss. Both models see the same batches.");
    }
    if (!options.save.empty()) save_model(models, options.save, vocabularies(text));
}

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
