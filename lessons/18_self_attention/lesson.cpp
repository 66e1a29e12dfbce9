//! # How does a sequence read itself?
//!
//! Here are two sentences. What does "it" refer to?
//!
//! * the animal didn't cross the street because it was too tired
//! * the animal didn't cross the street because it was too wide
//!
//! First it is the animal, then the street. Only the last word differs. A network that translates
//! into a language where the two nouns have different genders has to know. But from the table of
//! embeddings "it" gets the same vector in both sentences.
//!
//! How can this vector be changed? The mean of all words does not say which noun is meant. In a
//! recurrent network (lesson {recurrence}) "animal" and "tired" reach "it" step by step, and each
//! step forgets a little. With attention, "it" can ask the words itself.
//!
//! *Self-attention* is attention in which queries, keys and values are all computed from the tokens
//! of one sequence, so that every token can read every other token in a single step (Cheng, Dong
//! and Lapata 2016, in an early form). What can one layer of it do, and what needs two?

#include <algorithm>
#include <numeric>

#include "attention/attention.h"
#include "lessons/18_self_attention/experiment.h"
#include "lessons/18_self_attention/model.h"
#include "lessons/18_self_attention/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson18 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("two_texts", it_in_two_sentences(),
                "What reading should do to \"it\". The table of embeddings gives it the dashed "
                "vector in both sentences. From there it should move towards the noun that it "
                "refers to.");
}

//! ## Self-attention in one formula
//!
//! From its vector each token makes three more, with three learned matrices: a query that says
//! what it looks for, a key by which it is found, and a value that it hands over (lesson
//! {query_key_value}).
//!
//! {no results} Take 나는 $(3, 0)$, 학생 $(2, 1)$ and 이다 $(0, 2)$, and let the three matrices leave
//! them as they are. The query of 학생 has the dot products 6, 5 and 2 with the three keys. Divided
//! by $\sqrt 2$ (lesson {scores}) they are 4.243, 3.536 and 1.414, and softmax makes the weights
//! 0.644, 0.318 and 0.038 of them. The mean of the values with these weights is $(2.57, 0.39)$:
//! the first number of 학생 has grown from 2, because that of 나는 is 3.
//!
//! We write the tokens as the rows of a matrix $X$ with $T$ rows. The queries, keys and values of
//! all tokens are three products of matrices:
//!
//! $$ Q = X W_Q^\top, \qquad K = X W_K^\top, \qquad V = X W_V^\top . $$
//!
//! The matrices are transposed because the vectors are rows here: row $i$ of $Q$ is the query of
//! token $i$. The product $Q K^\top$ has the dot product of each query with each key. The contexts
//! of all tokens are
//!
//! $$ C = \mathrm{softmax}\Big( \frac{Q K^\top}{\sqrt D} \Big) V . $$
//!
//! Softmax is taken in each row separately. Row $i$ of $C$ is the context of token $i$.
Tensor contexts(const Tensor& q, const Tensor& k, const Tensor& v) {  // [B, Q, D], [B, K, D]
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(double(k.size(-1)));  // [B, Q, K]
    return matmul(softmax(scores), v);
}

//! **By hand.** For "the old cat", with the queries as rows and the keys as columns (lesson
//! {query_key_value} computes them), all scores are one matrix:
//!
//! $$ \frac{Q K^\top}{\sqrt 4} = \frac{1}{2}
//!    \begin{pmatrix} 2 & 0 & 0 & 1 \\ 0 & 2 & 0 & 1 \\ 0 & 2 & 2 & 0 \end{pmatrix}
//!    \begin{pmatrix} 0 & 0 & 2 \\ 0 & 0 & 3 \\ 1 & 2 & -2 \\ 2 & 0 & 0 \end{pmatrix} =
//!    \begin{pmatrix} 1 & 0 & 2 \\ 1 & 0 & 3 \\ 1 & 2 & 1 \end{pmatrix} . $$
//!
//! Softmax makes $(0.114, 0.042, 0.844)$ of the second row, that of "old".
//!
//! In a network two things are added. One more matrix, $W_O$, projects the contexts, so that they
//! may have any width. And the result is added to the tokens:
//!
//! $$ X_{\text{new}} = X + C \, W_O^\top . $$
//!
//! A *residual connection* is the addition of the input of a layer to its output. Because of it a
//! token keeps what it had, and attention only has to find what is new.
//!
//! *Cross-attention* is attention in which the queries come from one sequence, and the keys and
//! values from another one, as in lesson {translation}. The Transformer has both kinds (Vaswani et
//! al. 2017).
//!
//! The function `attention_by_hand` computes $C \, W_O^\top$ with the matrices of `MultiHead`, the
//! layer of the library, here with one head (lesson {heads}). The queries come from its argument
//! $x$, the keys and values from $y$. For self-attention both are $X$.
Tensor attention_by_hand(const MultiHead& attention, const Tensor& x, const Tensor& y) {
    return attention.output(contexts(attention.query(x), attention.key(y), attention.value(y)));
}

