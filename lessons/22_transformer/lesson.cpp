//! # Attention is all you need?
//!
//! The translator of lesson {translation} reads 나는 학생 이다 one word after the other, and each
//! state waits for the state before it. The *Transformer* (Vaswani et al. 2017) translates with
//! attention and without recurrence. Its paper is called "Attention Is All You Need". Is it?
//!
//! We know its self-attention and cross-attention (lesson {self_attention}). Heads are several
//! attentions side by side, each with matrices and weights of its own; the matrix $W_O$ mixes their
//! contexts. So a token can look at two others for two reasons (lesson {heads}). And attention does
//! not see the order of the words, so a vector that depends on the position alone is added to each
//! token (lesson {positions}).
//!
//! We begin with attention alone and watch what goes wrong. Each failure brings one more part.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/22_transformer/deep_stack.h"
#include "lessons/22_transformer/experiment.h"
#include "lessons/22_transformer/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson22 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("road", road_with_side_streets(),
                "Where we are going. A token stays on its road. In each layer a copy goes down a "
                "side street, gives a quarter of itself to the other token (the arrows that "
                "cross), and what comes back is added. (The tokens 8 and 0 of the next section.)");
}

//! ## Attention alone
//!
//! One layer of self-attention mixes the words of a sentence once. So let us put many of them one
//! after another.
//!
//! Take two tokens of one number each, 0 and 8. Each gives the weight 3/4 to itself and 1/4 to the
//! other one, and the values are the numbers themselves. One layer makes of them
//!
//! $$ \tfrac34 \cdot 0 + \tfrac14 \cdot 8 = 2, \qquad \tfrac14 \cdot 0 + \tfrac34 \cdot 8 = 6 . $$
//!
//! The difference halves in every layer: 8, 4, 2, 1. **A weighted mean lies between the numbers it
//! is made of, so these layers make all tokens alike.** A network in which all words have become
//! the same cannot translate.
//!
//! With the matrices $W_V$ and $W_O$ (lesson {heads}) the mean need not lie between the tokens. But
//! all tokens get means of the **same** vectors, and tokens that are alike get them with weights
//! that are alike. Dong, Cordonnier and Loukas (2021) proved that this still draws them together,
//! in a paper called "Attention is not all you need". We shall measure it.
//!
//! ## Residual connections
//!
//! The remedy is the residual connection of lesson {self_attention} (He et al. 2016). A layer does
//! not replace a token by what it has collected. It adds this to the token:
//!
//! $$ y = x + f(x) . $$
//!
//! Here $f$ is attention. Now 0 becomes $0 + 2 = 2$ and 8 becomes $8 + 6 = 14$, and the difference
//! grows.
//!
//! The gradient profits as well. The derivative of $x + f(x)$ is $1 + f'(x)$: where $f'(x)$ is
//! close to 0, the 1 remains.
void mix_two_tokens(Lesson& lesson) {
    lesson.heading("Residual connections");
    const Tensor weights = tensor({0.75, 0.25, 0.25, 0.75}, {2, 2});
    Tensor alone = tensor({0., 8.}), added = tensor({0., 8.});
    Table table({"layers", "attention alone", "difference", "with residuals", "difference"});
    for (int layers = 0; layers <= 4; ++layers) {
        add_row(table, layers, alone, added);
        alone = matmul(weights, alone);
        added = added + matmul(weights, added);
    }
    lesson.table(table, "Two tokens of one number each, after 0 to 4 layers.");
}

