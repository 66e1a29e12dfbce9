// The lesson on the reader's own pairs of sentences (--data).
#include <cmath>

#include "lessons/11_translation/models.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

// A share as text, in percent.
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

}  // namespace

void run_on_files(Lesson& lesson, const Settings& settings) {
    const ParallelText text = read_own_pairs(lesson, settings.files);
    Models models = make_models(text, settings, lesson.seed());
    train_models(lesson, models, text, settings);
    const Translator attending = translator(models.attending), fixed = translator(models.fixed);

    lesson.heading("How good are the translations?");
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
    lesson.table(table,
                 "Loss in nats a token; corpus BLEU-4 times 100, by words, one reference each.");

    lesson.heading("Some of the translations");
    Table samples({"source", "output (beam 5)", "reference"});
    std::vector<HeatMap> maps;
    for (int i : drawn_at_random(text.test, 6, lesson.seed())) {
        const SentencePair& pair = text.test.pairs[i];
        samples.row(line_of(pair.source, text.source.level()),
                    line_of(best.outputs[i], text.target.level()),
                    line_of(pair.target, text.target.level()));
        const Shown shown = show_translation(attending, text, pair.source);
        maps.push_back(alignment_map(shown));
        maps.back().scores = scores_of(models.attending, shown.source_ids, shown.output_ids);
    }
    lesson.table(samples, "Drawn at random from the test set.");
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson.show(fmt::format("alignment_{}", i + 1), maps[i],
                    "The attention weights of a greedily decoded translation.");

    const double untrained = std::log(static_cast<double>(text.target.size()));
    lesson.claim("test loss with attention, over that of equal probabilities for all tokens",
                 loss_of(attending, text.test) / untrained, less_than(1));
    if (lesson.quick()) return;  // three epochs are too few to translate
    lesson.claim("BLEU (beam 5) gained by attention, in points",
                 100 * (beam_bleu[0] - beam_bleu[1]), more_than(0));
}
