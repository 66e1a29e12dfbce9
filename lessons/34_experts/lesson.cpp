//! # Can parameters grow without work?
//!
//! A language model reads the word *Paris*. It needs what it knows of cities, and nothing of
//! football, of chemistry or of the endings of verbs. Yet it computes all hidden units of its
//! feed-forward networks for this word, and all of them again for the next.
//!
//! Mixtral, a model of December 2023, does not. In every layer a token chooses two of
//! eight such networks, and the next token may choose two others. Mixtral has 47 billion
//! parameters, and a token uses 13 billion of them. That is more than a quarter, because only the
//! feed-forward networks are eightfold; attention is shared. So it should know as much as a large
//! model and need only the work of a small one. We build such a model, watch it fail, repair it,
//! and measure what the promise is worth.

#include <algorithm>
#include <cmath>
#include <functional>

#include "attention/hard/hard.h"
#include "autograd/autograd.h"
#include "lessons/34_experts/pictures.h"

namespace heed::lesson34 {

using namespace course;

namespace {

//! ## Two of four
//!
//! Put several small networks side by side. An *expert* is one of several networks of which a token
//! uses only a few. Beside the experts stands the *router*, a matrix that gives a token one score
//! for each expert.
void show_the_idea(Lesson& lesson) {
    lesson.heading("Two of four");
    show_two_of_four(lesson);
}

//! Only the experts with the largest scores are computed, and the output is their weighted mean. A
//! *mixture of experts* is a layer that is made of a router and its experts.
//!
//! ## Every parameter is work
//!
//! {no results} What does this save? A matrix of 32 rows and 32 columns has 1,024 parameters. To
//! multiply it with a vector takes 1,024 multiplications, each followed by an addition: one
//! *multiply-add* for each parameter. So a feed-forward network (lesson {transformer}) with eight
//! times as many parameters costs eight times as much for every token. Cut it into eight experts of
//! which a token uses one, and it costs as much as before, and the router a little more.
//!
//! Why a router? A fixed rule would do without: the first eighth of the vocabulary goes to the
//! first network, and so on. But nobody knows a good rule, and the same word may need other
//! knowledge in another sentence. The model should learn the rule.
//!
//! ## The layer as a formula
//!
//! - $x$ is the vector of one token, with $D$ numbers.
//! - $E$ is the number of experts, and $f_1, \dots, f_E$ are the experts.
//! - $k$ is the number of experts that a token uses.
//! - $R$ is the router, a matrix with $E$ rows of $D$ numbers. $s = R x$ are the $E$ scores.
//! - $T$ is the set of the $k$ experts with the largest scores.
//!
//! The weight $w_i$ of expert $i$ is a softmax over the chosen experts only, and the output is $y$:
//!
//! $$ w_i = \frac{\exp(s_i)}{\sum_{j \in T} \exp(s_j)}, \quad y = \sum_{i \in T} w_i \, f_i(x) . $$
//!
//! {no results} **By hand.** In the picture $s = (2, -1, 1, 0)$ and $k = 2$, so $T = \{1, 3\}$. The
//! weights are $\exp(2) / (\exp(2) + \exp(1)) = 0.73$ and $0.27$.
//!
//! The code goes through the experts, and each gets all of its tokens as one matrix:
Tensor mixture(const FeedForward& layer, const Tensor& x) {  // [N, D] -> [N, D]
    const int64_t k = layer.experts_for_each_token;
    const auto [best, experts] = topk(layer.router(x), k);  // scores and experts, both [N, k]
    const Tensor weights = reshape(softmax(best), {-1});    // [N k]
    Tensor y = zeros_like(x);
    for (int i = 0; i < std::ssize(layer.experts); ++i) {
        std::vector<int> tokens, entries;  // that chose i, and where they did
        for (int n = 0; n < experts.count(); ++n)
            if (experts[n] == i) tokens.push_back(n / static_cast<int>(k)), entries.push_back(n);
        if (tokens.empty()) continue;
        const Tensor out = layer.experts[i](index_select(x, 0, tokens));  // the tokens of i only
        const Tensor w = unsqueeze(index_select(weights, 0, entries), 1);
        y = y + index_add(x.shape(), 0, tokens, out * w);  // back to where they came from
    }
    return y;
}

void check_by_hand(Lesson& lesson) {
    lesson.heading("The layer as a formula");
    Rng rng(lesson.seed());
    FeedForward layer({.width = 32, .hidden = 32, .experts = 8, .experts_for_each_token = 2}, rng);
    to_dtype(layer, Dtype::float64);
    const Tensor x = normal({64, 32}, 0, 1, rng, Dtype::float64);
    lesson.claim("same-as-library", "identity: the code above against the library's layer",
                 max(abs(mixture(layer, x) - layer(x))).item(), at_most(1e-12));
    const double all = static_cast<double>(2 * 8 * 32 * 32), router = 8 * 32;
    lesson.claim("share-of-work",
                 "identity: multiply-adds of the experts for a token, counted, over those of all 8",
                 (multiply_adds(layer, x) - router) / all, equals(0.25, 1e-12));
}

//! ## A task whose best routing is known
//!
//! Do the experts share the work in a sensible way? In a language model nobody can say what would
//! be sensible. So we make a task in which we can. There are eight kinds of tokens. A token has 16
//! numbers: the first eight tell its kind, with a little noise, and the other eight are a random
//! vector. The answer is that vector, rotated. Each kind has its own rotation.
//!
//! We give the layer eight experts, each one matrix, and $k = 1$. One matrix can learn one
//! rotation. So the best routing is one expert for each kind, in any order.
//!
//! One detail is as in real networks: the tokens have a large part in common. It sits in the first
//! eight numbers. {no results} They are the vector of the kind, plus three times a vector that all
//! kinds share, plus noise.
//!
//! ## How can a router learn?
//!
//! The choice is a step: change a score a little, and the same expert is chosen. Its derivative is
//! 0 (lesson {reinforce}). But the weights $w$ have a derivative, so the scores of the experts that
//! were chosen get a gradient. With $k = 1$ even that is gone, because a softmax over one number is
//! always 1. Fedus et al. (2022) therefore multiply by the probability among **all** experts,
//! $p_i = \exp(s_i) / \sum_j \exp(s_j)$:
//!
//! $$ y = p_i \, f_i(x), \qquad i = \text{the expert with the largest score} . $$
//!
//! If the output is useful, the gradient makes $p_i$ larger. If it does harm, $p_i$ becomes
//! smaller. The other experts were not computed, so nothing is known about them.
//!
//! {no results} **By hand.** Two experts have the scores 1 and 0, so $p_1 = e / (e + 1) = 0.73$,
//! and the output is $0.73 \, f_1(x)$. If it should be larger, the gradient lifts $p_1$: the first
//! score rises, and the second falls, although the second expert was not asked.
Loss by_choice() {
    return [](const Sorter& sorter, const Tokens& t, const Tensor& s, Rng&) {
        const Tensor chosen = chosen_experts(s, 1);  // [N, E]: 1 for the best, 0 for the others
        return mean(square(sorter(t.x, chosen, softmax(s) * chosen) - t.y));
    };
}

//! ## Idle experts
//!
//! Now train. At first the router knows nothing, and the common part of all tokens decides: nearly
//! all of them go to the same few experts. These experts get gradients, and the others get none.
//! Shazeer et al. (2017) describe what one expects next. An expert that is trained becomes better,
//! so the router sends it even more tokens. An expert without tokens learns nothing, so it stays
//! bad. The rich get richer. A *collapse of experts* is a state in which a few experts get nearly
//! all tokens.
//!
//! We count how many experts are in use. Let $g_i$ be the share of the tokens that go to expert
//! $i$. The entropy of these shares is $H = -\sum_i g_i \ln g_i$ (lesson {probabilities}), and
//! $\exp(H)$ is the *effective number of experts*: 8 if all have the same share, and 1 if one
//! expert has everything. If two experts have half of the tokens each, $H = \ln 2$, and the number
//! is 2.
constexpr double common = 3;

Means train_without_balance(Lesson& lesson, int steps, int tasks) {
    lesson.heading("Idle experts");
    const Prediction guess = lesson.predict(
        "Of eight experts, how many still have more than 2 % of the tokens after training?",
        within(1).from(0, 8));
    const Means means =
        train_sorters({.name = "no balance", .loss = by_choice, .by_probability = true}, common,
                      steps, tasks, lesson.seed());
    lesson.reveal(guess, means.experts);
    claim_collapse(lesson, means);
    return means;
}

//! {if all collapsed-experts < 7.5} Over ten tasks, each with new kinds and new initial weights,
//! {collapsed-experts:1} experts are in use on average (from seed to seed
//! {collapsed-experts:range}), and the effective number is {collapsed-effective:1}. {if all
//! collapsed-experts > 4.5 and collapsed-experts < 6.5} In the strict sense this is no collapse:
//! the training has even spread the tokens, as we shall see. But two or three experts of eight
//! stand idle, so others have to serve several kinds. An expert that gets two kinds can learn
//! neither rotation exactly, only a compromise. The error is {collapsed-error:2}, where the answer
//! 0 would have 1.

//! ## A loss for balance
//!
//! We want all experts to be used. The share $g_i$ itself has no derivative, because it counts
//! choices. So Fedus et al. use a second number beside it:
//!
//! - $g_i$ is the share of the tokens of a batch that **go** to expert $i$;
//! - $P_i$ is the mean of the probability $p_i$ over the same tokens. It has a derivative.
//!
//! The *balance loss* is large when the experts that get many tokens also have large probabilities.
//! Its gradient moves probability from full experts to empty ones:
//!
//! $$ B = E \sum_{i=1}^{E} g_i \, P_i . $$
//!
//! The shares $g_i$ are constants here, and $P_i$ is a mean over $N$ tokens. So the probability
//! $p_i$ of one token has the gradient $E g_i / N$. Through the softmax (lesson {probabilities})
//! the score $s_j$ of this token gets
//!
//! $$ \frac{\partial B}{\partial s_j} = \frac{E}{N} \, p_j \Big(g_j - \sum_i p_i g_i\Big) . $$
//!
//! The sum is the mean share, weighted by this token's probabilities. The score of an expert with a
//! larger share falls, and that of one with a smaller share rises. If all shares are equal, the
//! push stops: the $P_i$ sum to 1, so $B = 1$ whatever they are. If one expert has everything with
//! certainty, $B = E$. A small multiple of $B$ is added to the loss of the task.
//!
//! {no results} **By hand.** Two experts, four tokens. Three tokens go to the first expert, so $g =
//! (0.75, 0.25)$. The mean probabilities are $P = (0.6, 0.4)$. Then $B = 2 \cdot (0.75 \cdot 0.6 +
//! 0.25 \cdot 0.4) = 1.1$. A token with $p = (0.6, 0.4)$ has the mean share $0.6 \cdot 0.75 + 0.4
//! \cdot 0.25 = 0.55$. The gradient of its first score is $\frac{2}{4} \cdot 0.6 \cdot (0.75 -
//! 0.55) = 0.06$, that of its second $\frac{2}{4} \cdot 0.4 \cdot (0.25 - 0.55) = -0.06$. A step
//! against the gradient moves probability to the second expert.
Tensor balance(const Tensor& s) {                                 // scores [N, E]
    const Tensor shares = mean(detach(chosen_experts(s, 1)), 0);  // g [E]
    const Tensor probability = mean(softmax(s), 0);               // P [E]
    return static_cast<double>(s.size(1)) * sum(shares * probability);
}

std::function<Loss()> with_balance(Loss (*task)(), double weight = 0.1) {
    return [=] {
        return [task = task(), weight](const Sorter& sorter, const Tokens& tokens,
                                       const Tensor& scores, Rng& rng) {
            return task(sorter, tokens, scores, rng) + weight * balance(scores);
        };
    };
}

Means train_with_balance(Lesson& lesson, const Means& without, int steps, int tasks) {
    lesson.heading("A loss for balance");
    Rng rng(lesson.seed());
    const Tensor s = normal({100, 8}, 0, 2, rng, Dtype::float64).set_requires_grad();
    lesson.claim("same-balance", "identity: gradient of the balance loss above, and the library's",
                 max(abs(grad(balance(s), {s})[0] - grad(balance_loss(s, 1), {s})[0])).item(),
                 at_most(1e-12));
    const Means means =
        train_sorters({.name = "balance", .loss = with_balance(by_choice), .by_probability = true},
                      common, steps, tasks, lesson.seed());
    show_balance(lesson, without, means);
    return means;
}

//! {if all balanced-experts > 7.5} With the balance loss times {no results} 0.1, the same tasks
//! end with {balanced-experts:2} experts in use. {if all balanced-error < collapsed-error / 3}
//! The error falls to {balanced-error:3}. In the picture each kind has an expert of its own. The
//! balance loss asks only for equal shares. That each share is **one kind** comes from the loss
//! of the task.
//!
//! Did the rich get richer? Not for long. The curve without balance starts low, because at first
//! the common part decides. It rises, falls again, perhaps because for a while the rich do get
//! richer, and then climbs. And in the first two pictures, look for the fullest column: an expert
//! that is full before training need not be full after it. A full expert serves many kinds. Where
//! it does harm, its $p_i$ falls, so through the softmax those of the other experts rise, until
//! another expert wins. The tokens spread out, but not completely.

//! ![Train eight experts while you drag. Where does the weight of the balance loss begin to help, and what happens when the tokens have nothing in common?](live:balance)
//!
//! ## Other gradients
//!
//! Lesson {reinforce} has three more ways to learn a choice. All of them can train a router.
//!
//! **The whole mixture.** Compute all experts, weigh them by their probabilities, and choose only
//! after the training. Everything is smooth.
Loss by_mixture() {
    return [](const Sorter& sorter, const Tokens& t, const Tensor& s, Rng&) {
        return mean(square(sorter(t.x, ones_like(s), softmax(s)) - t.y));
    };
}

//! **Straight-through.** Draw one expert, and use its output alone. In the backward pass pretend
//! that the output had been the mixture. For this the other experts have to be computed as well.
Loss by_straight_through() {
    return [](const Sorter& sorter, const Tokens& t, const Tensor& s, Rng& rng) {
        const Indices drawn = sample_categorical(detach(s), rng).indices;
        return mean(square(sorter(t.x, ones_like(s), straight_through(softmax(s), drawn)) - t.y));
    };
}

//! **REINFORCE.** Draw one expert, compute it alone, and multiply its loss by the gradient of the
//! log-probability. A moving average of the losses is the baseline.
Loss by_reinforce() {
    return [average = MovingAverage()](const Sorter& sorter, const Tokens& t, const Tensor& s,
                                       Rng& rng) mutable {
        const CategoricalSample drawn = sample_categorical(s, rng);
        const Tensor one = one_hot(drawn.indices, kinds);
        const Tensor each = mean(square(sorter(t.x, one, one) - t.y), 1);  // a loss for each token
        const Tensor loss = reinforce(each, drawn.log_prob, scalar(average.value));
        average.update(each);
        return loss;
    };
}

void compare_rules(Lesson& lesson, const Means& choice, int steps, int tasks) {
    lesson.heading("Other gradients");
    const Prediction guess = lesson.predict(
        "All four get the same balance loss. Which of them ends with the largest error?",
        {"choice", "whole mixture", "straight-through", "REINFORCE"});
    const auto train = [&](Loss (*loss)()) {
        return train_sorters({.name = "other", .loss = with_balance(loss)}, common, steps, tasks,
                             lesson.seed());
    };
    const std::vector<std::pair<std::string, Means>> all{
        {"choice", choice},
        {"whole mixture", train(by_mixture)},
        {"straight-through", train(by_straight_through)},
        {"REINFORCE", train(by_reinforce)}};
    lesson.reveal(guess, show_rules(lesson, all));
}

//! {if all mixture-error > reinforce-error} The whole mixture, with the smoothest gradient of all,
//! is the worst: its error is {mixture-error:2}. As a mixture it is good, with an error of
//! {mixture-as-trained:2}. But it has learned to answer with several experts together, and one of
//! them alone is not the answer. {if all straight-error < 0.1 and balanced-error < 0.1} The plain
//! choice and straight-through both come near 0. But straight-through computes all eight experts,
//! like the whole mixture, so it saves nothing in training. {if all reinforce-error >
//! balanced-error + 0.1} REINFORCE also computes one expert for each token, but its error is
//! {reinforce-error:2}; its noisy gradient may be the reason. It also leaves more idle:
//! {reinforce-experts:1} experts are in use.

//! ## What are the parameters worth?
//!
//! Compare experts with a network of the **same work**, and with one of the **same number of
//! parameters**.
//!
//! We let them learn facts by heart. There are 96 names on the left and 96 on the right. For each
//! of the 9,216 pairs, one of 32 answers is drawn at random, so a guess is right once in 32.
//! Nothing can be understood here; each fact has to be stored. The embeddings of both names are
//! added and pass through one feed-forward network of width 32 with a residual connection. Five
//! networks compete:
//!
//! - **small**: 32 hidden units;
//! - **1 of 8 experts**, each as large as the small network;
//! - the same with a **router that is not trained**. It keeps its random initial weights, nearly
//!   the fixed rule from above;
//! - **2 of 16 experts**, each half as large, so that a token costs nearly the same;
//! - **large**: 256 hidden units.
//!
//! {no results} The two trained routers have the balance loss, too, now times 0.01.
std::vector<Learned> store_facts(Lesson& lesson, int steps) {
    lesson.heading("What are the parameters worth?");
    const Prediction guess = lesson.predict(
        "1 of 8 experts: is the share of facts that it knows nearer to that of the small network, "
        "or to that of the large one?",
        {"small", "large"});
    const std::vector<Learned> all = learn_all_facts(lesson, networks(32), steps);
    show_facts(lesson, all);
    const double small = all[0].right, one = all[2].right, large = all[4].right;
    lesson.reveal(guess, one - small < large - one ? "small" : "large");
    return all;
}

//! {if all facts-one > facts-small + 0.2} The small network knows {facts-small:%} of the facts, and
//! 1 of 8 experts {facts-one:%}, for {work-ratio:2} times the work: the router has its price. So
//! most of the parameters count, although a token sees few of them. {if all facts-large >
//! facts-one} The large network knows more, {facts-large:%}, with nearly the same number of
//! parameters and {work-large:1} times the work. So after this training an expert's parameter is
//! worth a little less than one that every token uses. Two things are mixed in this: what a network
//! can hold, and how fast it learns.
//!
//! {if all facts-frozen > facts-small + 0.2} The router that is not trained gets {facts-frozen:%}.
//! (The embeddings are, so its choices may still have changed.) For learning by heart, then, it
//! matters most to have the parameters at all. To choose well adds only a little. {if all facts-two
//! > facts-one} Two half experts know slightly more than one whole expert, {facts-two:%}.
//!
//! Here two things differ. 16 experts form 120 pairs, where 8 experts offer 8 choices. And the
//! output has another scale: with $k = 1$ it is multiplied by $p_i$, which is far below 1 before
//! training, while the weights of two experts sum to 1. We shall tell the two apart.
//!
//! Large models have gone on in this direction. DeepSeekMoE (Dai et al. 2024) cuts the experts into
//! smaller ones, uses more of them for a token, and adds shared experts, which every token uses. In
//! DeepSeek-V3 (2024) nearly every layer has 256 small experts, of which a token uses 8, and one
//! shared expert. {no results} Of its 671 billion parameters a token uses 37 billion.

//! ## Loss on text, and time
//!
//! Facts drawn at random are the best case for experts. So we also train language models (lesson
//! {language_model}) on English sentences. They have two layers of width 32. Only the feed-forward
//! networks differ. The small one has 16 hidden units.
std::vector<double> read_text(Lesson& lesson, int steps) {
    lesson.heading("Loss on text, and time");
    const std::vector<double> losses = learn_all_texts(lesson, networks(16), steps);
    show_texts_and_times(lesson, networks(16), losses, networks(1024));
    return losses;
}

//! {if all text-two < text-small} {full run} On text, 2 of 16 experts reach a loss of {text-two:2}
//! nats (lesson {probabilities}), and the small network of the same work {text-small:2}. 1 of 8 has
//! {text-one:2}, and it lies between the two in {count text-two < text-one and text-one <
//! text-small} runs; in the others, perhaps in yours, it is behind the small network. {full run} In
//! {count text-two < text-large} runs 2 of 16 experts are ahead of the large network, which has
//! {text-large:2}. Up to 15 of 20 may be a coin (lesson {modern_block}), and all five were trained
//! for only a few hundred steps. {if text-frozen > text-small} {full run} The router that was not
//! trained is of no use here. Its loss is {text-frozen:2}. In {count text-frozen > text-small} runs
//! it is behind the small network, and in {count text-frozen > text-one} behind the trained router.
//!
//! {full run} And the time? With {no results} 1,024 hidden units in the small network and in each
//! expert, 1 of 8 experts takes {time-experts:1} times as long as the small network (in our kept
//! runs {time-experts:range 1}), and the large network {time-large:1} times ({time-large:range 1}).
//! Such short times vary much. In networks as small as those that learned the facts, little or
//! nothing is left of the factor 8: see the last column of their table.
//!
//! ## Scale, or choice?
//!
//! The output of 1 of 8 is multiplied by a small $p_i$, with either router, and that of 2 of 16 is
//! not. Perhaps scale alone makes the order of both tables. So we train two of them again: 2 of 16
//! times its $p_i$, and the random router with all its weights times {no results} 300. It chooses as
//! before, but its $p_i$ is 1.
void tell_apart(Lesson& lesson, const std::vector<Learned>& facts,
                const std::vector<double>& losses) {
    lesson.heading("Scale, or choice?");
    show_scale(lesson, facts, losses);
}

}  // namespace

}  // namespace heed::lesson34