//! ## Layer normalisation
//!
//! {no results} The table shows the next problem. The difference grows by a half in every layer,
//! but the numbers double: their mean is 4, 8, 16, 32, 64. So compared with their size, the tokens
//! still become alike. At first the difference is twice the mean, after four layers 0.63 of it. And
//! after 24 layers the mean would be 67 million. One learning rate has to suit small and huge
//! numbers, and a softmax of large scores is saturated (lesson {scores}).
//!
//! *Layer normalisation* brings the numbers of each token to the mean 0 and the variance 1, and
//! then scales and shifts them (Ba, Kiros and Hinton 2016). For a token $x$ with the numbers $x_1,
//! \dots, x_D$, their mean $\mu$ and their variance $\sigma^2$,
//!
//! $$ \operatorname{norm}(x)_i = g_i \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + b_i, \qquad
//!    \mu = \frac1D \sum_i x_i, \qquad \sigma^2 = \frac1D \sum_i (x_i - \mu)^2 . $$
//!
//! The scale $g_i$ and the shift $b_i$ are learned; they begin at 1 and 0. The constant $\epsilon =
//! 10^{-5}$ prevents a division by 0. Other tokens and the batch do not matter.
//!
//! {no results} **By hand.** The token $(1, 2, 6)$ has the mean 3. The variance is $(4 + 1 + 9) /
//! 3 = 4.667$, and its root is 2.160. So the normalised token is $(-0.926, -0.463, 1.389)$. The
//! token $(100, 200, 600)$ gives the same three numbers.
Tensor layer_norm(const LayerNorm& norm, const Tensor& x) {
    const Tensor centred = x - mean(x, -1, true);
    const Tensor variance = mean(centred * centred, -1, true);
    return norm.weight * centred / sqrt(variance + norm.eps) + norm.bias;
}

void normalise_by_hand(Lesson& lesson) {
    lesson.heading("Layer normalisation");
    const NoGrad no_grad;
    const LayerNorm norm(3);
    const Tensor tokens = tensor({1, 2, 6, 100, 200, 600}, {2, 3});
    show_normalised(lesson, tokens, layer_norm(norm, tokens));
    lesson.claim("norm-by-hand",
                 "identity: layer normalisation by hand against the library's, largest difference",
                 max(abs(norm(tokens) - layer_norm(norm, tokens))).item(), at_most(1e-6));
}

//! ## The feed-forward network
//!
//! Attention carries information from token to token, but it can do little with it. Take a sequence
//! of one token $x$. Its only weight is 1, so attention returns $W_O W_V x$, a matrix times the
//! token, and for $-x$ it returns minus that. No matrix can compute even an absolute value, which
//! is 1 both for 1 and for -1.
//!
//! So every token gets a small network of its own. The *feed-forward network* of a Transformer has
//! two linear layers with a nonlinear function between them:
//!
//! $$ \operatorname{FF}(x) = W_2 \operatorname{relu}(W_1 x + b_1) + b_2 . $$
//!
//! Relu is 0 for negative numbers and changes nothing else. $W_1$ has $F$ rows and $W_2$ has $F$
//! columns; $F$ is the number of hidden units. In the paper, $D$ is 512 and $F$ is 2,048. So two
//! thirds of a block's parameters are here: $8 D^2$, against $4 D^2$ in attention. (Ours are $D =
//! 64$ and $F = 96$. In the code the tokens are rows, so $W x$ becomes a product with $W^\top$.)
//!
//! **By hand.** Let $x$ be one number, let $W_1$ have the rows 1 and -1, let $W_2 = (1, 1)$, and
//! let both biases be 0. For $x = -3$ the hidden units are $\operatorname{relu}(-3) = 0$ and
//! $\operatorname{relu}(3) = 3$, and the result is 3.
Tensor feed_forward(const FeedForward& network, const Tensor& x) {
    return network.output(relu(network.hidden(x)));
}

void absolute_value(Lesson& lesson) {
    lesson.heading("The feed-forward network");
    const NoGrad no_grad;
    FeedForward network;
    network.hidden.weight = tensor({1, -1}, {2, 1});
    network.output.weight = tensor({1, 1}, {1, 2});
    const Tensor x = tensor({-3, -1, 0, 2}, {4, 1});
    show_absolute_values(lesson, x, feed_forward(network, x));
}

//! ## The block
//!
//! A *block* of a Transformer is self-attention followed by a feed-forward network, its two
//! *sublayers* $f$, each with a residual connection and a layer normalisation. (Papers often call a
//! block a layer.) There are two orders:
//!
//! $$ \text{post-norm:} \quad y = \operatorname{norm}(x + f(x)) $$
//!
//! $$ \text{pre-norm:} \quad y = x + f(\operatorname{norm}(x)) . $$
//!
//! *Post-norm* is the order of the paper. *Pre-norm* normalises only the input of the sublayer.
//! GPT-2 and most models after it use it (Xiong et al. 2020 say why), and so do we. Then nothing
//! normalises the sum, so one more normalisation follows the last block.
//!
//! Follow the residual connection from $x$ to $y$ in the diagrams. With pre-norm it passes two
//! additions; with post-norm, two normalisations as well.
void draw_block(Lesson& lesson) {
    lesson.heading("The block");
    lesson.show("block", block_diagrams(),
                "A block with pre-norm and one with post-norm. The connection from x over the two "
                "additions to y is the residual connection.");
}

