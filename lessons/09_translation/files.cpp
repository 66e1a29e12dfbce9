// The lesson on the reader's own sentences: real languages instead of a grammar.
#include <algorithm>
#include <cmath>

#include "lessons/09_translation/models.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

// Words where they occur often enough to be learned, characters where they do not: when more than a
// tenth of the running words would be unknown (seen once).
TokenLevel level_of(const std::string& asked, const std::string& path, bool first_column) {
    if (asked != "auto") return asked == "char" ? TokenLevel::character : TokenLevel::word;
    std::vector<std::string> texts;
    for (const TextPair& pair : read_pairs(path))
        texts.push_back(set_punctuation_apart(first_column ? pair.source : pair.target));
    const Vocabulary known = Vocabulary::build(texts, {.min_frequency = 2});
    std::size_t words = 0, unknown = 0;
    for (const std::string& text : texts)
        for (int id : known.encode(text)) {
            ++words;
            unknown += id == Vocabulary::unk;
        }
    return unknown * 10 > words ? TokenLevel::character : TokenLevel::word;
}

// The mean over many test sentences, in percent.
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

// Characters are scored as the words they make up.
Bleu word_bleu(const ParallelText& text, const Evaluation& result, const TextPart& part) {
    if (text.target.level() == TokenLevel::word) return result.bleu;
    const Vocabulary words(TokenLevel::word);
    const auto as_words = [&](const std::vector<std::string>& characters) {
        std::string line;
        for (const std::string& c : characters) line += c;
        return words.tokenize(line);
    };
    Bleu bleu;
    for (int i = 0; i < part.size(); ++i)
        bleu.add(as_words(result.outputs[i]), as_words(part.pairs[i].target));
    return bleu;
}

}  // namespace

void run_on_files(Lesson& lesson, const Settings& settings) {
    const std::string& path = lesson.options().data;
    const ParallelText text =
        from_files({.train = path,
                    .valid = settings.valid,
                    .test = settings.test,
                    .swap = settings.swap,
                    .source_level = level_of(settings.source_level, path, !settings.swap),
                    .target_level = level_of(settings.target_level, path, settings.swap),
                    .seed = lesson.seed()});
    const auto name = [](TokenLevel level) {
        return level == TokenLevel::word ? "words" : "characters";
    };
    lesson.say("{} training pairs, {} to follow training with, {} to test on. The source is read as "
               "{} ({} of them known), the target written as {} ({}).",
               text.train.size(), text.valid.size(), text.test.size(), name(text.source.level()),
               text.source.size() - Vocabulary::specials, name(text.target.level()),
               text.target.size() - Vocabulary::specials);

    Models models = make_models(text, settings, lesson.seed());
    train_models(lesson, models, text, settings);
    const Translator attending = translator(models.attending), fixed = translator(models.fixed);

    lesson.heading("How good are the translations?");
    Table table({"", "validation loss", "test loss", "BLEU greedy", "BLEU beam 5", "exact, %"});
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
    lesson.table(table, "Loss in nats a token; corpus BLEU-4 times 100, by words, one reference each.");

    lesson.heading("Some of them");
    Table samples({"source", "written (beam 5)", "reference"});
    Rng rng(lesson.seed());
    const bool by_word = text.target.level() == TokenLevel::word;
    const auto line = [](const std::vector<std::string>& tokens, bool words) {
        std::string all;
        for (const std::string& token : tokens) all += (words && !all.empty() ? " " : "") + token;
        return printable(all);
    };
    std::vector<HeatMap> maps;
    for (int n = 0; n < std::min(6, text.test.size()); ++n) {
        const auto i = static_cast<std::size_t>(rng.below(text.test.size()));
        const SentencePair& pair = text.test.pairs[i];
        samples.row(line(pair.source, text.source.level() == TokenLevel::word),
                    line(best.outputs[i], by_word), line(pair.target, by_word));
        Shown shown = show_translation(attending, text, pair.source);
        for (auto* tokens : {&shown.source, &shown.output})
            for (std::string& token : *tokens) token = token == " " ? "␣" : printable(token);
        maps.push_back(attention_map(shown.output, shown.source, shown.weights));
        maps.back().scores = scores_of(models.attending, shown.source_ids, shown.output_ids);
        maps.back().row_axis = "written";
        maps.back().column_axis = "source";
    }
    lesson.table(samples, "Drawn at random from the test part.");
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson.show(fmt::format("alignment_{}", i + 1), maps[i],
                    "Where the decoder looks, greedily decoded.");

    const double untrained = std::log(static_cast<double>(text.target.size()));
    lesson.claim("test loss with attention, against guessing evenly",
                 loss_of(attending, text.test) / untrained, less_than(1));
    lesson.claim("BLEU (beam 5) gained by attention, in points",
                 100 * (beam_bleu[0] - beam_bleu[1]), more_than(0));
}
