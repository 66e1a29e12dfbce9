//! # Korean to English, from first principles
//!
//! This is a sentence in Korean: 나는 학생 이다. It means "I am a student". Word for word it says
//! "I student am", because Korean puts the verb at the end:
//!
//! | Korean | meaning | index in Korean | index in English |
//! | --- | --- | --- | --- |
//! | 나는 | I | 1 | 1 |
//! | 학생 | student | 2 | 4 |
//! | 이다 | am | 3 | 2 |
//!
//! The English word "a" has no Korean counterpart. In this lesson a network learns to translate
//! such sentences. For every English word it has to find out which Korean word to look at, and
//! nobody tells it. Can it learn this from nothing but pairs of sentences?

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
//! **Word by word.** The simplest translator replaces each Korean word by an English one and keeps
//! the order. It says "I student am". We could add a rule, "move the last word to the second
//! position". Together with a rule that adds "a" it repairs this sentence. It does not repair
//! longer ones. In 그 의사 는 나의 책 을 읽었다, "the doctor read my book", the verb moves from the seventh
//! position to the third, because the subject has two English words here. In a sentence with two
//! clauses, the first verb of the English may come from the middle of the Korean. A rule for every
//! case would be a grammar of both languages.
//!
//! The list of the pairs of words that translate each other is called the *alignment* of two
//! sentences; each of its pairs is called a link. Our sentence has three links: 나는 with "I", 학생
//! with "student" and 이다 with "am". The sentences of this course come from a grammar that writes
//! both languages at once, so the true alignment of every pair is known. The networks never see it.
//! We use it only to measure, and begin with how far apart the two ends of a link are; the first
//! figure shows it.
//!
//! **One vector for the sentence.** Lesson {bottleneck} had a better idea: read the whole sentence
//! first, then write. An encoder reads the Korean words and ends in one vector $c$, the context. A
//! decoder writes the English sentence from $c$. That solves the problem of the order, because
//! nothing is written before everything has been read. But every word of the sentence has to be
//! stored in $c$. The longer the sentence, the more errors the network of lesson {bottleneck} made.
//!
//! This network also wastes something. The encoder computes a state at every word, and each state
//! depends most on the words that were read last (lesson {recurrence}). But the decoder gets only
//! the two states at the ends, the last one of each direction. All others are thrown away.
void look_at_the_data(Lesson& lesson, const ParallelText& text) {
    lesson.heading("Two attempts that fail");
    show_sentences(lesson, text);
    show_distances(lesson, text.test);
}