void check_against_the_library(Lesson& lesson) {
    lesson.heading("Self-attention in one formula");
    lesson.show(
        "layers", layer_diagrams(),
        "A layer of self-attention and one of cross-attention. The only difference is where "
        "the keys and values come from. The box + adds the output to X; this is the residual "
        "connection.");
    Rng rng(lesson.seed());
    const MultiHead attention =
        in_float64(MultiHead({.width = 8, .key_width = 6, .value_width = 6}, rng));
    const MultiHead self = in_float64(MultiHead({.width = 8}, rng));
    const Tensor x = normal({2, 3, 8}, 0, 1, rng, Dtype::float64),
                 y = normal({2, 5, 6}, 0, 1, rng, Dtype::float64);
    lesson.claim("self-by-hand",
                 "identity: self-attention by hand against the library's, largest difference",
                 gap(attention_by_hand(self, x, x), self(x, x, x)), at_most(1e-12));
    lesson.claim("cross-by-hand",
                 "identity: cross-attention by hand against the library's, largest difference",
                 gap(attention_by_hand(attention, x, y), attention(x, y, y)), at_most(1e-12));
}

//! ## Another order
//!
//! What happens if the tokens come in another order, "cat old the"? The query of "old" is still
//! compared with the same three keys, and gets the same three weights. A mean does not depend on
//! the order in which it is added up. So "old" gets the same context as before, in another row.
//!
//! *Permutation equivariance* means: if the inputs are put into another order, the outputs come out
//! in the same other order, and are otherwise unchanged. Some texts call self-attention invariant
//! to the order. That is true only of a pooled result, such as the mean over all tokens.
void change_the_order(Lesson& lesson) {
    lesson.heading("Another order");
    const auto f64 = [](std::vector<double> values, Shape shape) {
        return tensor(values, shape, Dtype::float64);
    };
    const Tensor q = f64({2, 0, 0, 1, 0, 2, 0, 1, 0, 2, 2, 0}, {1, 3, 4}),
                 k = f64({0, 0, 1, 2, 0, 0, 2, 0, 2, 3, -2, 0}, {1, 3, 4}),
                 v = f64({1, 0, 0, 1, 2, 3}, {1, 3, 2});
    show_orders(lesson, {"the", "old", "cat"}, contexts(q, k, v), {"cat", "old", "the"},
                contexts(flip(q, 1), flip(k, 1), flip(v, 1)));

    Rng rng(lesson.seed());
    const MultiHead attention = in_float64(MultiHead({.width = 8}, rng));
    const Tensor x = normal({2, 7, 8}, 0, 1, rng, Dtype::float64);
    const Tensor y = attention(x, x, x);
    std::vector<int> order(7);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    const auto shuffled = [&](const Tensor& t) { return index_select(t, 1, Indices(order)); };
    const Tensor z = attention(shuffled(x), shuffled(x), shuffled(x));
    lesson.claim("permuted",
                 "identity: seven tokens in another order: contexts against contexts in that order",
                 gap(z, shuffled(y)), at_most(1e-12));
    lesson.claim("permuted-mean", "identity: the same: change of the mean over all tokens",
                 gap(mean(z, 1), mean(y, 1)), at_most(1e-12));
}

