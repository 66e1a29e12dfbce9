//! # What do the three words mean?
//!
//! So far one vector served two purposes. In lesson 09 the annotation of a source word was compared
//! with the decoder's state, and the same annotation was then mixed into the context. The
//! Transformer (Vaswani et al. 2017; lesson 19) parts these roles: every *token*, a word or a piece
//! of text, is turned into three vectors, its *query*, its *key* and its *value*. This lesson
//! computes them for three tokens, with numbers one can check on paper, and then asks what is lost
//! when two of the three are made one.

#include <cmath>
#include <numeric>

#include "attention/attention.h"
#include "lessons/15_query_key_value/reader.h"
#include "lessons/15_query_key_value/three_tokens.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson15;

namespace {

//! ## Three tokens on paper
//!
//! A token is a vector $x_i$, a role a matrix. The token asks with $q_i = W_Q x_i$, is found by
//! $k_i = W_K x_i$ and tells $v_i = W_V x_i$. Query $i$ is compared with every key $j$, the scores
//! become weights, and the weights mix the values:
//!
//! $$ e_{ij} = \frac{q_i \cdot k_j}{\sqrt{D}} \qquad
//!    \alpha_{ij} = \frac{e^{e_{ij}}}{\sum_l e^{e_{il}}} \qquad c_i = \sum_j \alpha_{ij} v_j $$
//!
//! Here $D = 4$ is the width of queries and keys, so each product is halved (lesson 08 says why).
//! Tokens and matrices are made up for easy arithmetic; nothing has been trained.
const std::vector<std::string> words{"the", "old", "cat"};
const Matrix x{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}};  // a row for each token
const Matrix w_query{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, -1}};
const Matrix w_key{{0, 0, 2}, {0, 0, 3}, {1, 2, -4}, {2, 0, 0}};
const Matrix w_value{{1, 0, 2}, {0, 1, 2}};

//! This is what a pencil finds. The query of *old* is $(0, 2, 0, 1)$ and the key of *cat* is
//! $(2, 3, -2, 0)$: product 6, score 3. All its scores are $1, 0, 3$; their powers of $e$, 2.7183,
//! 1 and 20.0855, sum to 23.8038, and the weight on *cat* is $20.0855 / 23.8038 = 0.8438$. The
//! value of *cat* is $(2, 3)$: 0.8438 of it, 0.1142 of $(1, 0)$ and 0.0420 of $(0, 1)$ are the
//! context.
const ByHand paper{.scores = {1, 0, 2, 1, 0, 3, 1, 2, 1},
                   .weights = {.2447, .0900, .6652, .1142, .0420, .8438, .2119, .5761, .2119},
                   .contexts = {1.5752, 2.0858, 1.8018, 2.5734, 0.6358, 1.2119}};