//! ## Look again before each word
//!
//! The idea of this lesson is to keep all states of the encoder, and to let the decoder choose from
//! them again before each word that it writes. To write "am", it should use the state at 이다. To
//! write "student", it should use the state at 학생.
//!
//! This is the problem of lesson {scores}: a query, a list of keys, and a value for each key. The
//! decoder's state is the query: it knows what has been written and so what is still missing. The
//! encoder's states are the keys, and they are the values as well. The match of query and key gives
//! a score, softmax turns the scores into weights, and the answer is the mean of the states with
//! these weights.
//!
//! Now the formulas (Bahdanau, Cho and Bengio 2015). There are $K$ source words, and $j$ is the
//! index of one of them. There are $T$ target words, and $t$ is the index of the one that is
//! written now.
//!
//! - $h_j$ is the *annotation* of source word $j$, which means the state of the encoder at this
//!   word. The encoder reads in both directions (lesson {bottleneck}). So $h_j$ consists of two
//!   states, one that has read words 1 to $j$, and one that has read words $K$ down to $j$. Each
//!   has half of the numbers of $h_j$.
//! - $s_{t-1}$ is the state of the decoder before it writes word $t$.
//! - $e_{tj}$ is the additive score of the two (lesson {scores}). $W$ and $U$ are matrices and $v$
//!   is a vector; all three are learned together with the rest of the network.
//! - $\alpha_{tj}$ is the weight of source word $j$ at target word $t$.
//! - $c_t$ is the context: the mean of the annotations with these weights.
//!
//! $$ e_{tj} = v^\top \tanh(W s_{t-1} + U h_j), \qquad
//!    \alpha_{tj} = \frac{e^{e_{tj}}}{\sum_{k=1}^{K} e^{e_{tk}}}, \qquad
//! c_t = \sum_{j=1}^{K} \alpha_{tj} h_j . $$
//!
//! The rest is the decoder of lesson {bottleneck}, with $c_t$ in the place of $c$. Let $y_{t-1}$ be
//! the embedding of the English word before, $[a; b]$ the vectors $a$ and $b$ one after the other,
//! and $p_t$ the probabilities of all English words:
//!
//! $$ s_t = \operatorname{GRU}([y_{t-1}; c_t], s_{t-1}), \qquad
//! p_t = \operatorname{softmax}(O \tanh(R [s_t; c_t; y_{t-1}])) . $$
//!
//! $O$ and $R$ are learned matrices. In lesson {bottleneck}, $c$ was the same at all steps. Now
//! there is a new one for each target word. The decoder need not store anything for later, because
//! the annotations remain where they are.
void draw_both(Lesson& lesson) {
    lesson.heading("Look again before each word");
    lesson.show("architectures", architectures(),
                "The step that writes the word \"am\". Above, the decoder gets the same context at "
                "every step. Below, the decoder's state and each annotation give a score, and the "
                "softmax of the scores gives the weights of the annotations. The last softmax "
                "also reads the context and the word before; these arrows are left out.");
}

//! ## The same with numbers
//!
//! Let the annotations have a width of 2: $h_1 = (1, -1)$ for 나는, $h_2 = (-1, 1)$ for 학생 and
//! $h_3 = (1, 1)$ for 이다. The decoder has written "I", and its state is $s = (0, -1)$. To keep
//! the numbers simple, let $W$ and $U$ leave every vector as it is, and $v = (3, 3)$.
//!
//! 1. The sums $s + h_j$ are $(1, -2)$, $(-1, 0)$ and $(1, 0)$.
//! 2. $\tanh$ makes $(0.762, -0.964)$, $(-0.762, 0)$ and $(0.762, 0)$ of them.
//! 3. The products with $v$ are the scores: $-0.607$, $-2.285$ and $2.285$.
//! 4. {no results} Their exponentials are 0.545, 0.102 and 9.824, with the sum 10.471. So the
//!    weights are 0.052, 0.010 and 0.938.
//! 5. The context is $0.052 \cdot (1, -1) + 0.010 \cdot (-1, 1) + 0.938 \cdot (1, 1) = (0.98,
//!    0.90)$.
//!
//! The context is nearly $h_3$. The decoder looks at 이다, and the next word can become "am". The
//! function `weights_by_hand` computes the weights for one query and $K$ annotations, and the
//! program prints what it gives:
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
//! The training data do not say that "am" belongs to 이다. They only say that the next word is
//! "am". Why is this enough?
//!
//! Suppose training has just begun, and all three weights are $1/3$. The loss is $-\ln p$ of the
//! right word. Backpropagation gives its derivative with respect to the context; let it be $(-1,
//! -1)$. So the loss gets smaller if both numbers of the context grow. What does this mean for the
//! weights? The context is the sum of the $\alpha_j h_j$, so the derivative with respect to
//! $\alpha_j$ is
//!
//! $$ g_j = \frac{\partial L}{\partial \alpha_j} = \frac{\partial L}{\partial c} \cdot h_j . $$
//!
//! For the three annotations it is $-1 + 1 = 0$, $1 - 1 = 0$ and $-1 - 1 = -2$. Softmax hands the
//! derivatives on to the scores (lesson {scores}):
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) . $$
//!
//! {no results} The sum is $-2/3$. So the derivatives of the scores are $\frac{1}{3} (0 +
//! \frac{2}{3}) = 0.222$, once more 0.222, and $\frac{1}{3} (-2 + \frac{2}{3}) = -0.444$. Gradient
//! descent moves against the derivative: it raises the score of 이다 and lowers the other two. **An
//! annotation gets a higher score if it helps the right word more than the weighted mean of all
//! annotations does.** The next time "am" is to be written, the weight on 이다 is a little larger, so
//! the context contains more of $h_3$. Then more of the gradient reaches the part of the encoder
//! that computes $h_3$, and it learns faster to make $h_3$ useful for "am". This makes $h_3$ help
//! even more than the others, and the weight on 이다 grows again. The network is trained on words
//! only, and the weights follow.
void follow_the_gradient(Lesson& lesson) {
    lesson.heading("How can it learn where to look?");
    const double gap = show_small_gradient(lesson, small_case());
    lesson.claim("gradient-by-hand",
                 "gradient of the scores against the numbers in the text, largest difference", gap,
                 at_most(0.001));
}

