//! # What is today's block?
//!
//! Open the file of GPT-2, published in 2019, and you find the block of lesson {language_model}:
//! norm, attention, norm, feed-forward network. Open the file of Llama 2, published in 2023. There
//! are again a norm, attention, a norm, a feed-forward network. But the norm does not subtract the
//! mean and has no bias, the network has a third matrix, the table of positions is gone, and in the
//! largest model eight queries share one key. Most open models since then look like this.
//!
//! Which of these changes make the model better? The authors of Llama name three of them, the norm,
//! the network and the positions, each in a sentence or two with the paper that it is from. They do
//! not mention that the biases are gone. The shared keys are compared in the appendix of Llama 2.
//! And Noam Shazeer's paper on the network ends like this: "We offer no explanation as to why these
//! architectures seem to work; we attribute their success, as all else, to divine benevolence."
//!
//! We could simply train both blocks. We do, and the new one wins. That says nothing about the five
//! changes: perhaps one of them does all the work, and the others are fashion. So we go from the
//! old block to the new one and change one thing at a time. Each model has as many parameters and
//! reads as much text as the first. And since the loss depends on the initial weights, we train the
//! first block twice, and repeat everything with twenty seeds. We say that a change has an effect
//! only if the loss moves in the same direction with nearly all of them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/heads/latent_attention.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/32_modern_block/experiment.h"
#include "lessons/32_modern_block/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson32 {

using namespace course;

