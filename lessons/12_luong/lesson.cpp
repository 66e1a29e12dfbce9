//! # Does the decoder need to look everywhere?
//!
//! For every word it generates, the translator of lesson {translation} compares its state with
//! every word of the source. For 나는 학생 이다 and "I am a student" with its end symbol it computes $3
//! \cdot 5 = 15$ scores. For a page of 600 words these are 360,000, and nearly all of the weights
//! that come out are close to 0.
//!
//! Luong, Pham and Manning (2015) asked whether the decoder can skip most of this work. Attention
//! that scores all words of the source is called *global attention*. Attention that scores only the
//! words near one index of the source is called *local attention*. Can the decoder know where to
//! look before it has looked?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/12_luong/experiment.h"
#include "lessons/12_luong/models.h"
#include "lessons/12_luong/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson12 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("window", moving_window(),
                "Before each English word the decoder looks at a few Korean words only, and the "
                "window moves on. All scores are equal here. Outlined is the word it needs: "
                "that of \"read\" lies outside.");
}

//! ## A window that moves one word at a time
//!
//! The words that local attention scores are its *window*: all words of the source whose index is
//! at most $R$ away from a centre $p$. ($R$ is $D$ in the paper.) There are at most $2R + 1$ words
//! in it, however long the sentence is. Indices begin at 0.
//!
//! Where should the centre be? The simplest idea is *local-m*, m for monotonic: the output word
//! with index $t$ has the centre $p = t$, as if both languages had their words in the same order.
//! Let $R = 2$:
//!
//! | index | 0 | 1 | 2 | 3 | 4 |
//! | --- | --- | --- | --- | --- | --- |
//! | source | 나는 | 그 | 책 | 을 | 읽는다 |
//! | word for word | I | the | book | (object) | read |
//! | output | I | read | the | book | |
//!
//! For "read", $t = 1$ and the window covers the indices 0 to 3. The verb 읽는다 is at index 4, so
//! its weight is 0, whatever its score would have been. A Korean sentence ends with its verb, and
//! an English one has it near the beginning.
//!
//! ## A window that is predicted
//!
//! The decoder knows what it has generated so far. After "I" it may well know that a verb must
//! follow, and that the source has its verb at the end. So in *local-p*, p for predictive, the
//! decoder computes the centre of the window from its state $s$ and the number $K$ of words of the
//! source:
//!
//! $$ p = \frac{K}{1 + e^{-v^\top \tanh(U s)}} . $$
//!
//! The matrix $U$ and the vector $v$ are learned. The fraction is a sigmoid (lesson {learning})
//! times $K$, so the centre is between 0 and $K$. Inside the window, the weights are those of
//! lesson {scores} times a Gaussian, a bell curve around the centre:
//!
//! $$ \alpha_j = \frac{e^{e_j}}{\sum_{|k - p| \le R} e^{e_k}} \, e^{-(j - p)^2 / 2 \sigma^2},
//!    \qquad \sigma = \frac{R}{2} . $$
//!
//! - $j$ is the index of a word inside the window, $h_j$ its annotation (lesson {translation}), and
//!   $e_j = s^\top W h_j$ its score, the general score of lesson {scores}.
//! - The sum goes over the words inside the window, so only these scores are computed.
//! - $\sigma$ is the width of the bell curve.
//!
//! The Gaussian is there for the training. Without it the weights would not change when the centre
//! moves a little, so the derivative with respect to $p$ would be 0, and $U$ and $v$ could not
//! learn.
//!
//! {no results} **By hand.** Let $K = 5$ and $R = 2$, so $\sigma = 1$. If $v^\top \tanh(U s) =
//! 1.386$, the sigmoid is 0.8, and the centre is $p = 5 \cdot 0.8 = 4$, the verb. The window covers
//! the indices 2 to 6, of which 2, 3 and 4 exist. Let their scores be 1, 0 and 2, with the softmax
//! 0.245, 0.090 and 0.665. The distances from the centre are 2, 1 and 0, and the Gaussian is
//! $e^{-2} = 0.135$, $e^{-0.5} = 0.607$ and 1. The weights are the products: 0.033, 0.055 and
//! 0.665. Their sum is not 1; as in the paper, they are not divided by it again.
struct Window {
    int first, end;  // the words first, ..., end - 1
};
Window window_around(double p, double R, int words) {
    return {static_cast<int>(std::max(0.0, std::ceil(p - R))),
            static_cast<int>(std::min<double>(words, std::floor(p + R) + 1))};
}