//! ## Two translators, trained equally
//!
//! We train two translators: one with attention and one without, which is the network of lesson
//! {bottleneck}. It is trained here once more and not taken from there, because lesson {bottleneck}
//! used other sentences, narrower states and another learning rate. In this lesson both have states
//! of 128 numbers, read the same batches in the same order, and are trained with the same
//! optimiser, the same learning rate and the same number of steps. Two things differ: the context,
//! and the parameters $W$, $U$ and $v$ of the score, which the second network does not have. The
//! number of parameters of both is printed below. The settings were not chosen with the test
//! sentences.
//!
//! There are 24,000 pairs of sentences: 21,000 for training, 1,000 for validation (lesson
//! {learning}) and 2,000 for testing. No test sentence is in the training set. In Korean, particles
//! such as 을, which marks the object, are written together with the noun. Here most of them are
//! words of their own, because otherwise each noun would appear in ten forms.
void train_both(Lesson& lesson, Models& models, const ParallelText& text,
                const Settings& settings) {
    lesson.heading("Two translators, trained equally");
    describe(lesson, text, models);
    train_models(lesson, models, text, settings);
}

//! ## The whole translator in twenty lines
//!
//! Both are trained now. How does the one with attention translate a sentence? The function
//! `translate_by_hand` of this lesson is the whole translator, about twenty lines. Its loop is that
//! of lesson {bottleneck}. It begins with the start symbol, it always takes the most probable word
//! (greedy decoding), and it stops at the end symbol. Only two lines are new: one computes the
//! weights, and the next one the context.
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

//! The library does the same for many sentences at once. It ignores padding, and it computes $U
//! h_j$ only once for each sentence, because it is the same at every step. The function and the
//! library must write the same words:
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

