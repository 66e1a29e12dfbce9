//! # Korean to English, from first principles
//!
//! The sentence of the first page again: 나는 학생 이다. Word for word it says "I student am":
//!
//! | Korean | meaning | index in Korean | index in English |
//! | --- | --- | --- | --- |
//! | 나는 | I | 1 | 1 |
//! | 학생 | student | 2 | 4 |
//! | 이다 | am | 3 | 2 |
//!
//! In lesson {attention} you saw where a translator looked before it said "I", "am", "a" and
//! "student". Now you build that translator. Nobody will tell it which words belong together. Can
//! it learn where to look from nothing but pairs of sentences?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/11_translation/experiment.h"
#include "lessons/11_translation/models.h"
#include "lessons/11_translation/pictures.h"
#include "lessons/course/course.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson11 {

using namespace course;

namespace {

//! ## Two attempts that fail
//!
//! **Word by word.** Replace each Korean word by an English one, and "I student am" comes out. We
//! could add rules: move the last word to the second position, put an "a" before the student. They
//! repair this sentence and break the next. In 그 의사 는 나의 책 을 읽었다, "the doctor read my book", the
//! verb moves from the seventh position to the third.
//!
//! **One vector.** Lesson {bottleneck} read the whole sentence first and stored it in one vector
//! $c$. That solves the problem of the order, and it fails when the sentence grows. It is also
//! wasteful: the encoder has a state at every word, which knows most about this word and its
//! neighbours, and we throw away all but two.
//!
//! How far apart are words that belong together? The list of the pairs of words that translate each
//! other is called the *alignment* of two sentences; each pair is a link. Our sentences come from a
//! grammar that writes both languages at once, so the true alignment is known. The networks never
//! see it.
void look_at_the_data(Lesson& lesson, const ParallelText& text) {
    lesson.heading("Two attempts that fail");
    show_sentences(lesson, text);
    show_distances(lesson, text.test);
}

//! ## Look again before each word
//!
//! In 2014 Dzmitry Bahdanau was an intern who did not believe in "cramming a sequence of words in a
//! vector". He thought of translation exercises at school: one looks at the source, writes, and
//! looks again. So keep all states of the encoder, and let the decoder choose anew before each
//! word.
void draw_both(Lesson& lesson) {
    lesson.heading("Look again before each word");
    lesson.show("architectures", architectures(),
                "The step that writes the word \"am\". Above, the decoder gets the same context at "
                "every step. Below, the decoder's state and each annotation give a score, and the "
                "softmax of the scores gives the weights of the annotations. The last softmax "
                "also reads the context and the word before; these arrows are left out.");
}

//! It is the problem of lesson {scores}. The decoder's state is the query: it knows what has been
//! said, and so what is missing. The encoder's states are the keys, and the values as well.
//!
//! - $h_j$ is the *annotation* of source word $j$ of $K$, which means the state of the encoder at
//!   this word. Half of it has read the words 1 to $j$, the other half the words $K$ down to $j$.
//! - $s_{t-1}$ is the state of the decoder before it generates target word $t$.
//! - $e_{tj}$ is their additive score, with learned $W$, $U$ and $v$.
//! - $\alpha_{tj}$ is the weight of source word $j$ at target word $t$.
//! - $c_t$ is the context: the mean of the annotations with these weights.
//!
//! $$ e_{tj} = v^\top \tanh(W s_{t-1} + U h_j), \qquad
//!    \alpha_{tj} = \frac{e^{e_{tj}}}{\sum_{k=1}^{K} e^{e_{tk}}}, \qquad
//! c_t = \sum_{j=1}^{K} \alpha_{tj} h_j . $$
//!
//! The rest is the decoder of lesson {bottleneck}, with $c_t$ in the place of $c$:
//!
//! $$ s_t = \operatorname{GRU}([y_{t-1}; c_t], s_{t-1}), \qquad
//! p_t = \operatorname{softmax}(O \tanh(R [s_t; c_t; y_{t-1}])) . $$
//!
//! The decoder need not store anything for later: the annotations remain where they are. (This is
//! the model of Bahdanau, Cho and Bengio, with a simpler output layer and first state. Other
//! scores do as well, lesson {luong}.)
//!
//! ## The same with numbers
//!
//! Let the annotations be $h_1 = (1, -1)$ for 나는, $h_2 = (-1, 1)$ for 학생 and $h_3 = (1, 1)$ for 이다.
//! The decoder has said "I", and its state is $s = (0, -1)$. $W$ and $U$ leave every vector as it
//! is; $v = (3, 3)$.
//!
//! 1. The sums $s + h_j$ are $(1, -2)$, $(-1, 0)$ and $(1, 0)$.
//! 2. $\tanh$ makes $(0.762, -0.964)$, $(-0.762, 0)$ and $(0.762, 0)$ of them.
//! 3. The products with $v$ are the scores: $-0.607$, $-2.285$ and $2.285$.
//! 4. {no results} Their exponentials are 0.545, 0.102 and 9.824, with the sum 10.470. So the
//!    weights are 0.052, 0.010 and 0.938.
//! 5. The context is $0.052 \cdot (1, -1) + 0.010 \cdot (-1, 1) + 0.938 \cdot (1, 1) = (0.98,
//!    0.90)$.
//!
//! That is nearly $h_3$. The decoder looks at 이다, and the next word can become "am".
Tensor weights_by_hand(const AdditiveScore& score, const Tensor& s, const Tensor& h) {
    const Tensor e = matmul(tanh(score.query(s) + score.key(h)), score.v);  // [K]
    return exp(e) / sum(exp(e));                                            // [K]
}

void compute_by_hand(Lesson& lesson) {
    lesson.heading("The same with numbers");
    const SmallCase small = small_case();
    const Tensor weights = weights_by_hand(small.score, small.s, small.h);
    show_small_case(lesson, small, weights);
    lesson.claim("weights-by-hand",
                 "weights of the three words against the numbers in the text, largest difference",
                 max(abs(weights - tensor({0.052, 0.010, 0.938}))).item(), at_most(0.001));
}

//! ## How can it learn where to look?
//!
//! The training data only say that the next word is "am". Why is this enough?
//!
//! Suppose training has just begun, and all three weights are $1/3$. Let the derivative of the loss
//! with respect to the context be $(-1, -1)$: the loss gets smaller if both numbers grow. The
//! context is the sum of the $\alpha_j h_j$, so the derivative with respect to a weight is
//!
//! $$ g_j = \frac{\partial L}{\partial \alpha_j} = \frac{\partial L}{\partial c} \cdot h_j . $$
//!
//! For the three annotations it is $-1 + 1 = 0$, $1 - 1 = 0$ and $-1 - 1 = -2$. Softmax hands these
//! on to the scores (lesson {probabilities}):
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) . $$
//!
//! {no results} The sum is $-2/3$. So the derivatives of the scores are $\frac{1}{3} (0 +
//! \frac{2}{3}) = 0.222$, once more 0.222, and $\frac{1}{3} (-2 + \frac{2}{3}) = -0.444$. Gradient
//! descent raises the score of 이다 and lowers the other two. **An annotation gets a higher score if
//! it helps the right word more than the weighted mean of all annotations does.**
//!
//! Next time the weight of 이다 is a little larger. Then more of the gradient reaches $h_3$ and makes
//! it more useful for "am", so its weight grows again. The network is trained on words only, and
//! the weights follow.
void follow_the_gradient(Lesson& lesson) {
    lesson.heading("How can it learn where to look?");
    const double gap = show_small_gradient(lesson, small_case());
    lesson.claim("gradient-by-hand",
                 "gradient of the scores against the numbers in the text, largest difference", gap,
                 at_most(0.001));
}