// The weights of the words first, first + 1, ... from their scores, [n] -> [n].
Tensor local_weights(const Tensor& scores, int first, double p, double R) {
    const Tensor softmax = exp(scores) / sum(exp(scores));
    const Tensor distance = arange(scores.size(0)) + (first - p);
    return softmax * exp(-0.5 * square(distance / (R / 2)));
}

void compute_by_hand(Lesson& lesson) {
    lesson.heading("A window that is predicted");
    lesson.show("windows", scored_words(),
                "The words that are scored for \"read\", t = 1, with R = 2. Outlined is the verb, "
                "which it needs. Local-p takes p = 4 from the state.");
    const double p = 5 * sigmoid(tensor({1.386})).item();
    const auto [first, end] = window_around(p, 2, 5);
    const Tensor weights = local_weights(tensor({1., 0., 2.}), first, p, 2);
    Table table({"index", "word", "weight"});
    for (int j = first; j < end; ++j)
        table.row(j, example_words()[static_cast<std::size_t>(j)],
                  fmt::format("{:.3f}", weights.at({j - first})));
    lesson.table(table, fmt::format("The window of \"read\" around the centre {:.2f}.", p));
    lesson.claim(
        "window-by-hand",
        "identity: weights in the window against the numbers worked by hand, largest difference",
        max(abs(weights - tensor({0.033, 0.055, 0.665}))).item(), at_most(0.001));
}

//! ## Soft inside, hard at the edge
//!
//! Some texts say that local attention is a kind of hard attention, because it first decides which
//! words to leave out. Soft attention, the kind of all lessons so far, takes a weighted mean. Hard
//! attention (lesson {reinforce}) samples one word at random. Local attention samples nothing. But
//! the texts are half right: the decision which words are in the window has no derivative.
//!
//! {no results} Take seven words with equal scores and $R = 2$, and watch word 5 while the centre
//! moves to the right. With $p = 2.9$ the window covers the words 1 to 4, and word 5 has the
//! weight 0. With $p = 3.1$ it covers the words 2 to 5. Word 5 enters at the distance $R = 2
//! \sigma$, where the Gaussian is $e^{-2} = 0.135$, and the softmax of four equal scores is $1/4$.
//! So its weight jumps from 0 to $0.135 / 4 = 0.034$. A bell curve is never 0, so one that is cut
//! off at an edge has to jump there. (The figure has a second jump at $p = 5$, where word 3 leaves
//! and none enters, so the others share more.)
Tensor weights_of_seven(double p) {  // equal scores, R = 2
    const auto [first, end] = window_around(p, 2, 7);
    const Tensor inside = local_weights(zeros({end - first}), first, p, 2);
    return concat({zeros({first}), inside, zeros({7 - end})}, 0);
}