namespace {

void show_blocks(Lesson& lesson) {
    lesson.show(
        "blocks", two_blocks(),
        "The two blocks, compared box by box. Strong: what has changed. The sums and the residual "
        "connections on the left are the same.");
}

//! ## A norm that does not subtract the mean
//!
//! The layer norm of lesson {transformer} subtracts the mean of a vector, divides by the standard
//! deviation, then multiplies each number by a learned weight and adds a learned bias. Zhang and
//! Sennrich (2019) asked which part of it helps, and left out the mean. We add $\epsilon$:
//!
//! $$ \mathrm{rms}(x) = \sqrt{\frac{1}{D} \sum_{i=1}^{D} x_i^2 + \epsilon}, \qquad
//!    y_i = \frac{x_i}{\mathrm{rms}(x)} \, w_i . $$
//!
//! $D$ is the width, $w$ the learned weight, and $\epsilon$ a small number such as $10^{-5}$ that
//! keeps the division possible when $x$ is 0. This is the *RMS norm*, which divides a vector by the
//! root of its mean square. It needs one sum over the vector instead of two, and half of the
//! parameters.
//!
//! {no results} **By hand.** For $x = (3, 4)$ the mean square is $(9 + 16) / 2 = 12.5$, and its
//! root 3.536. So $y = (0.849, 1.131)$. The layer norm subtracts the mean 3.5, which leaves $(-0.5,
//! 0.5)$, and divides by 0.5: $(-1, 1)$. Ten times the vector, $(30, 40)$, gives the same results
//! in both norms, here with $\epsilon = 0$. But add 10 to both numbers. The layer norm of $(13,
//! 14)$ is $(-1, 1)$ again. The RMS norm is $(0.962, 1.036)$: it notices the shift.
//!
//! A layer norm is thus an RMS norm of the vector that is left when the mean is subtracted. But the
//! mean is only one of $D$ directions. Whether the norm removes it should hardly matter, so why pay
//! for it?
Tensor my_rms_norm(const Tensor& x, const Tensor& weight, double eps) {  // [..., D]
    return x / sqrt(mean(x * x, -1, true) + eps) * weight;
}

void compare_norms(Lesson& lesson) {
    lesson.heading("A norm that does not subtract the mean");
    show_norms(lesson);
    const Tensor one = tensor({1, 1}, Dtype::float64), x = tensor({3, 4}, Dtype::float64);
    lesson.claim("rms-by-hand", "identity: RMS norm of (3, 4) against the numbers by hand",
                 gap_between(my_rms_norm(x, one, 0), tensor({0.849, 1.131}, Dtype::float64)),
                 at_most(0.0005));
    Rng rng(lesson.seed());
    const Tensor rows = normal({5, 16}, 1, 2, rng, Dtype::float64),
                 w = normal({16}, 1, 0.3, rng, Dtype::float64);
    lesson.claim("rms-scaled", "identity: RMS norm of 10 x against that of x",
                 gap_between(my_rms_norm(rows * 10, w, 0), my_rms_norm(rows, w, 0)),
                 at_most(1e-12));
    lesson.claim("layer-norm-is-rms",
                 "identity: RMS norm of x minus its mean against the library's layer norm",
                 gap_between(my_rms_norm(rows - mean(rows, -1, true), w, 1e-5),
                             layer_norm(rows, w, {}, 1e-5)),
                 at_most(1e-12));
}

//! ## A gate for each hidden unit
//!
//! A hidden unit of GPT's network computes one number from the vector $x$ of a token, a dot
//! product, and applies an activation function: $\mathrm{gelu}(w \cdot x)$. So a unit says how much
//! of one thing is there. "A noun, and the subject of the sentence" is two things. What would a
//! unit look like that says “and”? It could be a product, which is 0 as soon as one of its two
//! factors is 0. (That a network needs this “and” is our guess, and not an explanation that anyone
//! has shown.)
//!
//! A *gated unit* multiplies two dot products. One of them is a gate, as in the cells of lesson
//! {recurrence}: it goes through an activation function and says how far the unit is open. Unlike
//! the gates there it is no share: it can be larger than 1, and slightly negative. The other is
//! what passes through the gate:
//!
//! $$ h = \mathrm{silu}(W x) \odot (V x), \qquad \text{output} = W_2 h, \qquad
//!    \mathrm{silu}(z) = \frac{z}{1 + e^{-z}} . $$
//!
//! $W$ is the gate, and $V$ computes what passes through. Both have the size $F \times D$ for $F$
//! hidden units, $W_2$ has $D \times F$, and $\odot$ multiplies element by element. The function
//! silu is the swish of lesson {speech}. It is near 0 for very negative numbers, near $z$ for large
//! ones, and a little below 0 between, much like gelu. Shazeer (2020) calls the network *SwiGLU*.
//! The GLU in the name is the gated linear unit of Dauphin et al. (2017), whose gate was a sigmoid.
//!
//! {no results} **By hand.** Let a unit have the row $(1, -1)$ in $W$ and $(2, 1)$ in $V$. For $x =
//! (2, 1)$ the gate is $\mathrm{silu}(1) = 1 / (1 + e^{-1}) = 0.731$, and $2 \cdot 2 + 1 = 5$
//! passes through it: $h = 3.655$. For $x = (1, 2)$ the gate is $\mathrm{silu}(-1) = -0.269$, so
//! the 4 becomes $-1.076$: this gate turns the sign. For $x = (1, 5)$ it is $\mathrm{silu}(-4) =
//! -0.072$, almost closed.
//!
//! Three matrices of size $F D$ instead of two would mean one and a half times as many parameters.
//! To compare fairly, the gated network gets two thirds of the hidden units: instead of $4 D$ about
//! $\tfrac83 D$. Fewer units, but each can say “and”.
Tensor gated(const FeedForward& network, const Tensor& x) {  // [T, D] -> [T, D]
    const Tensor z = linear(x, network.gate.weight), open = z / (1 + exp(-z));
    return linear(open * linear(x, network.hidden.weight), network.output.weight);
}

void open_gates(Lesson& lesson) {
    lesson.heading("A gate for each hidden unit");
    show_activations(lesson);
    FeedForward unit;  // one of them, with W₂ = 1
    unit.gate.weight = tensor({1, -1}, {1, 2}, Dtype::float64);
    unit.hidden.weight = tensor({2, 1}, {1, 2}, Dtype::float64);
    unit.output.weight = tensor({1}, {1, 1}, Dtype::float64);
    lesson.claim("gate-by-hand", "identity: three values of a gated unit against those by hand",
                 gap_between(gated(unit, tensor({2, 1, 1, 2, 1, 5}, {3, 2}, Dtype::float64)),
                             tensor({3.655, -1.076, -0.504}, {3, 1}, Dtype::float64)),
                 at_most(0.001));
}

//! ## What has gone
//!
//! **The table of positions.** Llama rotates queries and keys, the rotary positions of lesson
//! {positions}. Nothing is added to the embeddings, nothing about positions has to be learned, and
//! of the two positions, a score feels only the distance. A table of 32 learned positions has to
//! learn 32 times what "the character before" means.
//!
//! **The biases.** No matrix and no norm has one. A bias adds the same number for every token. In
//! our models below, one weight in seventy is a bias, so we expect no difference.
//!
//! ## One key for several queries
//!
//! The last change is not for the loss. When a model generates text, it stores keys and values of
//! all earlier tokens in a cache (lesson {language_model}). With $L$ layers, $G$ heads of keys and
//! values and heads of width $d$ these are, for each token,
//!
//! $$ 2 \, L \, G \, d \;\; \text{numbers}. $$
//!
//! {no results} In Llama 2 70B, $L = 80$ and $d = 128$, and there are 64 heads of queries. With as
//! many heads of keys and numbers of 2 bytes, a token costs $2 \cdot 80 \cdot 64 \cdot 128 \cdot 2
//! = 2{,}621{,}440$ bytes. All of it is read again for every new token. Why reading costs more time
//! than multiplying is a question for lesson {fast_decoding}.
//!
//! Do 64 heads need 64 different keys? Shazeer (2019) tried one for all of them, *multi-query
//! attention*. Each head still has its own queries, so each looks somewhere else, but all look at
//! the same keys and take from the same values. Ainslie et al. (2023) went half of the way back.
//! With *grouped queries* the $H$ heads form $G$ groups, and the $H / G$ heads of a group share
//! keys and values. $G = H$ is the attention that we know, $G = 1$ multi-query attention:
//!
//! $$ C_h = \mathrm{softmax}\Big( \frac{Q_h K_g^\top}{\sqrt{d}} \Big) V_g, \qquad
//!    g = \lfloor h \, G / H \rfloor . $$
//!
//! Here $\lfloor \; \rfloor$ rounds down. With $H = 4$ and $G = 2$, heads 0 and 1 read group 0,
//! heads 2 and 3 read group 1. Neighbouring heads share a group; this is a convention of the
//! published files. A program that assigns the groups in turn, 0, 1, 0, 1, runs as well, but it
//! reads those files wrongly.
Tensor grouped(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, int64_t H) {
    const int64_t d = q.size(1) / H, G = k.size(1) / d;
    const auto columns = [&](const Tensor& x, int64_t i) {
        return slice(x, 1, i * d, (i + 1) * d);
    };
    std::vector<Tensor> contexts;
    for (int64_t h = 0; h < H; ++h) {
        const int64_t g = h * G / H;
        const Tensor scores = matmul(columns(q, h), transpose(columns(k, g))) / std::sqrt(1.0 * d);
        contexts.push_back(matmul(masked_softmax(scores, mask), columns(v, g)));
    }
    return concat(contexts, 1);  // [T, H d]
}

void compare_groups(Lesson& lesson) {
    lesson.heading("One key for several queries");
    lesson.show(
        "groups", three_groupings(),
        "Four heads of queries and what they read. Blue: the keys and values that the cache "
        "holds for each token, all of them, a half, and a quarter.");
    Rng rng(lesson.seed());
    const Tensor x = normal({6, 32}, 0, 1, rng, Dtype::float64), past = causal_mask(6, x.dtype());
    double apart = 0;
    for (const int64_t groups : {1, 2, 4}) {
        MultiHead layer({.width = 32, .heads = 4, .key_value_heads = groups}, rng);
        to_dtype(layer, Dtype::float64);
        const Tensor mine =
            layer.output(grouped(layer.query(x), layer.key(x), layer.value(x), past, 4));
        const Tensor all = unsqueeze(x, 0);
        apart = std::max(apart,
                         gap_between(mine, select(layer(all, all, all, {.causal = true}), 0, 0)));
    }
    lesson.claim("grouped-by-hand",
                 "identity: grouped queries by hand against the library, 1, 2 and 4 groups", apart,
                 at_most(1e-12));

    // One group: the queries of all heads, one below the other, are queries of a single head.
    const Tensor q = normal({6, 32}, 0, 1, rng, Dtype::float64),
                 k = normal({6, 8}, 0, 1, rng, Dtype::float64);
    const Tensor rows = reshape(q, {24, 8});
    const Tensor one = matmul(softmax(matmul(rows, transpose(k)) / std::sqrt(8.0)), k);
    lesson.claim("one-group", "identity: one group against a single head that has all the queries",
                 gap_between(grouped(q, k, k, ones({6, 6}, x.dtype()), 4), reshape(one, {6, 32})),
                 at_most(1e-12));
    // Four groups: the multi-head attention of earlier lessons, from the same random numbers.
    Rng same(7), again(7);
    const MultiHead four({.width = 32, .heads = 4, .key_value_heads = 4}, same),
        plain({.width = 32, .heads = 4}, again);
    const Tensor y = to_dtype(unsqueeze(x, 0), Dtype::float32);
    lesson.claim("all-groups", "identity: as many groups as heads against multi-head attention",
                 gap_between(four(y, y, y), plain(y, y, y)), equals(0));
}

//! ## The whole model
//!
//! Compare this with `gpt_by_hand` in lesson {language_model}: it has as many lines. In each block
//!
//! $$ x \leftarrow x + \mathrm{attention}(\mathrm{rms}(x)), \qquad
//!    x \leftarrow x + W_2 \big( \mathrm{silu}(W r) \odot V r \big), \quad r = \mathrm{rms}(x) . $$
Tensor llama_by_hand(const LanguageModel& model, const Indices& ids) {  // [T] -> [T, V]
    const Tensor past = causal_mask(ids.count(), model.embedding.weight.dtype());
    Tensor x = model.embedding(ids);  // [T, D]
    for (const TransformerEncoderLayer& layer : model.stack.layers) {
        const MultiHead& heads = layer.attention.multi_head;
        const auto norm = [&](const LayerNorm& of) { return my_rms_norm(x, of.weight, of.eps); };
        const auto rotated = [&](const Tensor& all) {  // each head of it
            const int64_t width = x.size(1) / heads.heads, count = all.size(1) / width;
            const Tensor split = transpose(reshape(all, {x.size(0), count, width}), 0, 1);
            const Tensor turned = rotary(split, 0, 10000, RotaryLayout::halves);
            return reshape(transpose(turned, 0, 1), all.shape());
        };
        const Tensor y = norm(layer.attention_residual.norm);
        x = x + heads.output(grouped(rotated(heads.query(y)), rotated(heads.key(y)), heads.value(y),
                                     past, heads.heads));
        x = x + gated(layer.feed_forward, norm(layer.feed_forward_residual.norm));
    }
    return linear(my_rms_norm(x, model.stack.norm.weight, model.stack.norm.eps),
                  model.embedding.weight);
}

void check_the_model(Lesson& lesson) {
    lesson.heading("The whole model");
    Rng rng(lesson.seed());
    LanguageModel model(
        {.vocabulary = 20,
         .stack = llama({.width = 32, .heads = 4, .layers = 2, .key_value_heads = 2})},
        rng);
    to_dtype(model, Dtype::float64);
    const Indices ids({3, 1, 4, 1, 5, 9, 2, 6}, {1, 8});
    lesson.claim("llama-by-hand", "identity: logits by hand against the library's",
                 gap_between(llama_by_hand(model, ids.reshaped({8})), select(model(ids), 0, 0)),
                 at_most(1e-12));
    const Published& seven = published_models()[0];
    lesson.claim(
        "llama-parameters", "identity: parameters of Llama 2 7B by the same options",
        static_cast<double>(parameter_count(LanguageModelOptions{
            .vocabulary = seven.vocabulary, .stack = llama(seven.size), .tied_output = false})),
        equals(6'738'415'616));
}

//! With the published sizes, these options give the 6,738,415,616 parameters of Llama 2 7B.
//!
//! ## One change at a time
//!
//! {no results} The text is the English half of the course's corpus in characters, as in lesson
//! {language_model}. A model has two blocks of width 64, 4 heads and 104,000 parameters; where a
//! change saves parameters, the network gets more hidden units. Each is trained for 300 steps of 16
//! pieces of 32 characters, with the same pieces in the same order. So none of them has finished
//! learning: we see who learns faster.
//!
//! {no results} When do we say that a change has an effect? We count in how many of the twenty
//! seeds it helps. If it made no difference, each run would be a coin toss. {no results} With the
//! probability 0.012, 16 or more of 20 tosses show the same side. So our bar is the same direction
//! in 16 runs. With two numbers of groups, the five changes are six comparisons. They share runs,
//! so a lucky run can count in several.
//!
//! {code experiment.cpp train_blocks}
std::vector<Trained> compare_blocks(Lesson& lesson, const Sizes& sizes) {
    lesson.heading("One change at a time");
    const std::vector<std::string> changes{"RMS norm", "SwiGLU", "rotary positions", "no biases"};
    const Prediction guess = lesson.predict("Which change lowers the loss most?", changes);
    const Prediction price = lesson.predict(
        "One key for four queries instead of four. What does it cost, in nats a character?",
        within(0.03).from(-5, 5));
    const std::vector<Trained> all =
        train_blocks(lesson, english(lesson.seed(), lesson.quick() ? 2000 : 6000), sizes);
    show_losses(lesson, all);
    double apart = 0;
    for (const Trained& one : all)
        apart = std::max(apart, std::fabs(one.parameters / all[0].parameters - 1));
    const std::vector<double> gains = gains_of(all);  // of the first four changes
    const auto largest = std::max_element(gains.begin(), gains.end()) - gains.begin();
    lesson.reveal(guess, changes[static_cast<std::size_t>(largest)]);
    lesson.reveal(price, all[6].loss - all[4].loss);

    lesson.claim("parameters-apart", "identity: parameters of a block over those of GPT's, minus 1",
                 apart, at_most(0.01));
    lesson.claim("cache-four-groups", "identity: bytes of the cache for a token, 4 groups",
                 all[4].cache, equals(2 * 2 * 4 * 16 * 4));
    lesson.claim("cache-two-groups", "identity: bytes of the cache for a token, 2 groups",
                 all[5].cache, equals(2 * 2 * 2 * 16 * 4));
    lesson.claim("cache-one-group", "identity: bytes of the cache for a token, 1 group",
                 all[6].cache, equals(2 * 2 * 1 * 16 * 4));
    if (!lesson.quick()) claim_gains(lesson, all);
    show_gains(lesson);
    return all;
}

//! In the figure, read the count first: our bar is 16 of 20. The grey row shows how far one single
//! run can mislead: it compares GPT's block with itself. For Llama's block we have no such row. All
//! of this is after 300 steps. After 40, SwiGLU may still be behind GELU.
//!
//! {if all rotary-gain > 0.15} {full run} Rotary positions save {rotary-gain:2} nats a character.
//! That is most of the way from GPT's {loss-gpt:2} to Llama's {loss-llama:2}. We suppose that the
//! reason is the one given above: the table of positions has to be learned, and 300 steps are few.
//! {if all
//! swiglu-gain-last > 0.02} {full run} SwiGLU comes second, with {swiglu-gain-last:2} against GELU
//! in Llama's block. In the block with learned positions, third row of the table, it saves
//! {swiglu-gain:2}, and from seed to seed {swiglu-gain:range 2}.
//!
//! {full run} Other initial weights alone change the loss of GPT's block, by {other-weights:range
//! 2} from seed to seed. {if rms-gain < 0.05 and rms-gain + 0.05 > 0} The RMS norm saves
//! {rms-gain:range 2}, and a negative number is a loss. With one run you would have reported that
//! it helps, or that it harms. With twenty you see that it cannot be told apart from chance. Zhang
//! and Sennrich claimed no more than that: the same quality for less work.
//!
//! {if no-biases-gain + 0.01 < 0 and two-groups-cost > 0.01} {full run} Two results just reach the
//! bar: the loss is larger without biases in {count no-biases-gain < 0} runs, and with two groups
//! in {count two-groups-cost > 0}. Both probably cost a little, although the weights that they save
//! have become hidden units. Of the biases we had expected no difference. PaLM, which left them out
//! a year before Llama, reports that large models train more stably without.
//!
//! {if all one-group-cost > 0} {full run} One group costs more: {one-group-cost:2} nats, with a
//! larger loss in {count one-group-cost > 0} runs. They range from {one-group-cost:range 2}. This
//! agrees with Ainslie's finding: one group loses quality, a few groups lose less of it. And what
//! do we gain?
//!
//! ## What the groups save
//!
//! In our small model the cache shrinks from {cache-four-groups:0} to {cache-two-groups:0} and
//! {cache-one-group:0} bytes for each token. In the published models of the next table, the cache
//! decides what fits on a machine and what does not.
//!
//! ![Choose a model and change the number of groups. With how many texts is the cache larger than all weights together?](live:cache)
//!
//! {no results} The table has one text. A server writes many at the same time, and each has a cache
//! of its own: sixteen texts need 34 GB in the 7B model, which has no groups, for 13 GB of weights.
//! So the small model needs groups, too. Llama 2 gave them only to its two largest models, Llama 3
//! also to its 8B model.
void count_bytes(Lesson& lesson) {
    lesson.heading("What the groups save");
    show_published(lesson);
    const Published& large = published_models()[2];
    lesson.claim("large-cache", "identity: bytes of the cache for a token, Llama 2 70B",
                 static_cast<double>(cache_bytes(llama(large.size), 2)), equals(327'680));
}

//! ## One latent for all heads
//!
//! Can the cache become smaller still? DeepSeek-V2 (2024) stores no head's keys or values. A
//! *latent* is a narrow vector from which larger ones are computed. For each token, with the vector
//! $x$, there is one, $c = A x$ with $d_c$ numbers; $A$ is learned. Each head $h$ has two matrices
//! of its own, $U^K_h$ and $U^V_h$, which make its key $U^K_h c$ and its value $U^V_h c$ from it.
//! *Latent attention* makes the keys and values of all heads from one latent for each token, and
//! stores the latents in their place.
//!
//! At first sight that is a bad bargain: to save bytes, the model has to compute all keys of the
//! past again for every new token. But it has not. Move the brackets. With the query $q$ of head
//! $h$, the latent $c_j$ of token $j$ and the attention weight $\alpha_j$,
//!
//! $$ q \cdot (U^K_h c_j) = ((U^K_h)^\top q) \cdot c_j , \qquad
//!    \sum_j \alpha_j \, (U^V_h c_j) = U^V_h \sum_j \alpha_j \, c_j . $$
//!
//! The query is multiplied by $(U^K_h)^\top$ once, and then it meets the latents themselves. The
//! weighted mean is taken of the latents, and $U^V_h$ is applied once. The matrices are
//! **absorbed** by query and context. All heads now share one key, as in multi-query attention, but
//! each looks at it through a matrix of its own.
//!
//! {no results} **By hand.** Let a latent be one number, $c = 4$, and let $U^K_h$ make the key
//! $(2c, 3c) = (8, 12)$ of it. For the query $(1, 2)$ the score is $8 + 24 = 32$. With the brackets
//! moved, the query becomes $2 + 6 = 8$, and $8 \cdot 4 = 32$.
//!
//! One thing stands in the way: rotary positions. A key at position $j$ is rotated by an angle that
//! depends on $j$. This rotation would stand between $q$ and $U^K_h$, and it differs for each $j$.
//! So the keys $U^K_h c_j$ are not rotated at all. A second, small key of $d_r$ numbers is rotated
//! and stored, one for all heads, and its product with a rotated part of the query is added to the
//! score.
//!
//! {no results} DeepSeek-V2 has $L = 60$ layers, $H = 128$ heads of width $d = 128$, $d_c = 512$
//! and $d_r = 64$. With numbers of 2 bytes a token costs $60 \cdot (512 + 64) \cdot 2 = 69{,}120$
//! bytes. With a key and a value for each head it would be $60 \cdot 2 \cdot 128 \cdot 128 \cdot 2
//! = 3{,}932{,}160$, 57 times as much.
Tensor absorbed(const LatentAttention& layer, const Tensor& x) {         // [T, D] -> [T, D]
    const Tensor c = layer.down(x), r = rotary(layer.rotary_key(x), 0);  // what a cache holds
    const Tensor past = causal_mask(x.size(0), x.dtype());
    const int64_t H = layer.heads, d = x.size(1) / H, dr = r.size(1);
    std::vector<Tensor> contexts;
    for (int64_t h = 0; h < H; ++h) {
        const Tensor UK = slice(layer.key.weight, 0, h * d, (h + 1) * d),  // [d, dc]
            UV = slice(layer.value.weight, 0, h * d, (h + 1) * d);
        const Tensor q = matmul(slice(layer.query(x), 1, h * d, (h + 1) * d), UK);  // [T, dc]
        const Tensor turned = rotary(slice(layer.rotary_query(x), 1, h * dr, (h + 1) * dr), 0);
        const Tensor scores = matmul(q, transpose(c)) + matmul(turned, transpose(r));
        const Tensor weights = masked_softmax(scores / std::sqrt(1.0 * (d + dr)), past);
        contexts.push_back(matmul(matmul(weights, c), transpose(UV)));
    }
    return layer.output(concat(contexts, 1));
}

void absorb(Lesson& lesson) {
    lesson.heading("One latent for all heads");
    lesson.show(
        "brackets", two_brackets(),
        "The scores of one head for three tokens. Blue: the latents in the cache. On the left "
        "a key is made from each of them, for every new query again; on the right the query "
        "is changed once and meets the latents themselves.");
    Rng rng(lesson.seed());
    LatentAttention layer({.width = 32, .heads = 4, .latent = 8, .rotary_width = 4}, rng);
    to_dtype(layer, Dtype::float64);
    const Tensor x = normal({6, 32}, 0, 1, rng, Dtype::float64), all = unsqueeze(x, 0);
    lesson.claim("latent-absorbed",
                 "identity: absorbed matrices against keys and values of all heads, computed",
                 gap_between(absorbed(layer, x), select(layer(all, {.causal = true}), 0, 0)),
                 at_most(1e-12));
    KeyValueCache cache;
    layer(all, {.causal = true, .cache = &cache});
    lesson.claim("latent-cache",
                 "identity: numbers in the cache for a token, counted: a latent of 8, a key of 4",
                 static_cast<double>(cache[0].key.numel() + cache[0].value.numel()) / 6,
                 equals(12));
}

}  // namespace

}  // namespace heed::lesson32

//! ## Since Llama
//!
//! {no results} Three more changes have come into many models, all of them in the attention.
//!
//! {no results} **Norms on queries and keys.** Scores have no upper end. In large models they can
//! grow during training until softmax sees a single token, and training diverges (Dehghani et al.,
//! 2023). The remedy, in the form of Gemma 3 and Qwen 3 (2025), is an RMS norm of each head's query
//! and key:
//!
//! $$ \text{score} = \frac{\mathrm{rmsnorm}(q) \cdot \mathrm{rmsnorm}(k)}{\sqrt{d}} . $$
//!
//! {no results} With weights of 1, a vector has the length $\sqrt{d}$ after the norm. So the score is
//! $\sqrt{d}$ times the cosine of the angle, never more than 11.3 for $d = 128$. The idea is from
//! Henry et al. (2020), who took a learned number times the cosine.
//!
//! {no results} **Windows between full layers.** In Gemma 2 (2024) every second layer looks at the
//! last 4,096 tokens only (lesson {long_sequences}), in Gemma 3 five of six layers at the last 1,024.
//! They need no more of the cache. For a text of 131,072 tokens, $\tfrac16 + \tfrac56 \cdot
//! \tfrac{1{,}024}{131{,}072} = 0.17$ of it is left.
//!
//! {no results} **Slower rotations.** Llama 2 has rotary positions with the base 10,000, Llama 3
//! (2024) with 500,000, for longer texts. With heads of width 128, the slowest pair of numbers then
//! turns once in 2.6 million tokens instead of 54,000.
//!
//! ## What this does not show
//!
//! **Speed.** An RMS norm needs fewer operations than a layer norm, and in a large model that is
//! the reason to use it. We have measured losses only.
//!
//! **Size and time.** Our models have a hundred thousand parameters and see 150,000 characters.
//! After a long training differences like that of the positions may shrink, and others appear.
//! Narang et al. (2021) tried dozens of changes to the Transformer in one and the same model, of
//! about 220 million parameters. Most of them made no difference there. Gated units and the RMS
//! norm were among the few that did.
//!
//! **The order.** Each change was made to a block that had the earlier ones. We have tried SwiGLU
//! in two blocks; the other changes might also give other results in other blocks.
//!
//! **One learning rate.** All blocks have the same one, and another may suit one of them better.
//!
//! **Latents.** We have shown that latent attention computes what it should, and counted its cache.
//! We have not trained it. The authors report better results on benchmarks than with plain
//! attention.
//!
//! Sources: Zhang and Sennrich, "Root mean square layer normalization" (2019), equation 4; Shazeer,
//! "GLU variants improve Transformer" (2020), section 2, and the sentence about benevolence in
//! section 4; Dauphin et al., "Language modeling with gated convolutional networks" (2017); Su et
//! al., "RoFormer" (2021); Shazeer, "Fast Transformer decoding: one write-head is all you need"
//! (2019); Ainslie et al., "GQA" (2023), section 2.2; Chowdhery et al., "PaLM" (2022), section 2;
//! Touvron et al., "LLaMA" (2023), section 2.2, and "Llama 2" (2023), section 2.2; Narang et al.,
//! "Do Transformer modifications transfer across implementations and applications?" (2021);
//! DeepSeek-AI, "DeepSeek-V2" (2024), section 2.1 and appendix D; Henry et al., "Query-key
//! normalization for Transformers" (2020); Dehghani et al., "Scaling vision Transformers to 22
//! billion parameters" (2023); the reports "Gemma 2" and "The Llama 3 herd of models" (2024), "Gemma
//! 3" and "Qwen3" (2025).
//!
//! ## Summary
//!
//! 1. Llama's block differs from GPT's in its norm, its network, its positions, its biases, and in how
//!    many heads of keys it has.
//! 2. An RMS norm is a layer norm that does not subtract the mean. A gated unit multiplies two dot
//!    products.
//! 3. {if all rotary-gain > 0.15 and swiglu-gain-last > 0.02} In our short training rotary positions
//!    help most and SwiGLU second. Both help in every run.
//!    {if rms-gain < 0.05 and rms-gain + 0.05 > 0} The RMS norm cannot be told apart from chance.
//! 4. Grouped queries shrink the cache by $H / G$. They make generation cheaper, and they do not
//!    lower the loss.
//! 5. A difference between two runs means little. We count in how many of twenty it has the same
//!    sign, and 16 is our bar.
//!
//! Groups and latents shrink the cache, but it still grows with every token. Could it stop growing?
//! Lesson {states} asks that.
//!
//! ## Try this next
//!
//! 1. `--steps 40`, and `--steps 1200`: how much of the lead of rotary positions is left? And why is
//!    SwiGLU behind in the first steps? The initial weights are small, and a gated unit is a product.
//! 2. In `model.cpp`, move the two lines of SwiGLU before those of the RMS norm. Does the order change
//!    what a step saves?
//! 3. Give all blocks 8 heads in `model.h`. What does one group cost now?
using namespace heed;
using namespace heed::lesson32;

int main(int argc, char** argv) {
    Lesson lesson({.number = 32,
                   .name = "modern_block",
                   .title = "What is today's block?",
                   .question = "Between GPT-2 and Llama everything in the block has changed. Which "
                               "change makes a difference?",
                   .own_data = "the English sentences of the course's corpus",
                   .trains = false});
    Sizes sizes;
    int steps = 0;
    lesson.option("--steps", steps, "steps of training of each model (300; quick 40)");
    return lesson.run(argc, argv, [&] {
        sizes.steps = steps > 0 ? steps : lesson.quick() ? 40 : 300;
        show_blocks(lesson);
        compare_norms(lesson);
        open_gates(lesson);
        compare_groups(lesson);
        check_the_model(lesson);
        compare_blocks(lesson, sizes);
        count_bytes(lesson);
        absorb(lesson);
    });
}