//! But "the dog bit the man" and "the man bit the dog" are the same to this layer. Lesson
//! {positions} adds positions.
//!
//! ## Masks
//!
//! Often a token must not read all others. A mask (lesson {embeddings}) says for each query which
//! keys it may attend to: 1 for yes and 0 for no.
//!
//! {no results} Shall we set the forbidden weights to 0 after the softmax? Let "old" be forbidden
//! to read "cat". Of its weights 0.114, 0.042 and 0.844 the first two remain. They sum to 0.156
//! instead of 1, so the context is about six times too small. And it still depends on "cat", whose
//! score is part of the sum that both weights were divided by.
//!
//! The forbidden keys have to be left out of the softmax. Their scores are set to $-\infty$ before
//! it, because $e^{-\infty} = 0$. With $m_{ij}$ for the mask of query $i$ and key $j$:
//!
//! $$ \alpha_{ij} = \frac{m_{ij} \, e^{e_{ij}}}{\sum_l m_{il} \, e^{e_{il}}} . $$
Tensor masked_softmax_by_hand(const Tensor& scores, const Tensor& mask) {  // [B, Q, K]
    const Tensor allowed = mask * exp(scores);
    return allowed / sum(allowed, -1, true);
}

//! {no results} For "old" the scores 1 and 0 remain. The weights are 0.731, 0.269 and 0. They sum
//! to 1, and "cat" has no influence on them.
//!
//! Three masks are common:
//!
//! * A *padding mask* forbids all queries to attend to the padding of short sentences in a batch.
//! * A *causal mask* forbids each token to attend to later tokens. A network that predicts the next
//!   word needs it in training; otherwise it could read the word that it should predict.
//! * The edges of a graph can be a mask (Veličković et al. 2018): a node attends to itself and its
//!   neighbours.
//!
//! ![Choose a mask, or hide a word from a word by a click: each row shares its weights anew among what is left. Hide a whole row: its weights are 0 and not NaN.](live:masks)
void check_masks(Lesson& lesson) {
    lesson.heading("Masks");
    lesson.show(
        "masks", mask_maps(),
        "Four masks. Each row is a query, and the keys that it may attend to are marked. In the "
        "graph, A is connected with B, B with C, C with D, and D with E.");
    const Tensor old = tensor({1., 0., 3.}, {1, 1, 3}, Dtype::float64);
    const Tensor left = tensor({1., 1., 0.}, {1, 1, 3}, Dtype::float64);
    const std::vector<double> by_hand{0.7311, 0.2689, 0};
    const Tensor paper = tensor(by_hand, {1, 1, 3}, Dtype::float64);
    lesson.claim("mask-on-paper",
                 "identity: weights of \"old\" without \"cat\": this code and the library against "
                 "paper, to four decimals",
                 std::max(gap(masked_softmax_by_hand(old, left), paper),
                          gap(attention_weights(old, left), paper)),
                 at_most(5e-5));

    //! A wrong mask gives no sign of itself; a network that can read the future even has a lower
    //! training loss. So the library tests *laws* of attention (`attention/laws/laws.h`),
    //! statements that must hold for every input. A forbidden key has the weight and the gradient
    //! 0, whatever it contains. With a causal mask, a later token does not change an earlier
    //! context. And each allowed token has an influence, so that a layer that forbids too much is
    //! found as well.
    Rng rng(lesson.seed());
    const MultiHead cross =
        in_float64(MultiHead({.width = 4, .key_width = 4, .value_width = 3}, rng));
    int broken = 0;
    for (const laws::Verdict& verdict :
         laws::check_all([&](const Tensor&q, const Tensor&k, const Tensor&v, const Tensor&mask) {
             return with_weights(cross, q, k, v, {.mask = mask});
         }))
        broken += !verdict.holds;
    lesson.claim("laws-failing",
                 "identity: laws of attention, with padding masks: number of laws that fail",
                 broken, equals(0));

    const MultiHead self = in_float64(MultiHead({.width = 4}, rng));
    const auto causal_law = [&](bool masked) {
        return laws::causal([&](const Tensor&, const Tensor& x, const Tensor&, const Tensor&) {
            return with_weights(self, x, x, x, {.causal = masked});
        });
    };
    lesson.claim("causal-mask", "identity: the causal law holds with the causal mask",
                 causal_law(true).holds, is_true());
    lesson.claim("causal-missing", "identity: and it finds the missing mask",
                 !causal_law(false).holds, is_true());
}