//! The function `encoder_block` is a block with pre-norm in three lines. Attention is called with
//! `y` three times, because queries, keys and values are made from it.
Tensor encoder_block(const TransformerEncoderLayer& block, Tensor x) {  // [1, T, D]
    const Tensor y = layer_norm(block.attention_residual.norm, x);
    x = x + block.attention.multi_head(y, y, y);
    return x + feed_forward(block.feed_forward, layer_norm(block.feed_forward_residual.norm, x));
}

//! {no results} **By hand.** Let a block with pre-norm read the tokens $(1, 2, 3)$ and $(3, 2, 1)$.
//! Its attention gives the weight 3/4 to a token itself and 1/4 to the other one, as in the first
//! example, and its feed-forward network is the absolute value. Follow the first token:
//!
//! 1. Norm: the mean is 2 and the variance 2/3, so the token becomes $(-1.225, 0, 1.225)$. The other
//!    becomes $(1.225, 0, -1.225)$.
//! 2. Attention: the first number is $\tfrac34 \cdot (-1.225) + \tfrac14 \cdot 1.225 = -0.612$, and
//!    all three are $(-0.612, 0, 0.612)$.
//! 3. Add it to the token: $(0.388, 2, 3.612)$.
//! 4. Norm: $(-1.225, 0, 1.225)$ again, because the token was only stretched.
//! 5. Feed-forward network: $(1.225, 0, 1.225)$.
//! 6. Add it: $y = (1.612, 2, 4.837)$.
//!
//! The 1, the 2 and the 3 of the token are still in the result, each with something added.
void work_through_a_block(Lesson& lesson) {
    const NoGrad no_grad;
    const LayerNorm norm(3);
    const Tensor x = tensor({1, 2, 3, 3, 2, 1}, {2, 3}),
                 weights = tensor({0.75, 0.25, 0.25, 0.75}, {2, 2});
    const Tensor first = layer_norm(norm, x), collected = matmul(weights, first), z = x + collected,
                 second = layer_norm(norm, z), computed = abs(second), y = z + computed;
    show_stages(lesson, {{"x", x},
                         {"norm", first},
                         {"attention", collected},
                         {"x + attention", z},
                         {"norm", second},
                         {"feed-forward", computed},
                         {"y", y}});
}

//! ## Twenty-four layers deep
//!
//! Do the parts do what we said? We send 16 tokens of 64 random numbers each through 24 layers with
//! random weights, before any training. After every layer we measure three things.
//!
//! - **The difference between the tokens.** Subtract the mean of all tokens from each, and divide
//!   the length of what is left by the length of the tokens. If all are equal, this is 0.
//! - **The size of the numbers**: the root of the mean of their squares.
//! - **The gradient.** A random gradient goes back from the end. How large is it at each layer?
//!
//! The stacks are attention alone, attention with a residual connection, and blocks of both orders.
//! Before you look: after how many layers has attention alone made the tokens equal?
void go_deep(Lesson& lesson) {
    lesson.heading("Twenty-four layers deep");
    const Prediction guess = lesson.predict(
        "16 random tokens pass through three layers of attention, and nothing else. What share "
        "of each token still differs from the mean of all?",
        {"about a half", "about a tenth", "about a hundredth", "less than a thousandth"});
    const std::vector<StackMeasures> all = show_stacks(lesson, 24);
    const StackMeasures &alone = all[0], &residual = all[1], &post = all[2], &pre = all[3];
    const double left = alone.difference[3];
    lesson.reveal(guess, left > 0.3     ? "about a half"
                         : left > 0.05  ? "about a tenth"
                         : left > 0.001 ? "about a hundredth"
                                        : "less than a thousandth");
    lesson.claim("attention-alone", "finding: attention alone: difference after three layers", left,
                 at_most(5e-5));
    lesson.claim("residual-size", "finding: with residuals: size after 24 layers",
                 residual.size.back(), at_least(600));
    lesson.claim("residual-gradient", "finding: with residuals: gradient at the input",
                 residual.gradient[0], at_least(1e5));
    lesson.claim("pre-norm-difference", "finding: pre-norm: difference after 24 layers",
                 pre.difference.back(), between(0.28, 0.43));
    lesson.claim("pre-norm-gradient", "finding: pre-norm: gradient at the input", pre.gradient[0],
                 between(2, 8));
    lesson.claim("post-norm-difference", "finding: post-norm: difference after 24 layers",
                 post.difference.back(), at_most(2e-3));
}