//! {if text-two-scaled < text-small and text-two < text-two-scaled} {full run} Multiplied by $p$,
//! 2 of 16 has a loss of {text-two-scaled:2} on text, not {text-two:2}. It is still ahead of the
//! small network in {count text-two-scaled < text-small} runs, but of 1 of 8 only in {count
//! text-two-scaled < text-one}. So much of its lead was scale, and what is left may be a coin. {if
//! text-frozen-whole > text-frozen - 0.05} {full run} The random router has {text-frozen-whole:2}
//! with the full scale and {text-frozen:2} without: its bad place comes from its choice. And for
//! facts the scale hardly counts: 2 of 16 knows {facts-two-scaled:%} times $p$, {facts-two:%}
//! without.
//!
//! ## What this does not show
//!
//! The memory does not shrink. All experts have to be kept, and a large batch touches all of them.
//! When a model generates one token after another, the time is spent on reading weights from memory
//! (lesson {fast_decoding}), so there the gain is real for one user and smaller for many. In large
//! clusters the experts are on different machines, tokens are sent to them, and all wait for the
//! slowest expert. Fedus et al. therefore limit the number of tokens for each expert; the layer
//! leaves out the tokens above the limit.
//!
//! Our kinds are clean and equally frequent. In real text some kinds are rare, and a balance loss
//! forces rare and frequent ones into equal shares; it works against the task there, which is why
//! its factor is kept small. Wang et al. (2024) add a number to the scores of experts that are used
//! too little, for the choice only and not for the weights. DeepSeek-V3 does so, and keeps a very
//! small balance loss within each sequence. What the experts of large language models specialise in
//! is less clear than the name suggests: in Mixtral, Jiang et al. found hardly any topics, and some
//! syntax.
//!
//! Sources: Shazeer et al., "Outrageously large neural networks: the sparsely-gated
//! mixture-of-experts layer" (2017), sections 2 to 4; Fedus, Zoph and Shazeer, "Switch
//! Transformers" (2022), sections 2.1 and 2.2; Jiang et al., "Mixtral of experts" (2024), sections
//! 2.1 and 5; Roller et al., "Hash layers for large sparse models" (2021), on routers that are not
//! trained; Wang et al., "Auxiliary-loss-free load balancing strategy for mixture-of-experts"
//! (2024); Dai et al., "DeepSeekMoE" (2024), section 3; DeepSeek-AI, "DeepSeek-V3 technical report"
//! (2024), section 2.1.2. The idea is older: Jacobs et al., "Adaptive mixtures of local experts"
//! (1991).
//!
//! ## Summary
//!
//! 1. A router chooses $k$ of $E$ experts for each token, so the work grows with $k$ and the
//!    parameters with $E$.
//! 2. The choice has no derivative. The weights of the chosen experts have one, and that is enough.
//! 3. {if all balanced-experts > collapsed-experts} Without balance only some of the experts are
//!    used: {collapsed-experts:1} of 8 at the end. A balance loss repairs this.
//! 4. {if all facts-one > facts-small} For nearly the same work experts know {facts-one:%} of the
//!    facts, a plain network {facts-small:%}, and one with all the parameters in use
//!    {facts-large:%}. {if all text-gain > 0} On text 1 of 8 gains little,
//!    a loss of {text-one:2} against {text-small:2}, and 2 of 16 as much as the large network:
//!    {text-two:2}, where that has {text-large:2}.
//! 5. Multiply-adds are saved at once, time only where matrices are large, and memory never: all
//!    parameters must still be fetched. That is the bill of lesson {fast_decoding}.
//!
//! ## Try this next
//!
//! 1. Set `common` to 0. Is the balance loss still needed?
//! 2. In `Kinds::draw`, make one kind ten times as frequent as the others. What does the balance
//!    loss do to the error now?
//! 3. In `networks`, add 4 of 32 experts of a quarter of the size. Are they better still?
//! 4. In `by_choice`, leave the factor `softmax(s) * chosen` out of the output. Which gradient does
//!    the router then get, and where does it send the tokens?
using namespace heed;
using namespace heed::lesson34;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 34,
         .name = "experts",
         .title = "Can parameters grow without work?",
         .question = "Can a network have eight times the parameters for the same work?",
         .own_data = "random tokens, random facts and the English sentences of the course",
         .trains = false});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training for each sorter (800; quick 400)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 400 : 800;
        const int tasks = lesson.quick() ? 4 : 10;
        show_the_idea(lesson);
        check_by_hand(lesson);
        const Means without = train_without_balance(lesson, steps, tasks);
        const Means with = train_with_balance(lesson, without, steps, tasks);
        compare_rules(lesson, with, steps, tasks);
        const std::vector<Learned> facts = store_facts(lesson, lesson.quick() ? 500 : 2000);
        if (lesson.quick()) return;
        const std::vector<double> losses = read_text(lesson, 400);
        tell_apart(lesson, facts, losses);
    });
}