//! {no results} While no word enters or leaves, the context is a smooth function of $p$, and its
//! derivative agrees with finite differences. The paper says "differentiable almost everywhere".
//! But this derivative knows nothing of the words outside. At $p = 2.9$ the derivative of the
//! weight of word 5 is 0, although a step of little more than 0.1 would bring the word in. **If the
//! right word is outside the window, no gradient pulls the window to it.** The window has to come
//! near by chance, or by what it has learned from other sentences.
//!
//! ![Move the centre past 3 and watch word 5 enter with a jump. Before it enters, its derivative is 0: nothing says that the word is near. With R = 1 the window is narrower and the jump larger.](live:window)
//!
//! Local-m predicts no centre, so nothing about the choice of its words can be learned.
void examine_the_edge(Lesson& lesson) {
    lesson.heading("Soft inside, hard at the edge");
    show_edge(lesson, [](double p) { return weights_of_seven(p).at({5}); });
    const double before = library_weights_of_seven(3 - 1e-4).at({5}),
                 after = library_weights_of_seven(3 + 1e-4).at({5});
    lesson.say("At p = 3 the library's weight of word 5 jumps from {:.4f} to {:.4f}.", before,
               after);
    lesson.claim(
        "edge-jump",
        "identity: jump of the weight, over the weight before the Gaussian (e^-2 = 0.1353)",
        (after - before) / 0.25, between(0.135, 0.136));
    lesson.claim("centre-gradient",
                 "identity: away from the edge: gradient of the centre against finite differences",
                 error_of_the_gradient(lesson.seed()), at_most(1e-7));
}

//! ## The decoder of Luong, and input feeding
//!
//! The decoder of this paper is simpler than that of lesson {translation}. It takes its recurrent
//! step first and attends afterwards, with the new state $s_t$ as the query. From the state and the
//! context $c_t$ it computes the *attentional vector*, from which the output layer predicts the
//! next word:
//!
//! $$ \tilde s_t = \tanh(W_c [s_t; c_t]) . $$
//!
//! $W_c$ is a learned matrix, and $[s_t; c_t]$ is the state with the context appended to it. No
//! state depends on the attention. In training, all states can be computed first, and then the
//! attention of all steps in one matrix product. The price: the decoder does not know where it has
//! looked.
//!
//! With *input feeding*, the attentional vector of a step is appended to the input of the next one,
//! and the decoder knows. Now the steps have to be computed one after the other, and training is
//! slower. One step without it:
Tensor attentional_vector(const RecurrentDecoder& decoder, const Tensor& y, const Tensor& h,
                          RecurrentState& s) {  // y [1, E]: the word before; h [K, C]
    s = decoder.cell(y, s);
    const Tensor query = reshape(s.hidden, {-1});  // [H]
    const Tensor W = std::get<GeneralScore>(decoder.attention->score.any).weight;
    const Tensor alpha = softmax(matmul(h, matmul(query, W)));  // [K]
    const Tensor c = reshape(matmul(alpha, h), {1, -1});        // [1, C]
    return tanh(decoder.readout(concat({s.hidden, c}, 1)));     // readout multiplies by W_c
}

void show_decoders(Lesson& lesson) {
    lesson.heading("The decoder of Luong, and input feeding");
    lesson.show("feeding", decoder_diagrams(),
                "One step of the decoder, without and with input feeding.");
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    const EncoderDecoder model({.source_vocabulary = 9,
                                .target_vocabulary = 9,
                                .embedding = 4,
                                .hidden = 8,
                                .decoder = DecoderKind::luong,
                                .score = ScoreKind::general},
                               rng);
    const EncoderOutput encoded =
        model.encoder(pad_sequences({{4, 5, 6}}).ids, {}, Mode::evaluation());
    const PreparedSource source = model.decoder.prepare(encoded);
    RecurrentDecoderState state = model.decoder.start(source);
    RecurrentState s = state.recurrent;
    const Tensor y = model.embedding(Indices{Vocabulary::bos});
    const Tensor by_hand = attentional_vector(model.decoder, y, select(encoded.states, 0, 0), s);
    const Tensor library = model.decoder.step(y, source, state).features;
    check(max(abs(reshape(by_hand - library, {-1}))).item() < 1e-5,
          "attentional_vector differs from the library's step");
}