//! {if all attention-alone < 0.00005} Attention alone makes the tokens equal within three layers.
//! That is faster than by halves: as tokens become more alike, their weights become more equal, and
//! that makes the tokens more alike again.
//!
//! {if all residual-size > 600 and residual-gradient > 1000000 and residual-gradient < 2000000000}
//! Residual connections alone keep the tokens apart for longer. But the numbers grow about a
//! thousandfold, and the gradient at the input is larger than at the end by a factor that depends
//! on the seed: between $10^6$ and $10^9$. In a block both stay small. {if all
//! pre-norm-difference > 0.3 and post-norm-difference < 0.002} With pre-norm the difference is
//! still {pre-norm-difference:%} of the length of a token after 24 layers. With post-norm the
//! tokens become equal here, too, only later. Each normalisation makes $x + f(x)$ smaller, and with
//! it the token's own part $x$. After many layers little of $x$ is left. Training can change this.
//!
//! {no results}
//!
//! ![Multiply all matrices by 0.5: through attention alone almost no gradient comes back, while residual connections and blocks keep it. Multiply by 1.5: without normalisation it explodes, in a block it does not. (Narrower than the stacks of the text.)](live:deep_stack)
//!
//! ## The whole model
//!
//! The encoder is a stack of such blocks and reads the source sentence; every source word may
//! attend to every other. Its output, one vector for each source word, is called the *memory*.
//!
//! The decoder generates the target sentence, from left to right. Its blocks have three sublayers:
//! self-attention with a causal mask, so that no word sees the words after it; cross-attention,
//! whose queries come from the target words, keys and values from the memory; and the feed-forward
//! network.
//!
//! An embedding turns each word into a vector of width $D$. (The paper multiplies it by $\sqrt D$
//! before it adds the position.) At the end, a linear layer turns each vector of the decoder into
//! one logit for each of the $V$ words. *Weight tying* uses one matrix for both: the logit of a
//! word is the dot product of the decoder's vector with the embedding of this word. That saves $V
//! D$ parameters.
void draw_model(Lesson& lesson) {
    lesson.heading("The whole model");
    lesson.show("transformer", transformer_diagrams(),
                "The Transformer, and a block of its decoder. In the first diagram, a norm follows "
                "the last block of the encoder and of the decoder; in the second, the three norms "
                "are those of one block.");
}

//! For 나는 학생 이다 the memory has the shape $[3, D]$. In training, the decoder reads "(start) I
//! am a student", five tokens, so the result has the shape $[5, V]$. Row 1 predicts "I", row 2
//! "am", and row 5 the end of the sentence. Thanks to the causal mask, all rows are computed at
//! once (teacher forcing, lesson {bottleneck}). Here is the complete model.
Tensor decoder_block(const TransformerDecoderLayer& block, Tensor x, const Tensor& memory) {
    Tensor y = layer_norm(block.attention_residual.norm, x);
    x = x + block.attention.multi_head(y, y, y, {.causal = true});
    y = layer_norm(block.cross_attention_residual.norm, x);
    x = x + block.cross_attention(y, memory, memory);
    return x + feed_forward(block.feed_forward, layer_norm(block.feed_forward_residual.norm, x));
}

Tensor with_positions(const Embedding& embedding, const Indices& words) {  // [1, T] -> [1, T, D]
    const Tensor x = embedding(words);
    return x * std::sqrt(static_cast<double>(x.size(2))) +
           sinusoidal_positions(0, x.size(1), x.size(2));
}