//! ## One hop in each layer
//!
//! Self-attention is used in layers: the output of one is the input of the next. With a graph as a
//! mask we can see what a second layer adds. A *hop* is a step along one edge of a graph, and the
//! distance between two nodes is the smallest number of hops from one to the other.
//!
//! Take the graph of the picture, A - B - C - D - E. In the first layer, A reads itself and B,
//! while B reads C. In the second layer A reads B again, and now the vector of B depends on C:
//!
//! | | the vector of A depends on | the vector of C depends on |
//! | --- | --- | --- |
//! | after 1 layer | A, B | B, C, D |
//! | after 2 layers | A, B, C | A, B, C, D, E |
//! | after 3 layers | A, B, C, D | all |
//!
//! After $k$ layers a node depends on the nodes at most $k$ hops away, and on no others. This can
//! be tested without training: the gradient of the output of node $i$ with respect to the input of
//! node $j$ must be 0 if they are more than $k$ hops apart, and not 0 otherwise.
//!
//! Does a trained network use this reach? In each problem there is a new random graph of 16 nodes.
//! One node is given one of eight colours, and every node has to answer with this colour. A
//! *readout* computes the answer of a node from its vector; ours is a linear layer.
void hops(Lesson& lesson) {
    lesson.heading("One hop in each layer");
    const Prediction guess = lesson.predict(
        "With 3 layers of attention between neighbours, what share of the nodes 4 hops away "
        "answers "
        "with the right colour?",
        within(0.05).from(0, 1));
    constexpr int most = 5, farthest = 6;
    Rng rng(lesson.seed());
    const Graph graph = random_graph(nodes, 2, rng);
    const auto trained = [&](int layers, ReadoutKind readout, Rng seed) {
        GraphModel model(layers, readout, seed);
        return train_colours(model, lesson.quick() ? 150 : 1000, farthest,
                             lesson.quick() ? 400 : 2000, seed.split());
    };
    std::vector<HopAccuracies> by_layers;
    double reached = 1, beyond = 0;
    int wrong = 0;
    for (int k = 1; k <= most; ++k) {
        const std::vector<double> accuracy = trained(k, ReadoutKind::linear, rng.split());
        by_layers.push_back({std::to_string(k), accuracy});
        reached = std::min(reached, *std::min_element(accuracy.begin(), accuracy.begin() + k + 1));
        beyond = std::max(beyond, *std::max_element(accuracy.begin() + k + 1, accuracy.end()));
        wrong += count_wrong_gradients(k, graph, rng);
    }
    lesson.show("hops", hops_map(by_layers),
                "Accuracy of the nodes, by the number of layers and by their distance in hops from "
                "the node that is given the colour.");
    const std::vector<double>& three = by_layers[2].accuracy;
    lesson.reveal(guess, three[4]);
    lesson.claim("pairs-reached",
                 "identity: pairs of nodes with a gradient of 0 within k hops, or not 0 beyond",
                 wrong, equals(0));
    lesson.claim("within-reach", "finding: lowest accuracy at up to k hops with k layers", reached,
                 at_least(lesson.quick() ? 0.4 : 0.98));
    lesson.claim("beyond-reach",
                 "finding: highest accuracy at k + 1 hops or more; guessing gives 0.125", beyond,
                 at_most(lesson.quick() ? 0.3 : 0.17));

    //! {if all within-reach > 0.99 and beyond-reach < 0.16} Up to $k$ hops all answers are right.
    //! Beyond them the network guesses one colour of eight, and is right in {beyond-reach:%} at
    //! best. Would a better readout help? We replace the linear layer by a network with a hidden
    //! layer of 64 units and train three layers once more. {if all beyond-reach-hidden < 0.16} At
    //! four hops and more it can only guess as well. The colour is not in the vector of the node,
    //! so no readout can find it there.
    const HopAccuracies hidden{"hidden layer", trained(3, ReadoutKind::hidden, rng.split())};
    show_readouts(lesson, {{"linear", three}, hidden});
    lesson.claim(
        "beyond-reach-hidden",
        "finding: three layers, hidden layer as readout: highest accuracy at 4 hops or more",
        *std::max_element(hidden.accuracy.begin() + 4, hidden.accuracy.end()),
        at_most(lesson.quick() ? 0.3 : 0.17));
}

