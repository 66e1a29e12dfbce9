//! # Korean to English, from first principles
//!
//! Korean puts the verb last: 나는 학생 이다 means, word for word, *I student am*. The last word of the
//! Korean becomes the second word of the English. In a sentence with nested clauses, the first verb
//! of the English may be the twentieth word of the Korean. So at every word a translator has to
//! look at a different part of the source. In this lesson a network learns where to look.
//!
//! The network of lesson 08 had to store a sentence in one vector, and it failed on long sentences.
//! Here we compare it with a network that differs in one thing: before it generates a word, it
//! attends to the words of the source. The training data do not say which source word belongs to
//! which target word.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/11_translation/models.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## Attention by hand
//!
//! The encoder computes an *annotation* $h_j$ for every source word $j$: its two states at this
//! word, one for each direction. The decoder has a state $s$ and has to generate the next word. The
//! state is the query and the annotations are the keys. The additive score of lesson 10, which is
//! learned together with the rest of the network, says how well they match:
//!
//! $$ e_j = v^\top \tanh(W s + U h_j) $$
//!
//! The softmax turns the scores into weights. The annotations are also the values: their weighted
//! sum is the context, which the decoder uses for its next step:
//!
//! $$ \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}} \qquad c = \sum_j \alpha_j h_j $$
//!
//! That is the complete method (Bahdanau, Cho and Bengio 2015, section 3.1 and appendix A.1.2).
//! Every step is differentiable, so the gradient of the loss flows back through $\alpha$ into $v$,
//! $W$ and $U$.
Tensor context_by_hand(const AdditiveScore& score, const Tensor& s, const Tensor& h) {
    const Tensor e = matmul(tanh(score.query(s) + score.key(h)), score.v);  // [K]
    const Tensor alpha = exp(e) / sum(exp(e));                              // [K]
    return matmul(alpha, h);                                                // [C]
}

//! The library does the same for whole batches, with padding masked, and computes $U h_j$ only once
//! for each sentence. It must give the same numbers.
void check_against_the_library(Lesson& lesson, const Models& models, const ParallelText& text) {
    NoGrad no_grad;
    const EncoderDecoder& model = models.attending;
    const PaddedBatch source = pad_sequences({text.test.source[0]});
    const EncoderOutput encoded =
        model.encoder(source.ids, source.lengths, Mode::evaluation());  // states [1, K, C]
    const Attention& attention = *model.decoder.attention;
    Rng rng(lesson.seed());
    const Tensor s = normal({1, 1, model.decoder.initial.weight.size(0)}, 0, 1, rng);
    const AttentionOutput library = attention(s, attention.prepare(encoded.states, encoded.states));
    const Tensor by_hand = context_by_hand(std::get<AdditiveScore>(attention.score.any),
                                           reshape(s, {1, -1}), select(encoded.states, 0, 0));
    const double gap = max(abs(reshape(library.context, {-1}) - by_hand)).item();
    lesson.claim("context by hand against the library's, largest difference", gap, at_most(1e-5));
}

//! ## Two translators, trained equally
//!
//! The sentences are those of lesson 08. Korean writes particles on the noun (*학생이*); here most
//! particles, and the copula 이다, are words of their own; otherwise every noun would appear in ten
//! forms. Pronouns keep their particles (나는), verbs their endings. Both models are trained on the
//! same batches in the same order with the same optimiser. Neither was tuned on the test set.
void describe(Lesson& lesson, const ParallelText& text, const Models& models) {
    lesson.say(
        "{} training pairs, {} test pairs; {} Korean and {} English words. With attention {} "
        "parameters, without {}.",
        number(text.train.size()), number(text.test.size()),
        text.source.size() - Vocabulary::specials, text.target.size() - Vocabulary::specials,
        number(static_cast<double>(parameter_count(models.attending))),
        number(static_cast<double>(parameter_count(models.fixed))));
    Table examples({"Korean", "English"});
    for (int i : {0, 1, 2, 3})
        examples.row(joined(text.test.pairs[i].source), joined(text.test.pairs[i].target));
    lesson.table(examples, "Sentences of the test set.");
}

//! ## Where does it look?
//!
//! We can draw the weights: a row for every word of the output, a column for every word of the
//! source. On this corpus the true alignment is known, because the grammar generates both sentences
//! together; it is outlined in the picture. The network was not trained on it. The *alignment error
//! rate* compares the source word of largest weight with the true alignment (Och and Ney 2003). It
//! is 0 for a perfect alignment, and about 0.9 if the decoder always looks at the same position.
void show_attention(Lesson& lesson, const Models& models, const ParallelText& text) {
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
        lesson.show(
            fmt::format("alignment_{}", i + 1), maps[i],
            "The attention weights for each word of the output; the true alignment is outlined.");

    //! The first is the sentence from the start of this lesson. To generate *student*, the decoder
    //! should look at 학생, the second word of three; to generate *am*, at 이다, the last.
    const HeatMap& first = maps.front();
    const auto weight = [&](int row, int column) {
        return row < first.height() ? first.values[row * first.width() + column] : NAN;
    };
    lesson.claim("나는 학생 이다 is translated as I am a student",
                 joined(first.row_labels) == "I am a student (end)", is_true());
    lesson.say("For the word *am* the weight on 이다 is {}, for *student* that on 학생 {}.",
               number(weight(1, 2), 2), number(weight(3, 1), 2));
    //! One sentence is an example and not a measurement: over several seeds, the weight on 이다 was
    //! between 0.41 and 0.99. So we also average over all words of the test set: how much of the
    //! weight is on the source words that the true alignment links with the word?
    lesson.claim("mean weight on the aligned source words, on the test set",
                 weight_on_aligned(model, text.test), at_least(0.6));
    lesson.claim("alignment error rate on the test set", align(model, text.test).rate(),
                 at_most(lesson.quick() ? 0.4 : 0.25));
}