//! And this is the pencil in C++.
double dot(const Row& a, const Row& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
Matrix project(const Matrix& w) {  // a row W x for each token
    Matrix all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (const Row& row : w) all[i].push_back(dot(row, x[i]));
    return all;
}
ByHand attend(const Matrix& query, const Matrix& key, const Matrix& value) {
    ByHand all;
    for (const Row& q : query) {
        Row e;
        for (const Row& k : key) {
            all.scores.push_back(dot(q, k) / std::sqrt(4));
            e.push_back(std::exp(all.scores.back()));
        }
        const double total = e[0] + e[1] + e[2];
        for (double& one : e) one /= total;
        all.weights.insert(all.weights.end(), e.begin(), e.end());
        for (int i : {0, 1})
            all.contexts.push_back(e[0] * value[0][i] + e[1] * value[1][i] + e[2] * value[2][i]);
    }
    return all;
}

void on_paper(Lesson& lesson) {
    lesson.heading("Three tokens on paper");
    const Matrix q = project(w_query), k = project(w_key), v = project(w_value);
    const ByHand found = attend(q, k, v);
    show_tables(lesson, words, q, k, v, found);
    lesson.claim("scores in C++ against paper", apart(found.scores, paper.scores), equals(0));
    lesson.claim("weights and contexts in C++ against paper, to four decimals", apart(found, paper),
                 at_most(5.1e-5));

    //! The library does it for whole batches; the product with a matrix is its `linear`, and the
    //! scores, the weights and the contexts are one call.
    const auto in_role = [&](const Matrix& w) {  // [B, H, T, D]
        return reshape(linear(as_tensor(x), as_tensor(w)), {1, 1, 3, int64_t(w.size())});
    };
    const AttentionOutput library =
        scaled_dot_product_definition(in_role(w_query), in_role(w_key), in_role(w_value));
    lesson.claim("the library against C++",
                 apart(found, {{}, library.weights.to_vector(), library.context.to_vector()}),
                 at_most(1e-12));

    //! *old* looks at *cat* (0.84), *cat* looks back at *old* (0.58): attention between two tokens
    //! has a direction. What if both matrices were one, $W_K = W_Q$?
    const ByHand tied = attend(q, q, v);
    lesson.show(
        "paper",
        std::vector{map_of("two matrices", words, found), map_of("one matrix", words, tied)},
        "The three tokens with a matrix for each role, and with that of the queries for "
        "the keys too.");
    lesson.claim("one matrix: largest difference of two scores by direction",
                 asymmetry(tied.scores), equals(0));
    lesson.claim("one matrix: the same of two weights", asymmetry(tied.weights), at_least(0.1));
}

//! ## A graph with arrows
//!
//! With one matrix $q_i \cdot q_j = q_j \cdot q_i$: the scores are symmetric. Attention within one
//! sequence, self-attention (lesson 16), has been called an undirected graph, whose matrix is
//! symmetric. That is true of those scores only. Weights are divided by the sum of *their row*, so
//! even with one matrix they differ by direction; with two, nothing is symmetric. Does the
//! direction matter? Rock beats scissors, scissors beat paper, paper beats rock. Each shall attend
//! to what it beats. We train the scores alone; the loss is $-\ln \alpha$ of the right key.
enum class Scores { two_matrices, one_matrix, symmetric };
const std::vector<std::string> kinds{"two matrices", "one matrix", "any symmetric ones"};

Tensor scores_of(Scores kind, const Linear& a, const Linear& b) {
    const Tensor players = eye(3), q = a(players);
    if (kind == Scores::symmetric) return q + transpose(q);  // any symmetric matrix at all
    const Tensor k = kind == Scores::one_matrix ? q : b(players);
    return matmul(q, transpose(k)) / std::sqrt(3);
}

void graph_with_arrows(Lesson& lesson, Prediction guess) {
    lesson.heading("A graph with arrows");
    const Indices beaten{1, 2, 0};
    std::vector<HeatMap> maps;
    std::vector<double> losses;
    for (Scores kind : {Scores::two_matrices, Scores::one_matrix, Scores::symmetric}) {
        Rng rng(lesson.seed());
        const Linear a(3, 3, rng, false), b(3, 3, rng, false);
        Adam adam({{"a", a.weight}, {"b", b.weight}}, {.lr = 0.05});
        train(adam, {.steps = 1000},
              [&](int64_t) { return StepResult{cross_entropy(scores_of(kind, a, b), beaten)}; });
        const Tensor scores = detach(scores_of(kind, a, b));
        losses.push_back(cross_entropy(scores, beaten).item());
        const Row weights = softmax(scores).to_vector();
        maps.push_back(map_of(fmt::format("{}: loss {:.3f}", kinds[int(kind)], losses.back()),
                              {"rock", "scissors", "paper"}, {scores.to_vector(), weights, {}}));
        if (kind == Scores::one_matrix) lesson.reveal(guess, weights[1]);
    }
    lesson.show("game", maps, "Who attends to whom after 1,000 steps.");
    //! The loss is convex in the scores: averaging them over the three turns of the circle cannot
    //! make it worse. Symmetric scores then become one number for oneself and one for the others,
    //! who share at best: the loss is $\ln 2$. With one matrix a token is also at least as close to
    //! itself as to the others, and the best is not to choose at all: $\ln 3$.
    lesson.claim("loss with two matrices", losses[0], at_most(0.01));
    lesson.claim("loss with one matrix, less ln 3", losses[1] - std::log(3), equals(0, 2e-3));
    lesson.claim("loss with symmetric scores, less ln 2", losses[2] - std::log(2), equals(0, 2e-2));
}

//! ## Who asks?
//!
//! Now there is something to find: eight pairs of a name and a fact, and a question, one of the
//! names. A reader (`reader.h`) is one attention of width $D$; what it finds is its answer. The
//! question must be the query. Lesson 07 met the opposite, the words as queries and what seeks
//! among them as the key. A dot product does not mind, the softmax over the *keys* does: one key
//! has none to compete with. What does that cost? We train a reader of each kind.
void who_asks(Lesson& lesson, int steps) {
    lesson.heading("Who asks?");
    Rng rng(lesson.seed());
    Reader proper(8, false, rng), exchanged(8, false, rng);
    const double right = learn(proper, Asking::question, steps, rng.split());
    const double wrong = learn(exchanged, Asking::tokens, steps, rng.split());
    const Lookups data = draw_lookups(100, rng);
    const Tensor weights = exchanged.attend(data.tokens, data.question).weights;  // [100, 8, 1]
    lesson.say("2,000 unseen lookups each; guessing gets 1 in {} right.", facts);
    lesson.claim("the context as query, the words as keys: accuracy", right, at_least(0.95));
    lesson.claim("the words as queries, the context as key: accuracy", wrong, at_most(0.1));
    lesson.claim("words as queries, weights: largest distance from 1",
                 max(abs(weights - 1.0)).item(), equals(0));
}

//! ## Found by one thing, telling another
//!
//! Are values worth a matrix of their own? A pair is *found* by its name and *tells* its fact. If
//! key and value are one vector, the fact is part of the key and disturbs the scores, unless the
//! vector is wide enough to keep the two out of each other's way. A fair comparison is by the
//! number of parameters: what is saved on values may be spent on width.
void separate_values(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Found by one thing, telling another");
    LinePlot plot{.x_label = "parameters", .y_label = "accuracy", .y_range = {0, 1}};
    Table table({"values", "width", "parameters", "accuracy"});
    std::vector<double> means[2];
    for (bool tied : {false, true}) {
        const Sweep sweep =
            by_width(tied, {1, 2, 3, 4, 6}, steps, 1000 * lesson.seed(), lesson.quick() ? 2 : 5);
        for (std::size_t i = 0; i < sweep.widths.size(); ++i) {
            means[tied].push_back(summarise(sweep.of_width(i)).mean);
            table.row(tied ? "the keys" : "their own", sweep.widths[i], sweep.parameters[i],
                      mean_and_spread(sweep.of_width(i)));
        }
        plot.series.push_back(over_seeds(tied ? "keys as values" : "separate values",
                                         sweep.parameters, sweep.accuracies));
    }
    lesson.table(table, "Mean and deviation over seeds; guessing gives 0.0625.");
    lesson.show("values", plot, "Unseen lookups answered, by the size of the reader.");
    lesson.reveal(guess, means[1][2]);
    lesson.claim("240 parameters, separate values: accuracy", means[0][1],
                 at_least(lesson.quick() ? 0.8 : 0.95));
    lesson.claim("256 parameters, keys as values: accuracy", means[1][2], at_most(0.4));
    //! But mind the end of the table: with room enough, one vector can be both.
    lesson.claim("496 parameters, keys as values: accuracy", means[1][4], at_least(0.95));
}

}  // namespace

