//! # Why is writing slow, and what helps?
//!
//! You paste a page of text into a chat and ask a question. The machine reads the whole page in a
//! blink. Then it begins to answer, and you can watch the words come, one after another. But a word
//! that is read and a word that is generated go through the same layers and cost the same
//! multiplications. Why is one so much slower than the other?
//!
//! This lesson counts not the multiplications but the bytes. Then three remedies follow by
//! themselves: let several texts share a pass, make the weights smaller, and let a small model
//! guess what comes next. The last one sounds like cheating. We shall prove that it is not, and
//! then test the proof.

#include <algorithm>
#include <cmath>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/35_fast_decoding/experiment.h"
#include "lessons/35_fast_decoding/pictures.h"
#include "nn/layers/quantise.h"

namespace heed::lesson35 {

using namespace course;

namespace {

//! ## All weights for one word
//!
//! To generate a token, the model multiplies one vector by each of its weight matrices. Every
//! weight is used once: one multiplication and one addition. And every weight has to come from
//! memory first, because a model of some size fits into no cache (workshop {caches}). To read a
//! page, the model does the same with many vectors at once. It still fetches each weight only once.
//!
//! A *pass* is one run of the model over some new tokens. It has to do two things, and since a
//! processor can fetch and compute at the same time, the slower one counts:
//!
//! $$ \text{seconds} = \max\Big( \frac{W b}{M} , \frac{2 W n}{F} \Big) $$
//!
//! - $W$ is the number of weights, and $b$ the bytes of each: 4 for a float.
//! - $M$ is the number of bytes that the memory delivers in a second.
//! - $n$ is the number of new tokens in the pass. Each needs two operations for each weight.
//! - $F$ is the number of operations that the processor can do in a second.
//!
//! The keys and values of the text so far are fetched, too (lesson {states}). For a long text, add
//! their bytes to $W b$.
//!
//! {no results} **By hand.** Take 7 billion weights of 2 bytes, which are 14 GB. The memory
//! delivers 100 GB a second, and the processor does 1,000 billion operations a second. Fetching
//! takes $14 / 100 = 0.14$ s. Computing takes $2 \cdot 7 / 1000 = 0.014$ s for one token. So
//! during nine tenths of the time the processor waits. It could do ten tokens in the time of one.
//!
//! Work that waits for memory and not for arithmetic is called *memory-bound*. Reading the given text
//! in one pass is called *prefill*, and generating token by token *decoding*. Decoding is
//! memory-bound; prefill of 500 tokens is not, nor is training.
//!
//! {no results} That answers our question. To write 500 tokens takes 500 passes, $500 \cdot 0.14 =
//! 70$ s. To read 500 takes one pass of $500 \cdot 0.014 = 7$ s. And the blink? Take 70 billion
//! weights, 140 GB, on cards with together 3,000 GB and 1,000,000 billion operations a second. A
//! pass for one token takes $140 / 3000 = 0.047$ s, so they write 21 tokens a second, and read the
//! 500 in 0.07 s.
double seconds_of_pass(double weights, double bytes, double tokens, double memory,
                       double operations) {
    return std::max(weights * bytes / memory, 2 * weights * tokens / operations);
}

void count_bytes(Lesson& lesson) {
    lesson.heading("All weights for one word");
    show_roofline(lesson, seconds_of_pass);
    lesson.claim(
        "by-hand", "identity: one token against ten in the formula, worked by hand above",
        seconds_of_pass(7e9, 2, 1, 100e9, 1000e9) / seconds_of_pass(7e9, 2, 10, 100e9, 1000e9),
        equals(1, 1e-9));
}

//! Along the slope the processor waits, and there are two ways out. **Go right:** put more tokens
//! into a pass. **Go up:** make the weights smaller. At the ceiling the processor is busy, and
//! neither helps. A *roofline* is a pair of lines: what the memory allows, and what the processor
//! allows.
//!
//! Both ways out are timed below, on your own machine. A point above the slope means that some
//! weights came from a cache, or that the sum with which we measured the memory did not reach its
//! full speed. By their bytes, 4-bit weights should be seven times as fast as floats for one token.
//! If they are slower, it is because each has to be unpacked, which the formula does not count.
//!
//! More tokens in a pass are easy if one machine generates for several users: their texts form a
//! batch. The time that one user waits for the next token is the *latency*. The number of tokens
//! that all users together get in a second is the *throughput*. A batch multiplies the throughput.
//!
//! Only the weights are shared. The keys and values of each text are fetched for that text alone.
//! Servers keep them in small blocks, so that no room is reserved for words that may never come, and
//! more texts fit into a batch (Kwon et al. 2023).
void measure(Lesson& lesson) { show_machine(lesson, time_passes(lesson), seconds_of_pass); }

//! A few tokens are not quite free here. Our library multiplies up to about 8 vectors one after
//! another. They share what comes from memory, but each of them loads the weights from the cache
//! again. And a pass does not reach the ceiling, which was measured with a large square product.
//!
//! ## Smaller weights
//!
//! A float has 32 bits and some seven digits. Does a weight need them? Let us allow it $m$ bits,
//! where $m$ is 8 or only 4. We choose a step. In place of each weight we store a whole number:
//! how many steps it is.
//!
//! $$ s = \frac{\max_i |w_i|}{2^{m - 1} - 1} , \qquad q_i = \text{round}(w_i / s) , \qquad
//!    w_i \approx s q_i . $$
//!
//! - $w_i$ are the weights that share one step, and $s$ is the step. It is chosen so that the
//!   largest weight just fits.
//! - $q_i$ is a whole number. With 8 bits it lies between $-127$ and 127, with 4 bits between $-7$
//!   and 7.
//!
//! {no results} **By hand**, with 4 bits: the weights 0.7, $-0.32$, 0.04 have the step $0.7 / 7 =
//! 0.1$, the whole numbers are 7, $-3$, 0, and we get back 0.7, $-0.3$ and 0.
//!
//! Rounding weights to few whole numbers with a common step is called *quantisation*. If the
//! weights lie anywhere within a step with the same probability, the root mean square of the error
//! is $s / \sqrt{12}$, the spread of an even distribution of width $s$.
Tensor rounded(const Tensor& w, int bits) {  // [..., n]: the weights of the last axis share a step
    const Tensor s = max(abs(w), -1, true) / (std::ldexp(1, bits - 1) - 1);
    return round(w / maximum(s, 1e-30)) * s;  // zeros stay zeros, without 0 / 0
}

//! Suppose that one of the 1,024 weights of a row is 200 times as large as the
//! others. The step has to fit the large one, and for all the others it is far too coarse. We chose
//! 200 to make the effect large. Such outliers are known from the vectors between the layers of
//! large models, where some features are up to 20 times as large as the others (Dettmers et al.
//! 2022). We round only weights.
//!
//! The remedy: cut the row into groups of 32, and give each group a step of its own.
Tensor rounded_in_groups(const Tensor& w, int bits, int64_t group) {
    return reshape(rounded(reshape(w, {-1, group}), bits), w.shape());
}

//! A step is a number that has to be kept, too: 2 bytes for 32 weights, which is half a bit for
//! each. Many files in which people exchange models keep weights like this, 32 whole numbers
//! and their step, and so does `quantise(model, {.bits = 8})` of the library. Only whole numbers
//! and steps are read from memory. They become floats inside the processor, just before they are
//! multiplied.
void round_weights(Lesson& lesson) {
    lesson.heading("Smaller weights");
    const Prediction guess = lesson.predict(
        "Which keeps the 1,023 small weights better: 8 bits with one step for the row, or 4 bits with a "
        "step for each group of 32?",
        {"8 bits in one step", "4 bits in groups"});
    constexpr int64_t n = 1024, rows = 50;
    Rng rng(lesson.seed());
    const Tensor plain = normal({rows, n}, 0, 1, rng, Dtype::float64);
    const Tensor small =
        concat({zeros({rows, 1}, Dtype::float64), ones({rows, n - 1}, Dtype::float64)}, 1);
    const Tensor spoiled =
        plain * small + (1.0 - small) * 200.0;  // the first weight of each row is 200
    // Root mean square error of the small weights, whose own root mean square is 1.
    const auto error = [&](const Tensor& w, const Tensor& back) {
        return std::sqrt(sum(square(back - w) * small).item() / (rows * (n - 1)));
    };
    const auto measure = [&](const Tensor& w, int bits, int64_t group) {
        return error(w, rounded_in_groups(w, bits, group));
    };
    const Rounded all{{measure(plain, 8, n), measure(plain, 4, n)},
                      {measure(plain, 8, 32), measure(plain, 4, 32)},
                      {measure(spoiled, 8, n), measure(spoiled, 4, n)},
                      {measure(spoiled, 8, 32), measure(spoiled, 4, 32)}};
    show_rounded(lesson, all);
    lesson.reveal(guess, all.spoiled.eight < all.spoiled_groups.four ? "8 bits in one step"
                                                                     : "4 bits in groups");
    claim_rounded(lesson, all);
}

//! {if all groups-four < row-eight} In this example fewer bits give a smaller error:
//! {groups-four:2} with 4 bits in groups, {row-eight:2} with 8 bits and one step. With 4 bits
//! and one step the error is {row-four:2}, as large as the weights: all of them became 0. In
//! groups, the large weight spoils the 31 weights beside it and nothing else.
//!
//! The formula for the error holds too: with 8 bits and one step the error is {step-formula:2}
//! times $s / \sqrt{12}$. The step is $L / 127$ for a large weight $L$, so this error is $L / 440$.
//! It comes down to {groups-four:2} where $L$ is about {groups-four * 440:0}. {if all groups-four >
//! 0.05 * row-eight} For smaller ones the 8 bits win, also for an outlier of 20.

//! ![Make one weight large, and see which others suffer. Then choose smaller groups, or more bits.](live:groups)
//!
//! ## What does the model lose?
//!
//! An error of a weight is not yet an error of the model. So we train one. It is the character
//! model of lesson {language_model}, but smaller: two layers of width 64. Then we round all its
//! matrices and measure the loss on text that it has not seen, in nats a character.
//!
//! {code experiment.cpp train_models}
Models train_and_round(Lesson& lesson, int steps) {
    lesson.heading("What does the model lose?");
    const Models models = train_models(lesson, steps);
    const int pieces = lesson.quick() ? 50 : 200;
    const auto loss = [&](const LanguageModel& model) {
        return validation_loss(model, models.text, pieces);
    };
    LanguageModel eight = models.target, four = models.target, one_step = models.target;
    quantise(eight, {.bits = 8});
    quantise(four, {.bits = 4});
    for_each_layer<Linear>(one_step, [](const std::string&, Linear& layer) {
        if (layer.defined())
            layer.weight = rounded_in_groups(detach(layer.weight), 4, layer.weight.numel());
    });
    show_losses(lesson, loss(models.target), loss(eight), loss(four), loss(one_step));
    return models;
}

//! {if all lost-four > 5 * lost-eight} With 8 bits the loss changes by {lost-eight:range 4}
//! nats: nothing that anybody would notice. With 4 bits in groups it grows by {lost-four:3} on
//! a loss of {loss-floats:2}, and with one step for a whole matrix by {lost-one-step:3}. {if
//! all lost-one-step > lost-four} The groups are worth their half bit.

//! ## Several tokens in one pass
//!
//! One user, one text: is there no way to put more tokens into a pass? If we knew the next four
//! tokens, one pass could take all four. It would return four distributions: what comes after the
//! first token, after the second, and so on. Under the causal mask (lesson {self_attention}) these
//! are the same as one token at a time.
void check_one_pass(Lesson& lesson, const Models& models) {
    lesson.heading("Several tokens in one pass");
    Rng rng(lesson.seed());
    const std::vector<int> prompt = prompt_of(models.text, rng), more = prompt_of(models.text, rng);
    Decodable together = ready(models.target, prompt), alone = together;
    const Tensor eight = together.steps(Indices(more, {1, 8}));  // [1, 8, V]
    double largest = 0;
    for (int64_t t = 0; t < 8; ++t) {
        const Tensor step =
            alone.step(Indices({more[static_cast<std::size_t>(t)]})).log_probabilities;
        largest = std::max(largest, max(abs(step - select(eight, 1, t))).item());
    }
    lesson.claim("one-pass",
                 "identity: log-probabilities of eight tokens in one pass, against one at a time",
                 largest, at_most(1e-4));
}

//! But we do not know the next four tokens. We can only **guess** them. A *draft model* is a small
//! model that guesses the next tokens of a large one, the target. Ours is a table of counts (lesson
//! {language_model}): which character follows these three, and how often?
//!
//! Letting a draft model guess several tokens and a target judge them all in one pass is called
//! *speculative decoding* (Leviathan et al. 2023, Chen et al. 2023). It repeats four steps:
//!
//! 1. The draft samples $k$ tokens, one after another.
//! 2. The target reads the last token of the text and all $k$ guesses, in one pass, and returns
//!    $k + 1$ distributions. The first one judges the first guess.
//! 3. From the left, each token is accepted, until the first one is refused.
//! 4. The refused token is replaced, and all behind it are thrown away. If none was refused, the
//!    target adds a token.
//!
//! ## Judge a guess
//!
//! When do we accept a guessed token? The obvious rule: accept it if the target finds it likely
//! enough, say $p \ge 0.1$, and let the target sample a token if not. But the draft's favourites
//! pass too often, and the text is neither the draft's nor the target's.
//!
//! We want exactly the target's probabilities. Let $p(x)$ be the probability of token $x$ under
//! the target, and $q(x)$ under the draft.
Place show_place(Lesson& lesson, const Models& models, Rng& rng) {
    lesson.heading("Judge a guess");
    // A prompt after which neither model is sure, so that there is something to judge.
    Place at;
    do {
        at.prompt = prompt_of(models.text, rng);
        const Indices last({at.prompt.back()});
        at.p = probabilities(ready(models.target, at.prompt).step(last).log_probabilities);
        at.q = probabilities(
            ready(models.draft, models.text.size(), at.prompt).step(last).log_probabilities);
    } while (std::abs(total_variation(at.p, at.q) - 0.4) > 0.1);
    show_two(lesson, models.text, at);
    return at;
}

//! The draft has sampled $x$. Look at the map. Where $q$ is smaller than $p$, the draft offers
//! the token too rarely, so whenever it comes we keep it. Where $q$ is larger, it comes too often,
//! and we keep only the part that $p$ allows:
//!
//! $$ \text{accept } x \text{ with probability } \min\Big( 1, \frac{p(x)}{q(x)} \Big) . $$
//!
//! Accepted tokens then come with probability $q(x) \min(1, p(x)/q(x)) = \min(p(x), q(x))$. What is
//! still missing is $p(x) - \min(p(x), q(x))$, the part of $p$ that sticks out above $q$. So after
//! a refusal we sample from exactly that part, divided by its sum:
//!
//! $$ r(x) = \frac{\max(0, p(x) - q(x))}{\sum_y \max(0, p(y) - q(y))} . $$
//!
//! A refusal happens with probability $1 - \sum_y \min(p(y), q(y))$, and this is the same number
//! as the sum below the line, because $p$ has the sum 1. The two cancel, and the token $x$ comes
//! with probability $\min(p, q) + (p - \min(p, q)) = p(x)$. A text has the product of such
//! probabilities, token by token, so whole texts come out right, too.
//!
//! {no results} **By hand.** $p = (0.2, 0.5, 0.3)$, $q = (0.4, 0.2, 0.4)$. The first token is kept
//! with probability $0.2 / 0.4 = 0.5$, the second always, the third with $0.75$. Together $0.2 +
//! 0.2 + 0.3 = 0.7$ is kept. Only the second token has $p > q$, so after a refusal it is taken. It
//! comes with $0.2 + 0.3 = 0.5$, as it should.
//!
//! Now the test. We sample many characters by each rule and compare the counts with the target's
//! probabilities. Pearson's $\chi^2$ adds up the squared differences, each divided by the expected
//! count. We know what chance makes of it, and say how many standard deviations it lies off. By
//! chance alone it is about -2 to 3.
int judged(int x, const Distribution& p, const Distribution& q, Rng& rng) {
    if (rng.uniform() < p[x] / q[x]) return x;
    Distribution rest(p.size());
    double total = 0;
    for (std::size_t y = 0; y < p.size(); ++y) total += rest[y] = std::max(0.0, p[y] - q[y]);
    for (double& each : rest) each /= total;
    return decoding::sample_index(rest, rng);
}

int judged_by_threshold(int x, const Distribution& p, const Distribution&, Rng& rng) {
    return p[x] >= 0.1 ? x : decoding::sample_index(p, rng);
}

void judge_guesses(Lesson& lesson, const Models& models, const Place& at, Rng& rng) {
    const int samples = lesson.quick() ? 5000 : 20000;
    const auto deviations = [&](const auto& rule) {
        Distribution expected = at.p, seen(at.p.size());
        for (double& each : expected) each *= samples;
        for (int i = 0; i < samples; ++i)
            ++seen[rule(decoding::sample_index(at.q, rng), at.p, at.q, rng)];
        return chi_square_deviations(expected, seen);
    };
    const double right = deviations(judged), naive = deviations(judged_by_threshold);
    const double pairs = deviations_of_pairs(models, at.prompt, lesson.quick() ? 1000 : 4000, rng);
    show_rules(lesson, samples, naive, right, pairs);
}

//! {if all naive-rule > 20 and right-rule < 7} The obvious rule is {naive-rule:0}
//! deviations off. Over all seeds the rule $p / q$ ranges from {right-rule:range 1}, and the
//! library's function for whole texts from {pairs-of-characters:range 1}. That is what chance
//! does.

//! ## A pass, written down
//!
//! Now the four steps as code. `given` is what the target reads: the last token of the text, which
//! it has not seen yet, and the guesses. Row $t$ of the result is its distribution of the token
//! after `given[t]`, so row 0 judges the first guess.
Pass one_pass(Decodable& target, Decodable& draft, int last, int k, Rng& rng) {
    Pass pass;
    std::vector<Distribution> q;
    Decodable ahead = draft;  // a copy, which may be thrown away
    for (int i = 0, token = last; i < k; ++i) {
        q.push_back(probabilities(ahead.step(Indices({token})).log_probabilities));
        pass.guesses.push_back(token = decoding::sample_index(q.back(), rng));
    }
    std::vector<int> given = pass.guesses;
    given.insert(given.begin(), last);
    target.mark();
    const Tensor logs = target.steps(Indices(given, {1, k + 1}));  // [1, k + 1, V], in one pass
    for (; pass.accepted < k; ++pass.accepted) {
        const int guess = pass.guesses[static_cast<std::size_t>(pass.accepted)];
        pass.own = judged(guess, probabilities(select(logs, 1, pass.accepted)),
                          q[static_cast<std::size_t>(pass.accepted)], rng);
        if (pass.own != guess) break;  // refused, and replaced
    }
    if (pass.accepted == k)  // none was refused: one more
        pass.own = decoding::sample_index(probabilities(select(logs, 1, k)), rng);
    target.keep(1 + pass.accepted);  // both forget what comes after the accepted ones
    for (int i = 0; i <= pass.accepted; ++i)
        draft.step(Indices({given[static_cast<std::size_t>(i)]}));
    return pass;
}

void watch_it_write(Lesson& lesson, const Models& models) {
    lesson.heading("A pass, written down");
    const NoGrad no_grad;
    Rng rng(lesson.seed() + 2);
    const std::vector<int> prompt = prompt_of(models.text, rng);
    Decodable target = ready(models.target, prompt),
              draft = ready(models.draft, models.text.size(), prompt);
    std::vector<Pass> passes;
    for (int last = prompt.back(); passes.size() < 8; last = passes.back().own)
        passes.push_back(one_pass(target, draft, last, 4, rng));
    show_passes(lesson, models.text, prompt, passes);
}

//! ## How many are accepted?
//!
//! The proof also says how often a guess is accepted: with probability
//!
//! $$ \alpha = \sum_x \min(p(x), q(x)) = 1 - \tfrac12 \sum_x |p(x) - q(x)| . $$
//!
//! Half of the sum of the differences of two distributions is called their *total variation*. It is
//! 0 if they agree, and 1 if they have no token in common.
//!
//! If each guess is accepted with the same probability $\alpha$, and $k$ tokens are drafted, then a
//! pass of the target gives on average
//!
//! $$ 1 + \alpha + \alpha^2 + \dots + \alpha^k = \frac{1 - \alpha^{k+1}}{1 - \alpha} $$
//!
//! tokens. The first guess counts with probability $\alpha$, the second with $\alpha^2$, because
//! the first must be accepted too. The 1 is the token that the target always adds.
double tokens_a_pass(double alpha, double drafted) {
    return (1 - std::pow(alpha, drafted + 1)) / (1 - alpha);
}

void count_accepted(Lesson& lesson, const Models& models) {
    lesson.heading("How many are accepted?");
    const Prediction guess = lesson.predict(
        "The draft is a table that looks at three characters. How many tokens does a pass of the target give with "
        "drafts of four?",
        within(0.4).from(0, 5));
    const int texts = lesson.quick() ? 4 : 20;
    Rng rng(lesson.seed() + 1);
    std::vector<double> lengths{1, 2, 4, 8}, counted_tokens, formula;
    Drafting four;
    double eight_over_formula = 0;
    for (double length : lengths) {
        const Drafting d = draft_texts(models, static_cast<int>(length), texts, {}, rng);
        counted_tokens.push_back(d.tokens_a_pass);
        formula.push_back(tokens_a_pass(d.expected, length));
        if (length == 4) four = d;
        if (length == 8) eight_over_formula = counted_tokens.back() / formula.back();
    }
    show_tokens(lesson, lengths, counted_tokens, formula);
    lesson.reveal(guess, four.tokens_a_pass);
    const Drafting greedy = draft_texts(models, 4, texts, {.temperature = 0}, rng);
    claim_accepted(lesson, four, greedy, four.tokens_a_pass / formula[2], eight_over_formula);
}

//! From the distributions alone, {expected-share:%} of the judged tokens should be accepted,
//! and {accepted-share:%} were. With drafts of four a pass gives {tokens-a-pass:1} tokens in
//! place of one, for exactly the same distribution of texts. The formula takes every guess to be
//! equally hard. In a text the easy ones stand
//! together: inside a word the draft is right again and again, and at the beginning of the next
//! it fails. So we count a little less than the formula says, {tokens-over-formula:2} of it with
//! drafts of four and {eight-over-formula:2} with drafts of eight: where easy guesses stand together,
//! the draft ends although its next guess would have been right.
//!
//! {if greedy-share > accepted-share} With greedy decoding, where both models take their most
//! probable token and a guess is accepted if they agree, the share is {greedy-share:%}.

}  // namespace

}  // namespace heed::lesson35