//! ## Does it help, and for which sentences?
//!
//! How good is a translation? The strictest measure is exact match (lesson {bottleneck}): the share
//! of sentences in which every word is right. It is the fair measure here, because in this grammar
//! each Korean sentence has only one translation.
//!
//! For real languages it is too strict, since a sentence has many good translations. There the
//! usual measure is *BLEU*, which counts how many runs of one, two, three and four words of the
//! output also occur in a translation made by a person, the reference (Papineni et al. 2002). Let
//! $p_n$ be the share of the runs of $n$ words that also occur in the reference. BLEU is the
//! geometric mean of the four shares (the fourth root of their product), times a penalty $B$ for
//! outputs that are too short:
//!
//! $$ \operatorname{BLEU} = B \cdot (p_1 p_2 p_3 p_4)^{1/4}, \qquad B = \min(1, e^{1 - r / c}) . $$
//!
//! {no results} Here $c$ is the number of words of the output and $r$ that of the reference. An
//! example: the output is "the student read a book today", and the reference "the student read a
//! book yesterday". Five of six words are right, four of five pairs, three of four runs of three,
//! and two of three runs of four. The product is $\frac{5}{6} \cdot \frac{4}{5} \cdot \frac{3}{4}
//! \cdot \frac{2}{3} = \frac{1}{3}$, and its fourth root is 0.760. Both have six words, so $B = 1$,
//! and BLEU is 0.760. Exact match is 0. For a test set, the runs of all sentences are counted
//! together. BLEU is often multiplied by 100.
//!
//! What do you expect? A context of fixed size has to hold more when the sentence is longer. With
//! attention, nothing has to be held. So the difference between the two should grow with the length
//! of the sentences. On short sentences it should be small, at least after enough training.
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
//! and length-loss-fixed > 0.95} The difference is one of length. From the shortest sentences to
//! the longest the share falls by {100 * length-loss:0} percentage points with attention, and by
//! {100 * length-loss-fixed:0} without. So hardly any of the longest is right without attention.
//!
//! ## Where does it look?
//!
//! The weights can be drawn as a picture. It has a row for each word of the output and a column for
//! each word of the source. Each row sums to 1, up to rounding. The cells of the true alignment,
//! which is often called the gold alignment, are marked. The first picture is the sentence from the
//! beginning.
//!
//! How well do the weights agree with the true alignment? Link each target word, without the end
//! symbol, with the source word of the largest weight, and call the set of these links $A$. Let $S$
//! be the set of the true links. Some words have no sure counterpart, such as "a". A link of "a"
//! with 학생 is neither right nor wrong. Let $P$ be the set of the true links together with these
//! possible ones. The *alignment error rate* is 0 if all links of $A$ are true or possible and no
//! true link is missing, and 1 if all links are wrong (Och and Ney 2003):
//!
//! $$ \operatorname{AER} = 1 - \frac{n_S + n_P}{n_A + s} . $$
//!
//! $n_A$ is the number of links in $A$ and $s$ the number in $S$. $n_S$ is the number of links of
//! $A$ that are in $S$, and $n_P$ the number of those that are in $P$. For our sentence, take the
//! rule "word $t$ of the output belongs to word $t$ of the source". It gives three links: "I" with
//! 나는, "am" with 학생 and "a" with 이다. (The fourth target word, "student", gets no link, because the
//! source has only three words.) One of them is in $S$, and the same one is in $P$. $S$ has three
//! links. So the error rate is $1 - (1 + 1) / (3 + 3) = 0.667$. To have something to compare with,
//! the program also computes the error rate of three rules on the test set. The first links every
//! target word with the last source word. The second is the rule of the example, but target words
//! without a partner are linked with the last source word. The third links a target word with the
//! source word at the same relative place: a word in the middle of the output with the word in the
//! middle of the source. (The weights are those with teacher forcing, so that every target word has
//! a row.)
void look_at_the_weights(Lesson& lesson, const Models& models, const ParallelText& text) {
    lesson.heading("Where does it look?");
    const bool first_is_right = show_weights(lesson, models, text);
    const Translator model = translator(models.attending);
    const AlignmentErrors errors = show_alignment_errors(lesson, model, text.test);
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
    lesson.claim("aer-by-hand",
                 "alignment error rate of the example against the number in the text",
                 error_of_the_example(), equals(0.667, 0.001));
    lesson.claim("aer", "alignment error rate of the attention weights", errors.attention,
                 at_most(lesson.quick() ? 0.3 : 0.15));
    lesson.claim("aer-rules", "alignment error rate of the best of the three rules",
                 errors.best_rule, at_least(lesson.quick() ? 0.65 : 0.8));
    //! {if all aer < 0.15 and aer-rules > 0.8} The error rate of the weights is {aer:2}, and that
    //! of the best rule is {aer-rules:2}. So the network has learned the alignment from nothing but
    //! pairs of sentences.
    //!
    //! The error rate looks only at the largest weight of each row. A second measure is the weight
    //! itself: how much of it is on the source words that the true alignment links with the target
    //! word? It is averaged over all target words that have a link.
    lesson.claim("aligned-weight", "mean weight on the aligned source words",
                 weight_on_aligned(model, text.test), at_least(lesson.quick() ? 0.6 : 0.75));
}