//! ## What this does not show
//!
//! That separate values are always worth their matrix: they save width here, and a wide model has
//! width to spare. Bahdanau's annotations were keys and values at once and translated well. Nor
//! that symmetry always harms: "means the same as" is a symmetric relation.
//!
//! Sources: Vaswani et al., "Attention is all you need" (2017), section 3.2.1; Miller et al.,
//! "Key-value memory networks" (2016), section 3, where keys and values part; Daniluk et al.,
//! "Frustratingly short attention spans" (2017), section 3, on one vector for too many purposes.
//!
//! ## Try this next
//!
//! 1. `--steps 200`: where both can learn it, which learns first?
//! 2. In `w_value`, make the last column $(200, 200)$. Which weights change?
//! 3. Set `pairs` in `lookup.h` to 2. Which width is enough now, and why?
int main(int argc, char** argv) {
    Lesson lesson({.number = 15,
                   .name = "query_key_value",
                   .title = "What do the three words mean?",
                   .question = "Why should a token be three vectors, when it is one word?",
                   .own_data = "three tokens, three players, and lookups drawn as needed"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training on lookups (2000; quick 800)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 800 : 2000;
        const Prediction game = lesson.predict(
            "Rock, paper, scissors: each shall attend to what it beats, but queries and keys come "
            "from one matrix. What weight does rock end up giving to scissors?",
            within(0.05));
        const Prediction lookup = lesson.predict(
            "A reader of 240 parameters looks up one of 16 facts by its name and is always right. "
            "What share does one of 256 get right whose keys are its values too?",
            within(0.1));
        on_paper(lesson);
        graph_with_arrows(lesson, game);
        who_asks(lesson, steps);
        separate_values(lesson, steps, lookup);
    });
}