//! ## Seven decoders
//!
//! Four decoders have global attention, with a score of lesson {scores} (dot, general, or concat,
//! which is the additive one) or with location, $e_j = (W s)_j$, which depends on the index $j$ but
//! not on the key (workshop {score_functions}). Two more use general with one of the two
//! windows. The last one uses general with input feeding. All else is equal: the sentences, the
//! number of steps, the optimiser. Exact match and alignment error are those of lesson
//! {translation}.
Comparison compare(Lesson& lesson, const ParallelText& text, const Budget& budget) {
    lesson.heading("Seven decoders");
    Prediction fed;  // what a quick run cannot settle is not asked there
    if (!lesson.quick())
        fed = lesson.predict(
            "Luong et al. gained 1.3 BLEU, a measure of quality, by input feeding. Are more "
            "sentences exact with it here?",
            {"more", "fewer", "no clear difference"});
    const Comparison result =
        compare_decoders(lesson, seven_decoders, text, budget, lesson.quick() ? 1 : 5);
    if (!lesson.quick())
        lesson.reveal(fed, !result.is_clear(feeding, general)  ? "no clear difference"
                           : result.gain(feeding, general) > 0 ? "more"
                                                               : "fewer");
    //! {if all predicted-gain > 0 and aligned-gain > 0} {full run} **Does the decoder need to look
    //! everywhere?** It loses little if it can predict where to look. Local-p translates
    //! {predicted-gain * 100:0} more sentences in a hundred than local-m, probably because its
    //! window finds the verb. {if all global-gain > 0} The window is not free: global attention
    //! translates another {global-gain * 100:0} in a hundred, probably because the window sometimes
    //! misses the word.
    //!
    //! {if all concat-gain > 0.1} Among the scores with global attention, concat is far better than
    //! location. We make no claim about the order of dot, general and concat.
    //!
    //! {if all feeding-gain < 0} {full run} Then a surprise. **Input feeding does harm here**, at the
    //! one learning rate that all share: it costs {feeding-gain * -100:0} sentences in a hundred,
    //! with {count feeding-gain < 0} seeds.
    if (!lesson.quick()) {
        lesson.claim("predicted-gain",
                     "finding: share of exact translations, local-p minus local-m",
                     result.gain(local_p, local_m), more_than(0));
        lesson.claim("global-gain", "finding: share of exact translations, global minus local-p",
                     result.gain(general, local_p), more_than(0));
        lesson.claim("concat-gain", "finding: share of exact translations, concat minus location",
                     result.gain(concat_score, location), at_least(0.1));
        lesson.claim("feeding-gain",
                     "finding: share of exact translations, with input feeding minus without",
                     result.gain(feeding, general), less_than(0));
        lesson.claim("aligned-gain", "finding: alignment error of local-m minus that of local-p",
                     result.error(local_m) - result.error(local_p), at_least(0.08));
    }
    return result;
}

//! ## Where is the centre of the window?
//!
//! How far is the predicted centre from the nearest word of the true alignment? We compare it with
//! two centres that need no learning: the middle of the sentence, $(K - 1) / 2$, and the diagonal,
//! $t K / T$, where $T$ is the number of output words. The maps show four decoders at work on one
//! sentence. Look at where the windows begin and end in each row.
void measure_centres(Lesson& lesson, const Comparison& result, const TextSet& test) {
    lesson.heading("Where is the centre of the window?");
    const std::vector<WindowStep> steps = window_steps(result.models[local_p], test);
    const CentreDistances distance = centre_distances(steps);
    const Prediction guess = lesson.predict(
        fmt::format(
            "A centre always in the middle is {} words away from the true alignment, on the "
            "average. How far away is the predicted centre?",
            number(distance.middle, 2)),
        within(0.3).from(0));
    show_maps(lesson, result, {general, location, local_m, local_p}, test);
    show_centre(lesson, steps, test.pairs[non_monotone_sentence(test)]);
    show_distances(lesson, distance);
    lesson.reveal(guess, distance.predicted);
    //! {if all diagonal-distance > 1} The diagonal is no better than the middle: in this pair of
    //! languages it does not help when the window moves along with the output. {if all
    //! centre-ratio < 0.8 and 0.3 < centre-ratio} The predicted centre is nearer than both. Its
    //! distance differs from training to training: {centre-distance:1} words in the median,
    //! {centre-distance:range 1} in all. A word outside of the window cannot pull the centre
    //! towards itself; this may be why some trainings find worse centres than others.
    lesson.claim("diagonal-distance", "finding: distance of the diagonal, over that of the middle",
                 distance.diagonal / distance.middle, more_than(1));
    if (lesson.quick()) return;
    lesson.claim("centre-distance", "finding: distance of the predicted centre, in words",
                 distance.predicted, at_most(2));
    lesson.claim("centre-ratio",
                 "finding: distance of the predicted centre, over that of the middle",
                 distance.predicted / distance.middle, at_most(0.85));
}

