//! # A state instead of a cache?
//!
//! "Ada lives at number 1. Ben lives at number 5. Ada has moved to number 2." Where does Ada live?
//! A Transformer that generates text keeps the keys and values of all three sentences in its cache
//! (lesson {language_model}) and looks at each of them again for every new word. A person who reads
//! a long novel does nothing of the kind. She keeps something in her head that has the same size on
//! page 10 and on page 800, and changes it as she reads on.
//!
//! Could attention do the same? This lesson rewrites attention as a *state*: a box of fixed size
//! that each token changes a little. We then see how much fits into the box, what overwriting
//! costs, and find a question that a state learns to answer here and attention does not.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/33_states/experiment.h"
#include "lessons/33_states/pictures.h"

namespace heed::lesson33 {

using namespace course;

namespace {

//! ## The cache grows
//!
//! {no results} Take a model with 32 layers of width 4096 that stores its numbers in two bytes.
//! Without the groups of lesson {modern_block}, each layer keeps one key and one value of that
//! width for each token: $32 \cdot 2 \cdot 4096 \cdot 2 = 524{,}288$ bytes. A book of 100,000
//! tokens needs 52 GB, more than the model itself, and all of it is read for every new word.
//!
//! The naive remedy is to throw the oldest entries away. Then the past ends at the edge of a window
//! (lesson {long_sequences}). If the sentence about Ada stands before the window, the model does
//! not know her. We would rather forget a little of everything than everything beyond an edge.
void show_the_idea(Lesson& lesson) {
    lesson.heading("The cache grows");
    show_cache_and_state(lesson);
}

//! ## A sum instead of a list
//!
//! Why does attention need the list at all? Because of the softmax. The weight of a token depends
//! on the query through $e^{q \cdot k}$, so all keys must be there when the query comes. Leave the
//! softmax out, and let the weight be the product $q \cdot k$ itself. With row vectors, the output
//! at step $t$ is then
//!
//! $$ o_t = \sum_{j \le t} (q_t k_j^\top) \, v_j = q_t \sum_{j \le t} k_j^\top v_j = q_t S_t,
//!    \qquad S_t = S_{t-1} + k_t^\top v_t . $$
//!
//! - $q_t$, $k_t$ and $v_t$ are query, key and value of step $t$, each a row of $d$ numbers.
//! - $k_t^\top v_t$ is a $d \times d$ matrix: row $i$ is $v_t$ times number $i$ of the key.
//! - $S_t$ is the sum of these matrices, and $S_0 = 0$. It does not grow.
//!
//! Only the brackets have moved. Attention without the softmax, which adds each token to such a
//! state, is called *linear attention*. Katharopoulos et al. (2020) proposed it with two additions
//! that follow below. The bare formula is older: Schmidhuber's fast weights (1992) have it, as
//! Schlag et al. (2021) noticed. It is a recurrent network (lesson {recurrence}) whose state is a
//! matrix, and attention under a causal mask at the same time. As attention it is trained with all
//! steps at once; as a recurrence it generates, and each token costs the same.
//!
//! **By hand.** Let Ada have the key $(1, 0)$ and Ben $(0, 1)$; the value is the house number,
//! so each row of the state has only one number. After the first two sentences
//!
//! $$ S_2 = \begin{pmatrix} 1 \\ 0 \end{pmatrix} 1 + \begin{pmatrix} 0 \\ 1 \end{pmatrix} 5
//!        = \begin{pmatrix} 1 \\ 5 \end{pmatrix} , $$
//!
//! and the query $(1, 0)$ reads 1. After the third sentence $S_3 = (3, 5)^\top$. Ada lives at
//! number 3? The sum has added 1 and 2.
Tensor write_sum(const Tensor& S, const Tensor& k, const Tensor& v) {  // [d, d], [1, d], [1, d]
    return S + matmul(transpose(k), v);
}

Tensor recurrence(const Tensor& q, const Tensor& k, const Tensor& v, const Write& write) {
    Tensor S = zeros({k.size(1), v.size(1)}, k.dtype());
    std::vector<Tensor> outputs;
    for (int64_t t = 0; t < q.size(0); ++t) {
        S = write(S, slice(k, 0, t, t + 1), slice(v, 0, t, t + 1));
        outputs.push_back(matmul(slice(q, 0, t, t + 1), S));
    }
    return concat(outputs, 0);  // [T, d]
}

Tensor masked_products(const Tensor& q, const Tensor& k, const Tensor& v) {
    return matmul(tril(matmul(q, transpose(k))), v);  // all steps at once
}

void compare_both_forms(Lesson& lesson) {
    lesson.heading("A sum instead of a list");
    Rng rng(lesson.seed());
    const auto draw = [&] { return normal({40, 8}, 0, 1, rng, Dtype::float64); };
    const Tensor q = draw(), k = draw(), v = draw();
    const Tensor steps = recurrence(q, k, v, write_sum);
    lesson.claim("same-as-masked",
                 "identity: the recurrence against the product under a causal mask, 40 steps",
                 max(abs(steps - masked_products(q, k, v))).item(), at_most(1e-12));
    const auto heads = [](const Tensor& x) { return reshape(x, {1, 1, 40, 8}); };
    const Tensor library = linear_attention(heads(q), heads(k), heads(v), {.chunk = 16});
    lesson.claim("same-as-library", "identity: and against the library, in chunks of 16 steps",
                 max(abs(steps - reshape(library, {40, 8}))).item(), at_most(1e-12));
    const MixerLayer attention = make_mixer(Mixer::attention, rng),
                     sum = make_mixer(Mixer::sum, rng);
    lesson.claim("cache-growth", "identity: numbers in the cache, 4096 tokens over 16",
                 numbers_kept(attention, 4096) / static_cast<double>(numbers_kept(attention, 16)),
                 equals(256));
    lesson.claim("state-growth", "identity: numbers in the state, 4096 tokens over 16",
                 numbers_kept(sum, 4096) / static_cast<double>(numbers_kept(sum, 16)), equals(1));
}

//! The weights $q \cdot k$ may be negative, which is unusual for attention. So queries and keys
//! usually pass through a function with positive results first, such as $\mathrm{elu}(x) + 1$ (that
//! is $x + 1$ above 0 and $e^x$ below), and the output is divided by the sum of the weights, which
//! is one more column of the state. The library cuts the sequence into chunks: inside a chunk it
//! uses the mask, from chunk to chunk the state.
//!
//! ## Forget, or replace
//!
//! Ada's two house numbers were added because the sum never forgets. The simplest remedy shrinks
//! the state before each step (RetNet, Sun et al. 2023):
//!
//! $$ S_t = \alpha S_{t-1} + k_t^\top v_t, \qquad 0 < \alpha < 1 . $$
//!
//! {no results} With $\alpha = 0.5$, Ada's row becomes 1, then 0.5, then $0.25 + 2 = 2.25$. That is
//! nearer to 2. But Ben's row went from 5 to 2.5, although he has not moved. Everything fades.
//! Gates make this milder: each row of the state has its own factor, which is computed from the
//! token (GLA, Yang et al. 2023), so the model can learn when to forget.
//!
//! The better question is: what does the state say about this key **now**? It says $k_t S_{t-1}$.
//! Write only what is missing to the new value:
//!
//! $$ S_t = S_{t-1} + \beta_t \, k_t^\top (v_t - k_t S_{t-1}), \qquad 0 \le \beta_t \le 1 . $$
//!
//! Writing only the difference between the new value and what the state holds is called the *delta
//! rule* (Schlag et al. 2021; the rule itself is from Widrow and Hoff 1960). It is one step of
//! gradient descent (lesson {learning}) on $\tfrac12 |v_t - k_t S|^2$ with the learning rate
//! $\beta_t$: the state is a little model that is trained while the text is read. If the key has
//! length 1 and $\beta = 1$, the new state answers $k_t$ with exactly $v_t$.
//!
//! **By hand.** At the third sentence $k_3 S_2 = 1$, so $2 - 1 = 1$ is added to Ada's row: $S_3 =
//! (2, 5)^\top$. Ada lives at number 2, and Ben is where he was.
Write write_decay(double alpha) {
    return [=](const Tensor& S, const Tensor& k, const Tensor& v) {
        return S * alpha + matmul(transpose(k), v);
    };
}

Write write_difference(double beta) {
    return [=](const Tensor& S, const Tensor& k, const Tensor& v) {
        return S + matmul(transpose(k), v - matmul(k, S)) * beta;
    };
}

void where_does_ada_live(Lesson& lesson) {
    lesson.heading("Forget, or replace");
    const Tensor key = tensor({1, 0, 0, 1, 1, 0}, {3, 2}), value = tensor({1, 5, 2}, {3, 1});
    const Tensor both = eye(2);  // the queries: Ada, Ben
    std::vector<HeatMap> states;
    std::vector<double> ada;
    for (const auto& [name, write] : std::vector<Rule>{{"sum", write_sum},
                                                       {"decay", write_decay(0.5)},
                                                       {"delta rule", write_difference(1)}}) {
        Tensor S = zeros({2, 1});
        std::vector<Tensor> read;  // after each sentence, what it answers [2, 1]
        for (int64_t t = 0; t < 3; ++t) {
            S = write(S, slice(key, 0, t, t + 1), slice(value, 0, t, t + 1));
            read.push_back(matmul(both, S));
        }
        states.push_back(answers_map(name, concat(read, 1)));
        ada.push_back(read.back().at({0, 0}));
    }
    lesson.show(
        "ada", states,
        "What the state answers after each of the three sentences. Outlined: wrong answers.");
    lesson.claim("ada-sum", "identity: Ada's number by the sum", ada[0], equals(3));
    lesson.claim("ada-decay", "identity: by decay", ada[1], equals(2.25));
    lesson.claim("ada-delta", "identity: by the delta rule", ada[2], equals(2));
}

//! Can the delta rule still be trained with all steps at once? It is no product under a mask,
//! because what a step writes depends on all that was written before it. But let a chunk begin with
//! the state $S_0$, and call what step $t$ of it writes $u_t = \beta_t (v_t - k_t S_{t-1})$. Then
//! $S_{t-1} = S_0 + \sum_{j < t} k_j^\top u_j$. Put this into $u_t$, for all steps of the chunk,
//! with queries, keys, values and the $u_t$ as the rows of $Q$, $K$, $V$ and $U$:
//!
//! $$ \big( I + \mathrm{tril}_{-1}(\mathrm{diag}(\beta) K K^\top) \big) \, U = \mathrm{diag}(\beta)
//!    (V - K S_0), \qquad O = Q S_0 + \mathrm{tril}(Q K^\top) \, U . $$
//!
//! Here tril keeps the diagonal and what is below it, $\mathrm{tril}_{-1}$ only what is below. The
//! system is triangular. Yang et al. (2024) solve it, and only $S_0 + K^\top U$ goes on to the next
//! chunk.

//! ![Write more and more pairs into a state of 16 rows. Which pairs suffer, the old ones or all of them? Then let each key be written twice.](live:pairs)
//!
//! ## How much fits?
//!
//! Keys at right angles do not disturb each other, but there are only $d$ of them in $d$
//! dimensions. Random directions are nearly at right angles. So let us write $n$ pairs with random
//! keys of length 1 into a state of $32 \times 32$ numbers, and read them all.
//!
//! For the sum, the error can be predicted. Key $i$ reads $v_i + \sum_{j \ne i} (k_i \cdot k_j)
//! v_j$. The square of the product of two random directions is $1/d$ on average. Where the error is
//! squared, products of different terms average to 0, because the directions are random. So the
//! squared error, divided by $|v|^2$, is
//!
//! $$ \frac{n - 1}{d} . $$
//!
//! With 33 pairs in 32 dimensions the square of the noise is as large as that of a value. Attention
//! with a cache has no such noise if its softmax is sharp.
//!
//! We measure two numbers. The first is this squared error. It also punishes a wrong scale: an
//! answer of 0 has the error 1. With $r = (n - 1) / d$, the sum's answer multiplied by $1 / (1 +
//! r)$ has only the error $r / (1 + r)$. {no results} With 32 pairs that is 0.49 instead of 0.97.
//! The second is whether the value can still be **recognised**: is the right one, among all values
//! that were written, the nearest to what was read? We do the test twice. The second time every key
//! is written again with a new value, as in Ada's case, and only the new value counts.
void how_much_fits(Lesson& lesson) {
    lesson.heading("How much fits?");
    const Prediction guess = lesson.predict(
        "32 different keys are written once. By which rule are more values recognised?",
        {"sum", "delta rule", "no difference"});
    const std::vector<Held> held = show_what_fits(
        lesson,
        {{"sum", write_sum}, {"decay", write_decay(0.9)}, {"delta rule", write_difference(1)}});
    const double gap = held[0].once.share - held[2].once.share;  // the sum minus the delta rule
    lesson.reveal(guess, gap > 0.02 ? "sum" : gap < -0.02 ? "delta rule" : "no difference");

    claim_what_fits(lesson, held);
}

//! {if all sum-minus-delta > 0.05} The keys that are written once surprised us. Before the run we
//! had written down that the delta rule holds more. It does have the smaller error, {delta-error:2}
//! times that of the sum. But that is a matter of scale. Shrink the sum's answers by $1 / (1 + r)$,
//! and its error falls {no results} to 0.51 of what it was. And the sum lets us recognise
//! {sum-recognised:%} of the values, the delta rule {delta-recognised:%}. Each write of the delta
//! rule corrects the state for one key, and disturbs what it holds for all older ones: the older a
//! pair, the worse it is read. The sum spreads its noise evenly over all pairs, and then the right
//! value usually stays the nearest.
//!
//! {if all delta-again > sum-again + 0.2} When the keys are written again, it is the other way
//! round: with the sum we recognise {sum-again:%}, because it has added the old and the new
//! value, and with the delta rule {delta-again:%}. So the delta rule is not a larger box. It is
//! a box in which an entry can be replaced.

//! ## A state that decides
//!
//! As a formula, the gates are a column $\alpha_t$ of factors between 0 and 1, one for each row:
//!
//! $$ S_t = \mathrm{diag}(\alpha_t) \, S_{t-1} + k_t^\top v_t . $$
//!
//! A second family of models came from control theory, and arrives at the same formula, for each
//! channel on its own. A *state space* has a small state for each channel $x$ of its input, and
//! shrinks it before each token by $\alpha_t = e^{\Delta_t A}$. $\Delta_t$ is the length of a step,
//! $A$ a negative number for each row, and $v_t = \Delta_t x_t$. In Mamba (Gu and Dao 2023)
//! $\Delta_t$, $k_t$ and $q_t$ are computed from the token, and each channel has its own $\Delta_t$
//! and $A$. With a large $\Delta_t$ the state forgets and takes up the token; with $\Delta_t$ near 0
//! it skips it. In Mamba-2 (Dao and Gu 2024) all channels of a head share one factor.
//!
//! {no results} **By hand.** Let the state be one number, $S = 4$, and $A = -1$, $k = 1$, $x = 1$.
//! With $\Delta = 0.01$ it becomes $e^{-0.01} \cdot 4 + 0.01 \cdot 1 = 3.97$: the token is skipped.
//! With $\Delta = 3$ it becomes $e^{-3} \cdot 4 + 3 \cdot 1 = 3.20$, and only 0.20 of it is old.
//!
//! Gates and the delta rule go together. Gated DeltaNet (Yang et al. 2025) forgets first and then
//! replaces:
//!
//! $$ S_t = \alpha_t S_{t-1} + \beta_t \, k_t^\top (v_t - k_t \, \alpha_t S_{t-1}) . $$
//!
//! In all five rules before it (sum, decay, gates, delta rule with $\beta \le 1$, state space) the
//! old state is multiplied by something between 0 and 1 before the token adds its own. (The delta
//! rule does so in the direction of the key only.) No rule can change the sign of the old state. Is
//! that enough?
//!
//! Here is something that is hard for them. A switch is pressed or not at each step; is the lamp on
//! after step $t$? This is *parity*: whether a number of ones is odd. A state of one number does
//! it, if it may change its sign. Begin with $s_0 = 1$ and multiply by $-1$ at each press. For the
//! presses 1, 0, 1, 1 the state is $-1, -1, 1, -1$, and the lamp is on where it is negative.
std::vector<double> lamp(const std::vector<int>& presses, double factor) {
    std::vector<double> states;
    double s = 1;
    for (int press : presses) states.push_back(s *= press ? factor : 1);
    return states;
}

//! With factors between 0 and 1 there is only an indirect way. A sum, with the factor 1, can count
//! the presses, and the lamp is on where the count is odd. But the count grows with the sequence,
//! and to see whether it is odd the model needs the last digit of a larger and larger number. With
//! numbers of finite precision this fails from some length on. And with a factor below 1, the old
//! presses fade.
//!
//! The delta rule can change the sign, if we let $\beta$ exceed 1. Write the value 0 with a key of
//! length 1. What the state held for this key is then multiplied by $1 - \beta$. With $\beta$ up to
//! 1 that is between 0 and 1; with $\beta = 2$ it is $-1$ (Grazzi et al. 2024). In the experiment
//! this one number is the whole difference between two rows.
void press_the_switch(Lesson& lesson) {
    lesson.heading("A state that decides");
    const std::vector<int> presses{1, 0, 1, 1};
    Table table({"switch pressed?", "yes", "no", "yes", "yes"});
    for (double factor : {-1.0, 0.5}) {
        const std::vector<double> s = lamp(presses, factor);
        table.row(fmt::format("factor {}", factor), s[0], s[1], s[2], s[3]);
    }
    lesson.table(table, "The state after each step, with the factor -1 and with a positive one.");

    // The same by the delta rule: one key, no value, β = 2 where the switch is pressed.
    const Tensor one = ones({1, 1, 4, 1}), beta = tensor({2, 0, 2, 2}, {1, 1, 4, 1});
    Tensor state = ones({1, 1, 1, 1});
    const std::vector<double> by_delta =
        linear_attention(one, one, zeros({1, 1, 4, 1}), {.beta = beta, .state = &state})
            .to_vector();
    double difference = 0;
    for (int i = 0; i < 4; ++i)
        difference = std::max(difference, std::abs(by_delta[i] - lamp(presses, -1)[i]));
    lesson.claim("lamp", "identity: the delta rule with β = 2 against the lamp, largest difference",
                 difference, at_most(1e-6));
}

//! ## Recall and parity
//!
//! Now we train. The model is one block of a Transformer (lesson {transformer}) of width 32, in
//! which each of our layers in turn replaces attention. Each layer comes with what usually belongs
//! to it: the sum its function $\mathrm{elu}(x) + 1$ and its denominator, the other rules an RMS
//! norm of their output, the delta rule also keys of length 1. All have about as many parameters,
//! the same {no results} 500 steps of Adam, and 32 new sequences in each step. The attention has
//! rotary positions (lesson {positions}), and we add a GRU (lesson {recurrence}).
//!
//! - **Recall**: 4, 8, 16 or 32 tokens, each a key and a value, one of eight. Then come eight
//!   questions: one of these keys, drawn by chance (of four keys some are asked twice). Which value
//!   had it? One token holds both key and value, so a single layer can do it.
//! - **Parity**: 24 random bits, and at each one the question whether the number of ones so far is
//!   odd. We test it at the last eight of 24 bits, and of 48.
//!
//! {code model.cpp train_reader}
std::vector<Result> train_all(Lesson& lesson, int steps) {
    lesson.heading("Recall and parity");
    const Prediction guess =
        lesson.predict("Which of these learns parity and still answers with 48 bits?",
                       {"attention", "sum", "state space", "delta rule with β up to 2"});
    std::vector<Mixer> kinds = mixers();
    if (lesson.quick()) kinds = {Mixer::attention, Mixer::gru, Mixer::sum, Mixer::signed_delta};
    std::vector<Result> results;
    ProgressLine progress = lesson.progress("training", static_cast<int64_t>(kinds.size()));
    for (Mixer mixer : kinds) {
        results.push_back(train_both({mixer}, steps, 100 * lesson.seed()));
        progress.update(static_cast<int64_t>(results.size()));
    }
    if (!lesson.quick())  // two layers, for the section "Both"
        for (Mixer first : {Mixer::signed_delta, Mixer::attention})
            results.push_back(
                train_both({first, Mixer::attention}, steps, 100 * lesson.seed() + 1));
    show_results(lesson, results);
    lesson.reveal(guess, "delta rule with β up to 2");
    claim_results(lesson, results);
    return results;
}

//! {if all attention-recall > 0.95} **Recall.** Attention answers {attention-recall:%} of the
//! questions about 32 pairs. Its cache then holds $40 \cdot 64 = 2560$ numbers. A layer with a
//! matrix for a state has 256 (the sum 288, for each head has one more column, the sum of its
//! keys), and it gets worse as the pairs become more. {if all sum-recall-4 > sum-recall + 0.03}
//! {full run} The sum falls from {sum-recall-4:%} at 4 pairs to {sum-recall:%} at 32, and the delta
//! rule has {delta-recall:%} there. No key is written twice here, so replacing is no help: Ada's
//! question is not asked in this table, but in the first experiment at the end. {no results} Above,
//! by decay with $\alpha = 0.9$, we recognised least. Here its four heads have factors from 0.97 to
//! 0.996, as in RetNet, and it keeps up with the sum. {if all gru-recall < 0.6} The GRU, with 24
//! numbers, has {gru-recall:%}, where a guess is right once in eight times.
//!
//! {full run} The state space has {space-recall:%}. In the figure it falls short already with 4
//! pairs, so room is not the reason: its key has eight numbers, as many as that of a head of the
//! sum. It may miss the short convolution that Mamba has before it, or 500 steps may be too few. Both
//! are guesses.
//!
//! {if all gru-parity > 0.9 and attention-parity < 0.6} **Parity.** The GRU, which is poor in
//! recall, has {gru-parity:%} at twice the length. Attention has {attention-parity:%}, and it is
//! the same with sum, decay and gates. They do not even learn parity at the length they were
//! trained on. {if signed-parity > 0.9 and delta-parity < 0.6} {full run} The delta rule with
//! $\beta$ up to 1 has {delta-parity:%}, with $\beta$ up to 2 {signed-parity:%} (from seed to seed
//! {signed-parity:range %}). One number that may be negative has made the difference. (The GRU has
//! it, too: its new state is a $\tanh$ of the old one with weights of any sign. The price is that
//! it cannot be computed for all steps at once.) {full run} But it is no perfect lamp: its factor
//! is learned, and it need not be exactly $-1$. At 96 bits it has, from seed to seed,
//! {signed-far:range %} of the answers right.

//! ## Both
//!
//! {if all attention-recall > 0.95 and signed-parity > 0.8} Attention recalls nearly everything and
//! learns no parity; the delta rule with $\beta$ up to 2 learns parity and recalls less. So put one
//! layer of each into a model: first the delta rule with $\beta$ up to 2, then attention.
//! {full run} It is in the last but one row of the figure, and below it are two layers of
//! attention.
void stack_both(Lesson& lesson, const std::vector<Result>& results) {
    lesson.heading("Both");
    claim_both(lesson, results[results.size() - 2], results.back());
}

//! {if all hybrid-recall > 0.9 and hybrid-parity > 0.9} The mixed stack has {hybrid-recall:%} in
//! recall of 32 pairs and {hybrid-parity:%} in parity of 24 bits. {if all twice-parity < 0.65} A
//! second layer of attention does not help with parity ({twice-parity:%}).
//!
//! Many recent models mix in this way and save most of the cache. In Jamba (Lieber et al. 2024) one
//! layer in eight is attention and the others are Mamba; in Kimi Linear (Kimi Team 2025) it is one
//! in four, and the others are a delta rule with gates. Griffin (De et al. 2024) combines a gated
//! recurrence with attention over a window.

}  // namespace

}  // namespace heed::lesson33