//! ## Two translators, trained equally
//!
//! We train one translator with attention, and that of lesson {bottleneck} once more. Both have
//! states of the same width, and the same batches, optimiser and number of steps. They share one
//! learning rate (lesson {transformer} chooses the best for each model). Two things differ: the
//! context, and the parameters $W$, $U$ and $v$. No test sentence is in the training set.
void train_both(Lesson& lesson, Models& models, const ParallelText& text,
                const Settings& settings) {
    lesson.heading("Two translators, trained equally");
    describe(lesson, text, models);
    train_models(lesson, models, text, settings);
}

//! ## The whole translator in twenty lines
//!
//! The loop is that of lesson {bottleneck}. Two lines are new: the weights, and the context.
std::vector<int> translate_by_hand(const EncoderDecoder& model, const std::vector<int>& source) {
    const RecurrentDecoder& decoder = model.decoder;
    const AdditiveScore& score = std::get<AdditiveScore>(decoder.attention->score.any);
    const EncoderOutput encoded =
        model.encoder(pad_sequences({source}).ids, {}, Mode::evaluation());
    const Tensor h = select(encoded.states, 0, 0);                 // [K, C]
    RecurrentState s{tanh(decoder.initial(encoded.summary)), {}};  // [1, H]
    std::vector<int> words;
    for (int word = Vocabulary::bos; words.size() < 60;) {
        const Tensor y = model.embedding(Indices{word});           // [1, E]
        const Tensor alpha = weights_by_hand(score, s.hidden, h);  // [K], new
        const Tensor c = reshape(matmul(alpha, h), {1, -1});       // [1, C], new
        s = decoder.cell(concat({y, c}, 1), s);
        const Tensor logits = model.output(tanh(decoder.readout(concat({s.hidden, c, y}, 1))));
        word = argmax(logits, 1)[0];
        if (word == Vocabulary::eos) break;
        words.push_back(word);
    }
    return words;
}