//! ## What the location score sees
//!
//! Many texts say that the location score depends on the position alone. But it multiplies the
//! state of the decoder by $W$, and the state depends on the sentence. How different
//! are its weights at the same output word of two sentences of the same length? Half the sum of the
//! absolute differences is 0 for equal weights and 1 for weights that do not overlap. {if all
//! location-same > 0.3} The result is {location-same:2}. What the score cannot see is which words
//! are in the source at this moment. {if all location-error > 0.2} So its alignment error is
//! {location-error:2} higher than that of general.
void measure_location(Lesson& lesson, const Comparison& result, const TextSet& test) {
    lesson.heading("What the location score sees");
    lesson.claim("location-same",
                 "finding: location: difference of the weights of two sentences of one length",
                 difference_at_third_word(result.models[location], test), at_least(0.25));
    if (lesson.quick()) return;
    lesson.claim("location-error", "finding: alignment error of location minus that of general",
                 result.error(location) - result.error(general), at_least(0.15));
}

//! ## What a step costs
//!
//! How many scores does a window save? We translate the test sentences with code that computes only
//! the scores inside the window. (The library computes all and hides those outside.) The contexts
//! must be the same.
struct LocalContext {
    Tensor context;  // [C]
    int scores = 0;  // that were computed
};
LocalContext local_context(const Attention& attention, const WindowStep& step) {
    const Tensor &s = step.state, &h = step.annotations;  // [H], [K, C]
    const auto& [kind, reach, hidden, v] = attention.span;
    const double R = static_cast<double>(reach), K = step.keys();
    const double p =
        kind == SpanKind::local_m ? step.index : K * sigmoid(matmul(v, tanh(hidden(s)))).item();
    const auto [first, end] = window_around(p, R, step.keys());
    if (first >= end) return {zeros({h.size(1)})};  // local-m behind the last word of the source
    const Tensor near = slice(h, 0, first, end);
    const Tensor e = matmul(near, matmul(s, std::get<GeneralScore>(attention.score.any).weight));
    const Tensor alpha = kind == SpanKind::local_m ? softmax(e) : local_weights(e, first, p, R);
    return {matmul(alpha, near), end - first};
}

void count_scores(Lesson& lesson, const Comparison& result, const TextSet& test) {
    lesson.heading("What a step costs");
    NoGrad no_grad;
    std::vector<Cost> costs;
    double gap = 0;
    for (int which : {local_m, local_p}) {
        const Attention& attention = *result.models[which].decoder.attention;
        costs.push_back({.name = which == local_m ? "local-m" : "local-p"});
        for (const WindowStep& step : window_steps(result.models[which], test)) {
            const auto [mine, scores] = local_context(attention, step);
            const Tensor h = unsqueeze(step.annotations, 0), s = reshape(step.state, {1, 1, -1});
            const Tensor library = attention(s, attention.prepare(h, h), step.index).context;
            gap = std::max(gap, max(abs(mine - reshape(library, {-1}))).item());
            costs.back().add(step.keys(), scores);
        }
    }
    show_cost(lesson, costs);
    lesson.claim("contexts-by-hand",
                 "identity: contexts by hand against the library's, largest difference", gap,
                 at_most(1e-4));
}

