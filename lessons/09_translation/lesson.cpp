//! # Korean to English, from first principles
//!
//! Korean puts the verb last: 나는 학생 이다 is, word for word, *I student am*. Whoever translates it
//! must write its last word second. A sentence with clauses inside clauses makes this worse: the
//! first verb of the English may be the twentieth word of the Korean. So a translator has to look
//! back and forth, and this lesson lets a network learn where.
//!
//! Lesson 06 squeezed a sentence into one vector and watched it fail on long ones. Here the same
//! network stands again, beside one that differs in a single thing: before it writes a word it may
//! look at the source. Nobody tells either of them which word belongs to which.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/09_translation/models.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## Attention by hand
//!
//! The encoder leaves an annotation $h_j$ for every source word $j$: its two states there, one for
//! each direction. The decoder holds a state $s$ and is about to write a word. How well does $h_j$
//! match what it needs now? The state is the query, the annotations are the keys, and the additive
//! score of lesson 08 says so, and learns to along with everything else:
//!
//! $$ e_j = v^\top \tanh(W s + U h_j) $$
//!
//! The softmax makes weights of the scores, and the weights mix the annotations, which are the
//! values too, into the context that the decoder goes on with:
//!
//! $$ \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}} \qquad c = \sum_j \alpha_j h_j $$
//!
//! This is all of it (Bahdanau, Cho and Bengio 2015, section 3.1 and appendix A.1.2). Every step is
//! differentiable, so the loss of the written word flows back through $\alpha$ into where to look.
Tensor context_by_hand(const AdditiveScore& score, const Tensor& s, const Tensor& h) {
    const Tensor e = matmul(tanh(score.query(s) + score.key(h)), score.v);  // [K]
    const Tensor alpha = exp(e) / sum(exp(e));                              // [K]
    return matmul(alpha, h);                                                // [C]
}

//! The library does the same for whole batches, with padding masked, and computes $U h_j$ only once
//! a sentence. It had better give the same numbers.
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

//! ## Two translators, one budget
//!
//! The sentences are those of lesson 06. Korean writes particles on the noun (*학생이*); here most of
//! them, and the copula 이다, stand apart, or every noun would be ten words. Pronouns keep theirs
//! (나는), verbs their endings. Both models see the same batches in the same order, as often as each
//! other, with the same optimiser. Neither was tuned on the test part.
void describe(Lesson& lesson, const ParallelText& text, const Models& models) {
    lesson.say(
        "{} training pairs, {} to test on; {} Korean and {} English words. With attention {} "
        "parameters, without {}.",
        number(text.train.size()), number(text.test.size()),
        text.source.size() - Vocabulary::specials, text.target.size() - Vocabulary::specials,
        number(static_cast<double>(parameter_count(models.attending))),
        number(static_cast<double>(parameter_count(models.fixed))));
    Table examples({"Korean", "English"});
    for (int i : {0, 1, 2, 3})
        examples.row(joined(text.test.pairs[i].source), joined(text.test.pairs[i].target));
    lesson.table(examples, "Sentences of the test.");
}