//! ## Which noun does "it" refer to?
//!
//! Without a mask, all tokens are one hop apart. Is one layer enough, then?
//!
//! Each of the two nouns gets a random number from 1 to 8, different ones, new in every training
//! step. From the vector of "it" the network has to compute the number of the noun that "it" refers
//! to. It cannot learn an answer by heart, and nothing says where to look. There are 12 animals, 12
//! places and both orders of the nouns. The right noun and the adjective of a test sentence never
//! occurred together in training. Two test sentences that differ in the adjective only are twins.
//!
//! With one layer, "it" cannot **look** at the right noun. Whether it can still **answer** depends
//! on who reads the mixture that it brings back.
//!
//! **Looking.** With one layer, the query of "it" is computed from "it" alone, and the key of a noun
//! from this noun alone. So the scores of "animal" and "street" are the same for "tired" and for
//! "wide". The adjective changes only the sum that all weights are divided by. Therefore **the ratio
//! of the weights of the two nouns is the same in both sentences.** With two layers it can change.
//! In the first, "it" reads the adjective. In the second, its query comes from a vector that
//! contains the adjective, and can look for a noun that fits.
//!
//! **Answering.** The context of one layer contains both nouns, both numbers and the adjective,
//! mixed. A linear readout adds what they contribute. "Tired" and "wide" scale the numbers of animal
//! and street alike, so the choice between the two cannot depend on the adjective.
//!
//! A readout with a hidden layer can compute an "and": the adjective suits animals, and the animal
//! has a 3. But in the mixture there are a 3 and a 5, "animal" and "street". Which belongs to which?
//! With equal weights nobody could tell.
//!
//! The weights can tell, because the number of a noun is part of its key. Of the weight that both
//! nouns get, let the one with the 3 have two thirds and the one with the 5 one third. Then the
//! mixture contains
//!
//! | | of "animal" | of "street" | of 3 | of 5 |
//! | --- | --- | --- | --- | --- |
//! | if the animal has the 3 | 2/3 | 1/3 | 2/3 | 1/3 |
//! | if the street has the 3 | 1/3 | 2/3 | 2/3 | 1/3 |
//!
//! The numbers look alike in both rows. But the noun with the larger share is the one with the 3. So
//! the mixture does contain the answer. Can a readout learn to find it? We try one layer with both
//! readouts, and two layers with the linear one.
void pronouns(Lesson& lesson) {
    lesson.heading("Which noun does \"it\" refer to?");
    Prediction guess;  // a quick run ends before the hidden layer has learned it
    if (!lesson.quick())
        guess = lesson.predict(
            "One layer of attention, and a readout with a hidden layer of 64 units: what share of "
            "the test sentences does it answer correctly? (Guessing one of the two nouns gives "
            "0.5.)",
            within(0.1).from(0, 1));
    Rng rng(lesson.seed());
    const PronounSentences data = pronoun_sentences(rng);
    lesson.say("{} training sentences, {} test sentences, {} pairs of twins among them.",
               number(data.train.size()), number(data.test.size()), number(data.twins.size()));
    const bool quick = lesson.quick();
    const auto train = [&](int layers, ReadoutKind readout, Answer answer) {
        const bool hidden = readout == ReadoutKind::hidden;  // needs more steps
        const int steps = quick ? (hidden ? 3000 : 700) : (hidden ? 6000 : 3000);
        return train_and_test(layers, answer, readout, data, steps, quick ? 1 : 3,
                              100 * lesson.seed());
    };
    const Results one = train(1, ReadoutKind::linear, Answer::number),
                  one_hidden = train(1, ReadoutKind::hidden, Answer::number),
                  two = train(2, ReadoutKind::linear, Answer::number),
                  noun = train(1, ReadoutKind::linear, Answer::noun);
    show_pronouns(lesson, {{"one, linear, number", &one},
                           {"one, hidden layer, number", &one_hidden},
                           {"two, linear, number", &two},
                           {"one, linear, noun", &noun}});
    lesson.show("pronoun",
                std::vector{twins_map("one layer, hidden layer as readout", one_hidden),
                            twins_map("two layers, linear readout", two)},
                "The weights of \"it\" in the last layer. The noun that it refers to is outlined.");
    const auto mean = [](const std::vector<double>& values) { return summarise(values).mean; };
    if (!quick) lesson.reveal(guess, summarise(one_hidden.accuracy).high);
    lesson.claim("one-layer", "finding: one layer, linear readout: accuracy; guessing gives 0.5",
                 mean(one.accuracy), between(0.45, 0.55));
    lesson.claim("one-layer-ratio",
                 "identity: one layer: change of the log ratio of the nouns' weights between twins",
                 std::max(one.ratio, one_hidden.ratio), at_most(1e-4));
    if (!quick)
        lesson.claim(
            "one-layer-hidden",
            "finding: one layer, readout with a hidden layer: accuracy of the best of three runs",
            summarise(one_hidden.accuracy).high, at_least(0.95));
    lesson.claim("two-layers", "finding: two layers: accuracy", mean(two.accuracy),
                 at_least(quick ? 0.75 : 0.9));
    lesson.claim("two-layers-weight", "finding: two layers: largest weight on the right noun",
                 mean(two.on_noun), at_least(quick ? 0.5 : 0.7));
    lesson.claim("two-layers-both", "finding: two layers: right noun has more weight in both twins",
                 mean(two.both_twins), at_least(quick ? 0.2 : 0.5));
    lesson.claim("noun-alone", "finding: one layer, answer is the noun: accuracy",
                 mean(noun.accuracy), at_least(quick ? 0.6 : 0.97));
}