//! The count of global attention grows with the sentence, that of a window does not. It is mostly
//! less than $2R + 1$: around a centre that is no integer the window has $2R$ words, and at the ends
//! of the sentence some do not exist.

void run(Lesson& lesson, const Budget& budget, int longest) {
    const int pairs = lesson.quick() ? 3000 : 6000, test = lesson.quick() ? 150 : 400;
    const ParallelText text = from_corpus(korean_english(
        lesson.seed(), {.pairs = pairs, .valid = 100, .test = test, .longest = longest}));
    opening(lesson);
    compute_by_hand(lesson);
    examine_the_edge(lesson);
    show_decoders(lesson);
    const Comparison result = compare(lesson, text, budget);
    measure_centres(lesson, result, text.test);
    measure_location(lesson, result, text.test);
    count_scores(lesson, result, text.test);
}

}  // namespace

}  // namespace heed::lesson12

//! ## What this does not show
//!
//! Sentences of at most 12 words need no window. Lesson {long_sequences} counts and times windows
//! on long sequences.
//!
//! Input feeding is not useless. For Luong et al. it helped, and local-p with general was their
//! best single model. They translated between English and German, with states of a thousand
//! numbers, and trained for days. Our states have 64 numbers, and training takes seconds. And all
//! our decoders have the same learning rate; another one may suit some of them better.
//!
//! Sources: Luong, Pham and Manning, "Effective Approaches to Attention-based Neural Machine
//! Translation" (2015), sections 3.1 to 3.3.
//!
//! ## Summary
//!
//! 1. Global attention scores all words of the source; local attention scores the words in a
//!    window, at most $2R + 1$.
//! 2. Local-m moves the window along with the output. Where the word order differs, the right word
//!    is often outside.
//! 3. Local-p predicts the centre from the decoder's state. A Gaussian around the centre makes the
//!    weights depend smoothly on it, so that it can be learned.
//! 4. When a word enters the window, its weight jumps to $e^{-2}$ of what softmax gave it. No
//!    gradient tells of words outside the window.
//! 5. Luong's decoder attends after its recurrent step. Input feeding hands the attentional vector
//!    of a step to the next one. Here, at one common learning rate, it did harm.
//!
//! ## Try this next
//!
//! 1. `--reach 1`, then `--reach 8`: how narrow may the window be in local-p, and in local-m?
//! 2. `--longest 26`: which decoder gets worse most with longer sentences?
//! 3. In `weights_of_seven`, divide the weights by their sum. Is the jump larger or smaller now?
using namespace heed;
using namespace heed::lesson12;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 12,
         .name = "luong",
         .title = "Does the decoder need to look everywhere?",
         .question = "Is it enough for a decoder to look at a small window of the source?",
         .own_data = "6,000 Korean-English pairs from a small grammar"});
    Budget budget;
    int longest = 0;
    lesson.option("--steps", budget.steps, "steps of training (750; quick 250)");
    lesson.option("--reach", budget.reach, "R, how far a window reaches to each side (3; quick 2)");
    lesson.option("--longest", longest, "words of the longest Korean sentence (12; quick 8)");
    return lesson.run(argc, argv, [&] {
        if (budget.reach == 0) budget.reach = lesson.quick() ? 2 : 3;
        if (budget.steps == 0) budget.steps = lesson.quick() ? 250 : 750;
        if (longest == 0) longest = lesson.quick() ? 8 : 12;
        check(longest >= 8 && longest <= 26, "--longest: expected 8 to 26, got {}", longest);
        run(lesson, budget, longest);
    });
}