//! ## Where does it look?
//!
//! The weights can be drawn: a row for every word written, a column for every word of the source.
//! On this corpus the true alignment is known, for the grammar grew both sentences at once, and is
//! outlined in the picture. The network never saw it. *Alignment error rate* compares each word's
//! largest weight with it (Och and Ney 2003): 0 is perfect, and always looking at one and the same
//! place gives about 0.9.
void show_attention(Lesson& lesson, const Models& models, const ParallelText& text) {
    const Translator model = translator(models.attending);
    std::vector<HeatMap> maps;
    for (const SentencePair& pair : sentences_to_show(text.test)) {
        const Shown shown = show_translation(model, text, pair.source);
        HeatMap map = attention_map(shown.output, shown.source, shown.weights);
        map.scores = scores_of(models.attending, shown.source_ids, shown.output_ids);
        map.row_axis = "written";
        map.column_axis = "source";
        if (joined(shown.output) == joined(pair.target) + " (end)")
            for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
        maps.push_back(std::move(map));
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson.show(
            fmt::format("alignment_{}", i + 1), maps[i],
            "Where the decoder looks while it writes each word; the true alignment is outlined.");

    //! The first of them is the sentence this lesson began with. To write *student* the decoder
    //! should look at 학생, the second word of three; to write *am*, at 이다, the last.
    const HeatMap& first = maps.front();
    const auto weight = [&](int row, int column) {
        return row < first.height() ? first.values[row * first.width() + column] : NAN;
    };
    lesson.claim("나는 학생 이다 becomes I am a student",
                 joined(first.row_labels) == "I am a student (end)", is_true());
    lesson.claim("weight on 이다 while writing am", weight(1, 2), at_least(0.5));
    lesson.claim("weight on 학생 while writing student", weight(3, 1), at_least(0.5));
    lesson.claim("alignment error rate on the test", align(model, text.test).rate(),
                 at_most(lesson.quick() ? 0.4 : 0.25));
}

//! ## Does it help, and where?
//!
//! A sentence counts only if every word is right. The one vector of lesson 06 holds a short
//! sentence well; the longer the sentence, the more it has to forget. With attention the length
//! should not matter much.
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
    lesson.table(table, "Share of test sentences translated word for word.");
    lesson.show("by_length", plot, "A sentence counts only if every word is right.");

    lesson.claim("unseen sentences translated exactly", attending.exact(),
                 at_least(lesson.quick() ? 0.4 : 0.95));
    lesson.claim("the same share without attention", fixed.exact(), less_than(attending.exact()));
    if (lesson.quick()) return;  // short sentences only: nothing to say about long ones
    lesson.claim("with attention, accuracy lost from the shortest to the longest sentences",
                 with.front() - with[longest], at_most(0.1));
    lesson.claim("the same loss without attention", without.front() - without[longest],
                 at_least(0.3));
}

void run_on_the_corpus(Lesson& lesson, const Settings& settings) {
    const Prediction exact = lesson.predict(
        "What share of unseen sentences will come out exactly right, with attention?",
        within(0.05));
    const Prediction without =
        lesson.predict("And of those of more than 20 words, without attention?", within(0.1));

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
//! Translation. A grammar of a few hundred words is not Korean. Its sentences are clean and their
//! words stand for one thing each, which no language allows. With `--data` the same program trains
//! on real pairs, and there the gain is smaller and the translations are poor: thousands of
//! sentences do not teach a language. Each of the two was trained once; another `--seed` has
//! another corpus and another beginning. And the pictures show where the decoder looked, not why it
//! wrote what it wrote; lesson 11 asks that.
//!
//! Sources: Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align and
//! Translate" (2015), sections 3 and 5; Cho et al., "On the Properties of Neural Machine
//! Translation" (2014), section 5.1, for the fall with length; Och and Ney (2003), section 5, for
//! the error rate; Papineni et al., "BLEU" (2002).
//!
//! ## Try this next
//!
//! 1. `--hidden 48`: which of the two suffers more from a narrow state?
//! 2. `--epochs 3`: the alignments come before the words. Compare the error rates.
//! 3. `--data pairs.tsv --swap`: your own two languages, one `source<TAB>target` a line.
int main(int argc, char** argv) {
    Lesson lesson({.number = 9,
                   .name = "translation",
                   .title = "Korean to English, from first principles",
                   .question = "Can a network learn which word to look at, when nobody tells it?",
                   .data = "pairs of sentences, one source<TAB>target a line, UTF-8",
                   .own_data = "24,000 Korean-English pairs from a grammar written for the course",
                   .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        settle(settings, lesson);
        if (lesson.options().data.empty())
            run_on_the_corpus(lesson, settings);
        else
            run_on_files(lesson, settings);
    });
}