Tensor logits_by_hand(const Transformer& model, const Indices& source, const Indices& words) {
    Tensor memory = with_positions(model.source_embedding, source);
    for (const auto& block : model.encoder.layers) memory = encoder_block(block, memory);
    memory = layer_norm(model.encoder.norm, memory);

    Tensor x = with_positions(model.target_embedding, words);
    for (const auto& block : model.decoder.layers) x = decoder_block(block, x, memory);
    x = layer_norm(model.decoder.norm, x);
    return linear(x, model.target_embedding.weight);  // [1, T, V]
}

//! {no results} It has to agree with the library's model, and the number of parameters with table 3
//! of the paper: 80 million with eight blocks in each stack, 65 million with six. By hand: an
//! encoder block has $4 D^2 + 8 D^2$ parameters, a decoder block $8 D^2 + 8 D^2$, so two of each
//! have $56 D^2$. With $D = 512$ that is 14.68 million.
void check_the_model(Lesson& lesson, const ParallelText& text, const Settings& settings) {
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    TranslatorSize size = settings.size();
    size.dropout = 0;
    const Transformer model = make_transformer(text, size, {}, rng);
    const Indices source = pad_sequences({text.test.source.back()}).ids,
                  words = pad_sequences({text.test.target.back()}).ids;
    const Tensor gap = model(source, {}, words).logits - logits_by_hand(model, source, words);
    lesson.claim("logits-by-hand",
                 "identity: logits by hand against the library's, largest difference",
                 max(abs(gap)).item(), at_most(1e-4));
    lesson.claim("more-blocks",
                 "identity: additional parameters of two more blocks a stack, in millions",
                 published_parameters(8) - published_parameters(6), between(14.5, 15.5));
}

//! ## Five models
//!
//! Five translators learn from the corpus of lesson {translation}:
//!
//! - **fixed context**: the encoder hands over one vector (lesson {bottleneck});
//! - **additive**: attention with the additive score (lesson {translation});
//! - **dot**: attention with dot products (lesson {luong});
//! - **multi-head**: the same recurrent network with attention of four heads;
//! - **Transformer**: two encoder blocks and two decoder blocks of width 64, with four heads.
//!
//! All see the same batches of short sentences for the same number of steps, and have about as many
//! parameters. The learning rate of each is the best of the same five values on the validation set,
//! with another seed (`--tune --seed 99` repeats the search). {full run} Every model is trained five
//! times.
//!
//! **Warm-up.** Adam estimates from past gradients how large its steps may be, and at first it has
//! seen few. *Warm-up* means that the learning rate rises from near 0, here over the first
//! twentieth of the steps, to $\eta$. Then, while $u$ goes from 0 to 1, it falls along a cosine:
//!
//! $$ \eta(u) = \eta \, \Big( 0.1 + 0.9 \cdot \frac{1 + \cos \pi u}{2} \Big) . $$
//!
//! Which of the five will be best?
Comparison compare_models(Lesson& lesson, const ParallelText& text, Settings& settings) {
    if (settings.tune) tune(lesson, text, settings);
    lesson.heading("Five models");
    Prediction guess;  // what a quick run cannot settle is not asked there
    if (!lesson.quick())
        guess = lesson.predict(
            "Same data, same number of updates and of parameters: which translates best?",
            {"fixed context", "additive", "dot", "multi-head", "Transformer"});
    Comparison comparison = train_all(lesson, text, settings);
    show_models(lesson, comparison.outcomes);
    judge_models(lesson, comparison.outcomes, guess);
    return comparison;
}