//! ## What this does not show
//!
//! The tasks are small and pure, the models one layer deep, or two, and trained for seconds. That
//! attention did not learn parity does not mean that it cannot do it: Chiang and Cholak (2022) set
//! the weights of a Transformer by hand so that it does. Hahn (2020) proves that hard attention,
//! which looks at one token only, cannot; for soft attention he proves that a single token of a
//! long text changes the output very little. What our attention lacks is a solution that training
//! finds and that holds beyond the trained length. That positive factors cannot do it is a theorem
//! for sequences of any length and numbers of finite precision (Grazzi et al. 2024). What we
//! measured is that they did not.
//!
//! Our layers lack what the published ones have around them: a short convolution before queries and
//! keys, larger states, a gate at the output. On language, models with a state come close to
//! Transformers, and fall behind where a text has to be quoted exactly (Arora et al. 2024).
//!
//! There is also a middle way that keeps the softmax: a cache of fixed size. If one simply drops
//! the oldest tokens, large trained models break down when the first token leaves. Such models put
//! the weight that they need nowhere else on the first tokens, which are called *attention sinks*.
//! Xiao et al. (2023) keep the first four tokens and a window, and the model goes on. The library
//! has `keep_first_and_last` for it.
//!
//! Sources: Schmidhuber, "Learning to control fast-weight memories" (1992); Katharopoulos et al.,
//! "Transformers are RNNs" (2020), section 3; Schlag, Irie and Schmidhuber, "Linear Transformers
//! are secretly fast weight programmers" (2021), section 4; Sun et al., "Retentive network" (2023),
//! section 2; Yang et al., "Gated linear attention Transformers" (2023), section 4, and
//! "Parallelizing linear Transformers with the delta rule" (2024), section 3; Yang, Kautz and
//! Hatamizadeh, "Gated delta networks" (2025); Gu and Dao, "Mamba" (2023), section 3; Dao and Gu,
//! "Transformers are SSMs" (2024); Lieber et al., "Jamba" (2024); De et al., "Griffin" (2024); Kimi
//! Team, "Kimi Linear" (2025); Xiao et al., "Efficient streaming language models with attention
//! sinks" (2023), section 3; Hahn, "Theoretical limitations of self-attention" (2020); Chiang and
//! Cholak, "Overcoming a theoretical limitation of self-attention" (2022); Arora et al., "Zoology"
//! (2024); Grazzi et al., "Unlocking state-tracking in linear RNNs through negative eigenvalues"
//! (2024).
//!
//! ## Summary
//!
//! 1. Without the softmax attention is a recurrence: each token adds $k^\top v$ to a state of fixed
//!    size, and a query reads the state.
//! 2. For the sum the same numbers come out under a causal mask, all steps at once, or in chunks.
//!    The delta rule is trained in chunks, too.
//! 3. The sum never forgets, decay forgets everything alike, and the delta rule replaces what the
//!    state holds for one key.
//! 4. {if all sum-recognised > 0.9} Of 32 pairs in a state of 32 rows the sum lets us recognise
//!    {sum-recognised:%}, the delta rule {delta-recognised:%}. A cache holds all of them exactly.
//! 5. A state can follow parity with one number, if its factor may be negative. Here attention and
//!    positive factors did not learn it.
//!
//! {if all delta-again > sum-again + 0.2} So where does Ada live? Of 32 people who have all moved
//! once, the delta rule knows {delta-again:%} of the new addresses, the sum {sum-again:%}.
//!
//! The past now costs nothing more, however long it is. The parameters still do: each token is
//! multiplied by all of them. Must that be? Lesson {experts} asks that.
//!
//! ## Try this next
//!
//! 1. In `draw_recall`, draw the keys with repetition and let the last value count. Which rule
//!    gains?
//! 2. In `make_mixer`, give the sum one head of width 32 in place of four of width 8. The state has
//!    four times as many numbers: how does recall change?
//! 3. Train parity with 12 bits. How far does the delta rule with $\beta$ up to 2 get now?
using namespace heed;
using namespace heed::lesson33;

int main(int argc, char** argv) {
    Lesson lesson({.number = 33,
                   .name = "states",
                   .title = "A state instead of a cache?",
                   .question = "Can a past of any length be kept in a box of fixed size?",
                   .own_data = "random pairs and random bits"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (500; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 500;
        show_the_idea(lesson);
        compare_both_forms(lesson);
        where_does_ada_live(lesson);
        how_much_fits(lesson);
        press_the_switch(lesson);
        const std::vector<Result> results = train_all(lesson, steps);
        if (!lesson.quick()) stack_both(lesson, results);
    });
}