//! {if all one-layer > 0.48 and one-layer < 0.52 and two-layers > 0.9 and one-layer-hidden > 0.95}
//! {full run} First the rows in which the answer is the number. With a linear readout, one layer
//! can only guess between the two nouns ({one-layer:%}), and two layers find the right one
//! ({two-layers:%}). With a hidden layer in the readout, one layer is enough, too. But this is hard
//! to learn: the accuracy stays at one half for some thousand steps and then rises to 1. In
//! {count one-layer-hidden > 0.95} runs at least one of three trainings got that far. So the number
//! of layers that a task needs depends on the readout. In the graph the colour had not arrived;
//! here everything has arrived, but mixed.
//!
//! In the model with one layer, the ratio between the weights of "animal" and "street" is the same
//! in both rows of the picture, although the right answers differ. {if two-layers-weight > 0.9}
//! With two layers the weight moves from one noun to the other, and is largest on the right noun in
//! {two-layers-weight:%} of the sentences. With some seeds it is so less often,
//! {two-layers-weight:range %}, although nearly all answers are right.
//!
//! {if all noun-alone > 0.99} The last row of the table is a warning to all who read weights as
//! explanations (lesson {explanation}). There the answer is the noun itself instead of its number.
//! One layer with a linear readout finds it ({noun-alone:%}), although the ratio of the weights
//! cannot change here either. Adding is enough: "tired" raises the logits of all animals, "animal"
//! and "street" raise their own, and so that of "animal" is the largest. **A right answer does not
//! mean that the largest weight is on the right word.**

}  // namespace

}  // namespace heed::lesson18

//! ## What this does not show
//!
//! Real pronouns are harder. Here each adjective suits one kind of noun only; real texts need
//! knowledge of the world. Levesque, Davis and Morgenstern (2012) made a test of such sentences;
//! the tired animal is Uszkoreit's (2017). All models here have one head and do not know the order
//! of the words. Enough layers may be hard to train (lesson {transformer}).
//!
//! Sources: Cheng, Dong and Lapata (2016), "Long short-term memory-networks for machine reading";
//! Vaswani et al. (2017), section 3.2.3; Veličković et al. (2018), "Graph attention networks";
//! Uszkoreit (2017), "Transformer: a novel neural network architecture"; Levesque, Davis and
//! Morgenstern (2012), "The Winograd schema challenge".
//!
//! ## Summary
//!
//! 1. In self-attention, queries, keys and values come from one sequence. In cross-attention, keys
//!    and values come from another.
//! 2. Self-attention ignores order: each token gets the same context in any order of the tokens.
//! 3. A mask leaves forbidden keys out of the softmax. Setting weights to 0 after it is not enough.
//! 4. With a graph as the mask, information travels one hop in each layer. No readout can find what
//!    is farther away.
//! 5. Without a mask one layer brings all information together, mixed. But to attend to one word
//!    because of another word takes a second layer.
//!
//! ## Try this next
//!
//! 1. In `hops` and in `experiment.cpp`, let `random_graph` add 6 edges instead of 2. Which nodes
//!    need 5 layers now?
//! 2. In `model.cpp`, remove the residual connection `x +`. How does the accuracy change, and why?
//! 3. In `model.cpp`, set `units` of the readout to 4. Is one layer still enough?
using namespace heed;
using namespace heed::lesson18;

int main(int argc, char** argv) {
    Lesson lesson({.number = 18,
                   .name = "self_attention",
                   .title = "How does a sequence read itself?",
                   .question = "When every token attends to all tokens of its sequence, what can "
                               "it find out, and how many layers does it need?",
                   .own_data = "graphs of 16 nodes, and 27,648 sentences with a pronoun"});
    return lesson.run(argc, argv, [&] {
        opening(lesson);
        check_against_the_library(lesson);
        change_the_order(lesson);
        check_masks(lesson);
        hops(lesson);
        pronouns(lesson);
    });
}