//! {if all attention-gain > 0.1} {full run} The step from a fixed context to attention makes the
//! large difference: even the worst of the four models with attention translates
//! {100 * attention-gain:0} more sentences of 100 exactly. {if all transformer-gain < 0 and
//! attention-apart < 0.04} Among the four the differences are small,
//! {100 * attention-apart:0} in 100 from the best to the worst. But they have an order that we had
//! not hoped for: the Transformer came last, in
//! {count attention-apart + transformer-gain < 0.0001} runs.
//!
//! So the title is half right. On these short sentences attention helps a great deal, and
//! recurrence can be removed at a small price. What the Transformer gains is not in this table. It
//! computes all tokens of a sentence at once (lesson {why_attention}). That pays on a graphics
//! processor, and hardly on two cores.
//!
//! ## One part at a time
//!
//! We now remove parts from the small Transformer and train it again, with the learning rate of the
//! unchanged model. {full run} Each variant is trained three times.
//!
//! - **post-norm** instead of pre-norm, as in the paper;
//! - **no warm-up**, with each of the two orders. With post-norm the first gradients near the
//!   output are large, and warm-up keeps the first steps small enough (Xiong et al. 2020);
//! - **no residual connections**: $y = f(\operatorname{norm}(x))$.
//!
//! Which of these do you expect to matter with two blocks instead of 24?
void compare_variants(Lesson& lesson, const ParallelText& text, const Settings& settings,
                      const Outcome& unchanged) {
    lesson.heading("One part at a time");
    const Prediction guess = lesson.predict(
        "What share of sentences does a Transformer without residual connections translate "
        "exactly?",
        within(0.1).from(0, 1));
    const std::vector<Outcome> all = train_variants(lesson, text, settings, unchanged);
    show_changes(lesson, all, settings);
    const auto loss = [&](std::size_t i) { return mean_of(all[i].loss); };
    lesson.reveal(guess, mean_of(all.back().exact));
    lesson.claim("without-residuals",
                 "finding: loss without residual connections, over that with them",
                 loss(4) / loss(0), at_least(lesson.quick() ? 1.3 : 8));
    if (lesson.quick()) return;
    lesson.claim("post-over-pre", "finding: loss with post-norm, over that with pre-norm",
                 loss(1) / loss(0), between(0.8, 1.25));
    lesson.claim("without-warm-up", "finding: post-norm: loss without warm-up, over that with it",
                 loss(2) / loss(1), at_least(0.9));
}

//! {if all without-residuals > 8} Residual connections matter most, even with two blocks: without
//! them the loss is {without-residuals:0} times as large. {if all post-over-pre > 0.9 and
//! post-over-pre < 1.2} The order of normalisation and sublayer makes hardly any difference at this
//! depth. Without warm-up the loss of post-norm was larger in {count without-warm-up > 1} runs, by
//! {100 * without-warm-up - 100:0} % in the median.
//!
//! ## Greedy decoding and beam search
//!
//! Greedy decoding (lesson {bottleneck}) takes the most probable next word at every step. This need
//! not lead to the most probable sentence.
//!
//! {no results} Let the first word be "a" with the probability 0.6 or "the" with 0.4. After "a"
//! come "cat" and "dog" with 0.5 each, after "the" comes "cat" with 0.9 and "dog" with 0.1. Greedy
//! decoding begins with "a" and ends with the probability $0.6 \cdot 0.5 = 0.30$. But "the cat" has
//! $0.4 \cdot 0.9 = 0.36$.
//!
//! *Beam search* keeps not one but the $k$ most probable partial sentences at every step; $k$ is
//! the width of the beam (Lowerre 1976, for speech; Sutskever et al. 2014, for translation). With
//! $k = 2$ both "a" and "the" survive, and the next step finds "the cat". The cost is $k$ times
//! that of greedy decoding.
//!
//! Every further word makes a sentence less probable, so beam search prefers short ones. A *length
//! penalty* divides the logarithm of the probability by a number that grows with the length of the
//! sentence (Wu et al. 2016).
void search_a_small_tree(Lesson& lesson) {
    lesson.heading("Greedy decoding and beam search");
    const Decodable words = four_words();
    const DecodeOptions two{.start = 0, .end = -1, .max_length = 2};
    show_searches(lesson, greedy_decode(words, two)[0], beam_search(words, {.beam = 2}, two)[0]);
}

//! A more probable sentence need not be a better translation. One trained Transformer decodes the
//! test set both ways. (BLEU: lesson {translation}.)
void decode(Lesson& lesson, const Comparison& comparison, const ParallelText& text) {
    const Translator model = translator_of(comparison.transformer);
    const Decoded found = show_decoding(lesson, model, text);
    if (!lesson.options().data.empty()) return show_translations(lesson, text, comparison);
    lesson.claim("beam-gain",
                 "finding: share exact with a beam of 5 minus that with greedy decoding",
                 found.beam_exact - found.greedy_exact,
                 lesson.quick() ? between(-0.05, 0.05) : between(-0.01, 0.02));
}