void check_against_the_library(Lesson& lesson, const EncoderDecoder& model,
                               const ParallelText& text) {
    lesson.heading("The whole translator in twenty lines");
    const NoGrad no_grad;
    int different = 0;
    for (int i = 0; i < 20; ++i) {
        const std::vector<int> by_hand = translate_by_hand(model, text.test.source[i]);
        const Shown library = show_translation(translator(model), text, text.test.pairs[i].source);
        different +=
            joined(text.target.decode_tokens(by_hand)) + " (end)" != joined(library.output);
    }
    lesson.claim("translations-differ",
                 "of 20 sentences, those that the code above and the library translate differently",
                 different, at_most(0));
}

//! ## Where does it look?
//!
//! A row of a picture is a word of the output, a column a word of the source, and the true
//! alignment is outlined. The first sentence is ours.
void look_at_the_weights(Lesson& lesson, const Models& models, const ParallelText& text) {
    lesson.heading("Where does it look?");
    const bool first_is_right = show_weights(lesson, models, text);
    lesson.live("translator",
                "Move *words written so far* and see where the translator looks and what it would "
                "write next. Click on a word to hide it from the translator and read the new "
                "translation. **Train** starts a smaller translator here, in the page: after a "
                "minute or two it translates unseen sentences of up to eight words.",
                [&](const std::string& path) {
                    save_model(
                        models.attending, path,
                        {{"source", text.source.to_text()}, {"target", text.target.to_text()}});
                });
    lesson.claim("korean-student", "나는 학생 이다 is translated as I am a student", first_is_right,
                 is_true());

    //! How well do they agree? Link each target word with the source word of the largest weight.
    //! The *alignment error rate* counts the links that are wrong and those that are missing, as a
    //! share of all links, found and true. (A link of "a" with 학생 counts as neither right nor
    //! wrong; exercise {translation.3} has the formula.)
    //!
    //! {no results} For our sentence, the rule "word $t$ belongs to word $t$" finds three links.
    //! Only "I" with 나는 is right: two are wrong, two of the three true ones are missing, and the
    //! rate is $4 / 6 = 0.667$. Three such rules are measured as well.
    const Translator model = translator(models.attending);
    const AlignmentErrors errors = show_alignment_errors(lesson, model, text.test);
    lesson.claim("aer-by-hand",
                 "alignment error rate of the example against the number in the text",
                 error_of_the_example(), equals(0.667, 0.001));
    lesson.claim("aer", "alignment error rate of the attention weights", errors.attention,
                 at_most(lesson.quick() ? 0.3 : 0.15));
    lesson.claim("aer-rules", "alignment error rate of the best of the three rules",
                 errors.best_rule, at_least(lesson.quick() ? 0.65 : 0.8));
    //! {if all aer < 0.15 and aer-rules > 0.8} The error rate of the weights is {aer:2}, and that
    //! of the best rule is {aer-rules:2}. It has learned the alignment from pairs of sentences.
    //!
    //! On average, {aligned-weight:%} of the weight is on the source words that belong to the
    //! target word.
    lesson.claim("aligned-weight", "mean weight on the aligned source words",
                 weight_on_aligned(model, text.test), at_least(lesson.quick() ? 0.6 : 0.75));
}

