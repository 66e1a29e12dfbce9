#include "lessons/11_translation/models.h"

#include "lessons/course/lesson/memory.h"

namespace heed::lesson11 {

using namespace course;

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

}  // namespace heed::lesson11