//! {if all beam-gain < 0.02 and beam-gain > -0.0001} The beam of five gains little here:
//! {beam-gain:range % 1} of the sentences.
//!
//! Finally, the cross-attention of the last block, averaged over heads, while the model translates
//! one test sentence. In Korean the verb comes last. Where does the English one find it?
void look_at_one_sentence(Lesson& lesson, const Transformer& model, const ParallelText& text,
                          const Settings& settings) {
    show_alignment(lesson, translator_of(model), text, std::min(9, settings.longest - 1));
}

}  // namespace

}  // namespace heed::lesson22

//! ## What this does not show
//!
//! The Transformer is strong with long texts, many blocks and many processors; none are here. What
//! 24 layers do was measured before training; it does not say how such a stack trains. A grammar is
//! not a language: `--data` repeats the comparison on real sentences.
//!
//! Sources: Vaswani et al., "Attention Is All You Need" (2017), sections 3 and 5, table 3; He et
//! al., "Deep Residual Learning for Image Recognition" (2016); Ba, Kiros and Hinton, "Layer
//! Normalization" (2016); Xiong et al., "On Layer Normalization in the Transformer Architecture"
//! (2020); Dong, Cordonnier and Loukas, "Attention is not all you need" (2021); Lowerre (1976) and
//! Sutskever, Vinyals and Le (2014), beam search; Wu et al., "Google's Neural Machine Translation
//! System" (2016), section 7.
//!
//! ## Summary
//!
//! 1. Layers of attention alone make all tokens alike. With residual connections each token keeps
//!    its own part.
//! 2. Sums of many layers grow. Layer normalisation brings each token back to mean 0 and
//!    variance 1.
//! 3. Attention carries information between tokens. The feed-forward network computes with it,
//!    token by token.
//! 4. The Transformer is an encoder of such blocks and a decoder, whose blocks also attend to the
//!    encoder's output.
//! 5. {if all attention-gain > 0.1 and transformer-gain < 0} On short sentences all four models
//!    with attention are far better than the fixed context; the Transformer is the last of them by
//!    a little.
//!
//! ## Try this next
//!
//! 1. {no results} In `deep_stack.cpp`, multiply the output of every sublayer by 0.1, after
//!    `initialise_vaswani` has drawn the weights. Which of the three plots change, and why?
//! 2. In `lessons/material/translation/ladder.cpp`, change `.layers = 2` to `.layers = 6`. Which
//!    variants need warm-up and residual connections now?
//! 3. `--longest 20 --pairs 20000`: which models get worse with longer sentences?
using namespace heed;
using namespace heed::lesson22;

int main(int argc, char** argv) {
    Lesson lesson({.number = 22,
                   .name = "transformer",
                   .title = "Attention is all you need?",
                   .question = "What has to be added to attention, and what does it gain over the "
                               "translators before it?",
                   .data = "pairs of sentences, one source<TAB>target a line, UTF-8",
                   .own_data = "Korean-English pairs from the grammar written for the course",
                   .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        const bool own = !lesson.options().data.empty(), load = !lesson.options().load.empty();
        const ParallelText text = make_text(lesson, settings);  // first: a wrong file is refused
        Comparison comparison;
        if (load) comparison.transformer = loaded(lesson, text, settings);
        opening(lesson);
        mix_two_tokens(lesson);
        normalise_by_hand(lesson);
        absolute_value(lesson);
        draw_block(lesson);
        work_through_a_block(lesson);
        go_deep(lesson);

        draw_model(lesson);
        check_the_model(lesson, text, settings);
        if (load)
            lesson.say(
                "The Transformer was loaded from `{}`: no training, and no comparison of models.",
                lesson.options().load);
        else
            comparison = compare_models(lesson, text, settings);
        if (!load && !own) compare_variants(lesson, text, settings, comparison.outcomes.back());
        search_a_small_tree(lesson);
        decode(lesson, comparison, text);
        if (!own) look_at_one_sentence(lesson, comparison.transformer, text, settings);
        save(lesson, comparison.transformer, text);
    });
}