//! ## Does it help, and for which sentences?
//!
//! Exact match (lesson {bottleneck}) is fair here, because in this grammar a Korean sentence has
//! only one translation.
//!
//! {no results} A real sentence has many. So *BLEU*, the last row of the table, asks which share of
//! the words of the output also occur in a translation made by a person, the reference, and the
//! same for runs of two, three and four words. BLEU is the fourth root of the product of the four
//! shares. (It is smaller for outputs that are too short.) If the output is "the student read a
//! book today" and the reference has "yesterday", the product is $\frac{5}{6} \cdot \frac{4}{5}
//! \cdot \frac{3}{4} \cdot \frac{2}{3} = \frac{1}{3}$. BLEU is 0.760, exact match 0.
void compare_translations(Lesson& lesson, const Models& models, const ParallelText& text,
                          Prediction exact, Prediction without) {
    lesson.heading("Does it help, and for which sentences?");
    const Evaluation attending = evaluate(translator(models.attending), text, text.test);
    const Evaluation fixed = evaluate(translator(models.fixed), text, text.test);
    const ByLength result = show_by_length(lesson, attending, fixed, text.test);
    lesson.reveal(exact, attending.exact());
    lesson.claim("bleu-by-hand", "BLEU of the example against the number in the text",
                 bleu_of_the_example(), equals(0.760, 0.001));
    lesson.claim("exact-match", "with attention: exact match on the test set", attending.exact(),
                 at_least(lesson.quick() ? 0.6 : 0.95));
    lesson.claim("exact-match-gain", "exact match with attention minus exact match without",
                 attending.exact() - fixed.exact(), at_least(lesson.quick() ? 0.2 : 0.35));
    if (lesson.quick()) return;  // short sentences only: nothing to say about long ones
    lesson.reveal(without, result.fixed_longest);
    lesson.claim("length-loss", "with attention: exact match, shortest sentences minus longest",
                 result.attending_shortest - result.attending_longest, at_most(0.1));
    lesson.claim("length-loss-fixed",
                 "without attention: exact match, shortest sentences minus longest",
                 result.fixed_shortest - result.fixed_longest, at_least(0.8));
}

//! {if all exact-match-gain > 0.35} With attention, {exact-match:%} of the test sentences are
//! translated exactly; without it, {exact-match - exact-match-gain:%}. {if all length-loss < 0.1
//! and length-loss-fixed > 0.95} {full run} The difference is one of length. From the shortest
//! sentences to the longest the share falls by {100 * length-loss:0} percentage points with
//! attention, and by {100 * length-loss-fixed:0} without.
void run_on_the_corpus(Lesson& lesson, const Settings& settings) {
    const ParallelText text = from_corpus(
        lesson.quick() ? korean_english(lesson.seed(),
                                        {.pairs = 4000, .valid = 100, .test = 300, .longest = 8})
                       : korean_english(lesson.seed()));
    check_file_to_load(lesson, text, settings);
    const Prediction exact = lesson.predict(
        "With attention, what share of the test sentences is translated without a single error?",
        within(0.05).from(0, 1));
    Prediction without;  // what a quick run does not measure is not asked there
    if (!lesson.quick())
        without =
            lesson.predict("And without attention, what share of the sentences of 21 to 26 words?",
                           within(0.1).from(0, 1));
    look_at_the_data(lesson, text);
    draw_both(lesson);
    compute_by_hand(lesson);
    follow_the_gradient(lesson);
    Models models = make_models(text, settings, lesson.seed());
    train_both(lesson, models, text, settings);
    check_against_the_library(lesson, models.attending, text);
    look_at_the_weights(lesson, models, text);
    compare_translations(lesson, models, text, exact, without);
}

}  // namespace

}  // namespace heed::lesson11

//! ## What this does not show
//!
//! This is not a real language: its few hundred words have one meaning each. With `--data` the same
//! program trains on real pairs, where the gain is smaller. More training would help the translator
//! without attention, too. Attention costs a score for each pair of a source word and a target word
//! (lesson {long_sequences}). And the pictures show where the decoder looked, not why it chose a
//! word (lesson {explanation}).
//!
//! Sources: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
//! Translate" (2015), section 3 and appendix A; Bahdanau's letter about it, in a post of Andrej
//! Karpathy (December 2024); Och and Ney (2003), on alignment error; Papineni, Roukos, Ward and
//! Zhu, "BLEU" (2002), section 2.
//!
//! ## Summary
//!
//! 1. The encoder keeps an annotation of each source word. Before each target word, the decoder's
//!    state is compared with all of them, and the context is their weighted mean.
//! 2. Gradient descent raises the scores of the annotations that help the right word more than the
//!    mean does.
//! 3. {if length-loss < 0.1 and length-loss-fixed > 0.95} Exact match falls little with the length
//!    of the sentence, and to nearly 0 without attention.
//! 4. The weights mostly agree with the true alignment, although the network never saw it.
//! 5. The weights are computed anew for each word. The vectors are learned.
//!
//! ## Try this next
//!
//! 1. In `translate_by_hand`, replace `alpha` by equal weights, `full({K}, 1.0 / K)`. Which words
//!    are still right?
//! 2. `--data pairs.tsv`: your own two languages, one `source<TAB>target` a line. (`--swap`
//!    translates the other way.)
//! 3. `./heed learn translation --mine`: twelve exercises of lessons {autograd} to {translation}
//!    are a translator of your own. What you have not written is the library's.
using namespace heed;
using namespace heed::lesson11;

int main(int argc, char** argv) {
    Lesson lesson({.number = 11,
                   .name = "translation",
                   .title = "Korean to English, from first principles",
                   .question = "Can a network learn which word to look at, without being told?",
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