//! ## Does it help, and where?
//!
//! A sentence counts as exact only if every word is right. The single vector of lesson 08 is enough
//! for short sentences; from longer ones it loses more and more. With attention the length should
//! not matter much.
void compare_by_length(Lesson& lesson, const Evaluation& attending, const Evaluation& fixed,
                       const TextSet& test) {
    const std::vector<double> with = attending.exact_by_length(test);
    const std::vector<double> without = fixed.exact_by_length(test);
    LinePlot plot{.title = "Exact translations by length",
                  .x_label = "words of the Korean sentence",
                  .y_label = "share exact",
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
    lesson.table(table, "Share of test sentences translated exactly.");
    lesson.show("by_length", plot, "Share of test sentences translated exactly, by length.");

    lesson.claim("test sentences translated exactly, with attention", attending.exact(),
                 at_least(lesson.quick() ? 0.4 : 0.95));
    lesson.claim("test sentences translated exactly, without attention", fixed.exact(),
                 less_than(attending.exact()));
    if (lesson.quick()) return;  // short sentences only: nothing to say about long ones
    lesson.claim("with attention, accuracy on the shortest sentences minus that on the longest",
                 with.front() - with[longest], at_most(0.1));
    lesson.claim("without attention, accuracy on the shortest sentences minus that on the longest",
                 without.front() - without[longest], at_least(0.3));
}

void run_on_the_corpus(Lesson& lesson, const Settings& settings) {
    const Prediction exact = lesson.predict(
        "What share of the test sentences is translated exactly, with attention?", within(0.05));
    const Prediction without = lesson.predict(
        "And what share of those of more than 20 words, without attention?", within(0.1));

    //! In quick mode the sentences have at most 8 words, there are fewer of them, and training is
    //! short.
    const ParallelText text = from_corpus(
        lesson.quick() ? korean_english(lesson.seed(),
                                        {.pairs = 4000, .valid = 100, .test = 300, .longest = 8})
                       : korean_english(lesson.seed()));
    Models models = make_models(text, settings, lesson.seed());
    describe(lesson, text, models);
    check_against_the_library(lesson, models, text);
    train_models(lesson, models, text, settings);

    lesson.heading("Does it help, and where?");
    const Evaluation attending = evaluate(translator(models.attending), text, text.test);
    const Evaluation fixed = evaluate(translator(models.fixed), text, text.test);
    compare_by_length(lesson, attending, fixed, text.test);
    lesson.reveal(exact, attending.exact());
    if (!lesson.quick()) lesson.reveal(without, fixed.exact_by_length(text.test).back());

    lesson.heading("Where does it look?");
    show_attention(lesson, models, text);
}

}  // namespace

//! ## What this does not show
//!
//! This is not the translation of a real language. The grammar has a few hundred words, its
//! sentences contain no errors, and each word has one meaning. With `--data` the same program
//! trains on real pairs. There the gain is smaller and the translations are poor, because a few
//! thousand sentences are too few to learn a language. Each model was trained once; another
//! `--seed` has another corpus and other initial weights. And the pictures show where the decoder
//! looked, not why it chose a word; that is the question of lesson 13.
//!
//! Sources: Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align and
//! Translate" (2015), sections 3 and 5; Cho et al., "On the Properties of Neural Machine
//! Translation" (2014), section 5.1, for quality by length; Och and Ney (2003), section 5, for the
//! error rate; Papineni et al., "BLEU" (2002).
//!
//! ## Try this next
//!
//! 1. `--hidden 48`: which of the two models gets worse with a narrow state?
//! 2. `--epochs 3`: alignments are learned earlier than words. Compare the error rates.
//! 3. `--data pairs.tsv --swap`: your own two languages, one `source<TAB>target` a line.
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 11,
         .name = "translation",
         .title = "Korean to English, from first principles",
         .question = "Can a network learn which word to look at, without being given alignments?",
         .data = "pairs of sentences, one source<TAB>target a line, UTF-8",
         .own_data = "24,000 Korean-English pairs from a grammar written for the course",
         .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        if (lesson.options().data.empty())
            run_on_the_corpus(lesson, settings);
        else
            run_on_files(lesson, settings);
    });
}