void run_on_the_corpus(Lesson& lesson, const Settings& settings) {
    const Prediction exact = lesson.predict(
        "With attention, what share of the test sentences is translated without a single error?",
        within(0.05));
    Prediction without;  // what a quick run does not measure is not asked there
    if (!lesson.quick())
        without = lesson.predict(
            "And without attention, what share of the sentences of 21 to 26 words?", within(0.1));
    const ParallelText text = from_corpus(
        lesson.quick() ? korean_english(lesson.seed(),
                                        {.pairs = 4000, .valid = 100, .test = 300, .longest = 8})
                       : korean_english(lesson.seed()));
    look_at_the_data(lesson, text);
    draw_both(lesson);
    compute_by_hand(lesson);
    follow_the_gradient(lesson);
    Models models = make_models(text, settings, lesson.seed());
    train_both(lesson, models, text, settings);
    check_against_the_library(lesson, models.attending, text);
    compare_translations(lesson, models, text, exact, without);
    look_at_the_weights(lesson, models, text);
}

}  // namespace

}  // namespace heed::lesson11

//! ## What this does not show
//!
//! This is not the translation of a real language. The grammar has a few hundred words, each word
//! has one meaning, and every sentence has exactly one right translation. With `--data` the same
//! program trains on real pairs of sentences. There the gain is smaller and the translations are
//! poor, because a few thousand sentences are too few to learn a language.
//!
//! Attention has parameters of its own, so the two translators do not have the same number of them.
//! Lesson {bottleneck} shows what more parameters do for a fixed context: twice the width adds some
//! words to the length that can be translated, and a steep fall remains. Both translators were
//! trained once, for a fixed number of steps. With more training, the one without attention gets
//! better as well.
//!
//! Attention also costs something. It computes a score for each pair of a source word and a target
//! word: 676 scores for two sentences of 26 words, and a million for two texts of 1,000. Lesson
//! {long_sequences} is about this. Finally, the pictures show where the decoder looked. They do not
//! show why it chose a word. Lesson {explanation} asks whether the one explains the other.
//!
//! Sources: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
//! Translate" (2015), section 3 and appendix A; Cho, van Merriënboer, Bahdanau and Bengio, "On the
//! Properties of Neural Machine Translation" (2014), for quality by length; Och and Ney, "A
//! Systematic Comparison of Various Statistical Alignment Models" (2003), for the alignment error
//! rate; Papineni, Roukos, Ward and Zhu, "BLEU: a Method for Automatic Evaluation of Machine
//! Translation" (2002), section 2.
//!
//! ## Summary
//!
//! 1. A translator with a fixed context stores a sentence in one vector. It makes more errors the
//!    longer the sentence is.
//! 2. With attention the encoder keeps one annotation for each source word. Before each target
//!    word, the decoder's state is compared with all annotations, and the context is their mean
//!    with the softmax of these scores as weights.
//! 3. Nobody tells the network where to look. Gradient descent raises the scores of the annotations
//!    that help the right word more than the weighted mean of all of them does.
//! 4. {if length-loss < 0.1 and length-loss-fixed > 0.95} The share of exact translations falls
//!    little with the length of the sentence if there is attention, and falls to nearly 0 without
//!    it, at equal training.
//! 5. The weights mostly agree with the true alignment, although the network never saw it. The
//!    alignment error rate says how well.
//!
//! ## Try this next
//!
//! 1. In `translate_by_hand`, replace `alpha` by equal weights for all words, `full({K}, 1.0 / K)`.
//!    Which words are still right?
//! 2. `--hidden 48`: which of the two translators gets worse with a narrow state?
//! 3. `--epochs 3`: is the alignment learned before the words? Compare the error rate with that of
//!    the full training.
//! 4. In `models.cpp`, add `.score = ScoreKind::dot` to the options. Is the alignment as good as
//!    with the additive score?
//! 5. `--data pairs.tsv`: your own two languages, one `source<TAB>target` a line. With `--swap` the
//!    second one is translated into the first.
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