//! ## What this does not show
//!
//! Fewer passes are not yet less time. A pass over five tokens must cost about as much as a pass
//! over one, which holds for a model that is memory-bound and not for our small one, which fits
//! into the cache. And the draft, often a smaller Transformer, takes time. Let $c$ be the time of a
//! draft step over that of a pass of the target. Then decoding becomes faster by the factor
//!
//! $$ \frac{1 - \alpha^{k+1}}{(1 - \alpha) (k c + 1)} . $$
//!
//! {no results} With $\alpha = 0.75$ and $c = 0.1$ this is 2.2 for drafts of four, but 1.5 for
//! drafts of sixteen.
//!
//! Our text has a vocabulary of 179 words, and a table of counts is a good guesser there. For
//! ordinary text a draft needs more than three characters. The published gains are two to three
//! times. Today the target often drafts for itself. In Medusa, small heads beside the last layer
//! guess the tokens after the next one (Cai et al. 2024); in EAGLE, a small layer continues the
//! target's own last vectors (Li et al. 2024).
//!
//! We rounded weights after the training, each to its nearest step. There are better ways: choose
//! the roundings so that the outputs of a layer stay the same (GPTQ, Frantar et al. 2022), or train
//! with rounded weights. We have not rounded the keys and values in the cache, which for long texts
//! are more bytes than the weights (lesson {states}).
//!
//! Sources: Leviathan, Kalman, Matias, "Fast inference from Transformers via speculative decoding"
//! (2023), section 2, equation 1, and section 3 on seconds; Chen et al., "Accelerating large
//! language model decoding with speculative sampling" (2023); Cai et al., "Medusa" (2024); Li et
//! al., "EAGLE: Speculative sampling requires rethinking feature uncertainty" (2024); Kwon et al.,
//! "Efficient memory management for large language model serving with PagedAttention" (2023);
//! Dettmers et al., "LLM.int8()" (2022), section 4, on outliers; Frantar et al., "GPTQ" (2022);
//! Williams, Waterman, Patterson, "Roofline" (2009), on the two limits of a machine; Shazeer, "Fast
//! Transformer decoding" (2019), on the bytes of decoding. The layout in groups of 32 is that of
//! Gerganov's ggml.
//!
//! ## Summary
//!
//! 1. A pass fetches all weights, for one token as for ten. So decoding is memory-bound, and
//!    reading is not.
//! 2. Several texts in one pass share the weights: more tokens in all, none sooner for one user.
//! 3. Weights of 8 or 4 bits are fetched faster. With a step for each group of 32, a large weight
//!    spoils only its own group.
//! 4. A draft guesses, and the target judges all guesses in one pass: accept with $p / q$, else
//!    sample what is missing. The texts have exactly the target's distribution.
//! 5. The share of accepted guesses is one minus the total variation: {accepted-share:%} here.
//!
//! Now the model is fast. It still does not answer: ask it a question, and it continues the text.
//!
//! ## Try this next
//!
//! 1. In `experiment.h`, let the table look at 1 character, or at 6. How do the accepted share and
//!    the tokens a pass change?
//! 2. In `train_and_round`, round with 3 bits and with 2, in groups of 32 and of 8. Where does the
//!    model break?
//! 3. Let the target quantised to 4 bits be the draft of the target. What share is accepted, and
//!    when would that save time?
using namespace heed;
using namespace heed::lesson35;

int main(int argc, char** argv) {
    Lesson lesson({.number = 35,
                   .name = "fast_decoding",
                   .title = "Why is writing slow, and what helps?",
                   .question = "Reading a page takes a blink, and writing one takes a minute. Why?",
                   .own_data = "random weights and the English sentences of the course"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (1200; quick 250)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 250 : 1200;
        count_bytes(lesson);
        measure(lesson);
        round_weights(lesson);
        const Models models = train_and_round(lesson, steps);
        check_one_pass(lesson, models);
        Rng rng(lesson.seed());
        const Place place = show_place(lesson, models, rng);
        judge_guesses(lesson, models, place, rng);
        watch_it_write(lesson, models);
        count_accepted(lesson, models);
    });
}
