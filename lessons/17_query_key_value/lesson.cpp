//! # What are queries, keys and values?
//!
//! So far one vector had two purposes. In lesson 11 the annotation of a source word was compared
//! with the decoder's state, and the same annotation was averaged into the context. The Transformer
//! (Vaswani et al. 2017; lesson 22) separates these roles: it computes three vectors from every
//! *token* (a word or a piece of text), its *query*, its *key* and its *value*. This lesson
//! computes them for three tokens, with numbers that can be checked on paper. Then it measures what
//! is lost when two of the three are the same vector.

#include <cmath>
#include <numeric>

#include "attention/attention.h"
#include "lessons/17_query_key_value/model.h"
#include "lessons/17_query_key_value/tables.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson17;

namespace {

//! ## Three tokens on paper
//!
//! A token is a vector $x_i$. Three matrices give its query $q_i = W_Q x_i$, its key
//! $k_i = W_K x_i$ and its value $v_i = W_V x_i$. Query $i$ is compared with every key $j$, softmax
//! turns the scores into weights, and the context is the weighted sum of the values:
//!
//! $$ e_{ij} = \frac{q_i \cdot k_j}{\sqrt{D}} \qquad
//!    \alpha_{ij} = \frac{e^{e_{ij}}}{\sum_l e^{e_{il}}} \qquad c_i = \sum_j \alpha_{ij} v_j $$
//!
//! Here $D = 4$ is the width of queries and keys, so each product is halved (lesson 10 says why).
//! We have chosen tokens and matrices for easy arithmetic; nothing is trained.
const std::vector<std::string> words{"the", "old", "cat"};
const Matrix x{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}};  // a row for each token
const Matrix w_query{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, -1}};
const Matrix w_key{{0, 0, 2}, {0, 0, 3}, {1, 2, -4}, {2, 0, 0}};
const Matrix w_value{{1, 0, 2}, {0, 1, 2}};

//! These are the results on paper. The query of *old* is $(0, 2, 0, 1)$ and the key of *cat* is
//! $(2, 3, -2, 0)$: product 6, score 3. All its scores are $1, 0, 3$; their exponentials, 2.7183, 1
//! and 20.0855, sum to 23.8038, and the weight on *cat* is $20.0855 / 23.8038 = 0.8438$. The values
//! are $(1, 0)$, $(0, 1)$ and $(2, 3)$; the context is $0.1142 \, (1, 0) + 0.0420 \, (0, 1) +
//! 0.8438 \, (2, 3)$.
const ByHand paper{.scores = {1, 0, 2, 1, 0, 3, 1, 2, 1},
                   .weights = {.2447, .0900, .6652, .1142, .0420, .8438, .2119, .5761, .2119},
                   .contexts = {1.5752, 2.0858, 1.8018, 2.5734, 0.6358, 1.2119}};

//! And this is the same calculation in C++.
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
    const ByHand result = attend(q, k, v);
    show_tables(lesson, words, q, k, v, result);
    lesson.claim("scores in C++ against paper", difference(result.scores, paper.scores), equals(0));
    lesson.claim("weights and contexts in C++ against paper, to four decimals",
                 difference(result, paper), at_most(5.1e-5));

    //! The library does it for whole batches; the product with a matrix is its `linear`, and the
    //! scores, the weights and the contexts are one call.
    const auto in_role = [&](const Matrix& w) {  // [B, H, T, D]
        return reshape(linear(as_tensor(x), as_tensor(w)), {1, 1, 3, int64_t(w.size())});
    };
    const AttentionOutput library =
        scaled_dot_product_definition(in_role(w_query), in_role(w_key), in_role(w_value));
    lesson.claim("the library against C++",
                 difference(result, {{}, library.weights.to_vector(), library.context.to_vector()}),
                 at_most(1e-12));

    //! The weight of *old* on *cat* is 0.84, and that of *cat* on *old* is 0.58: attention between
    //! two tokens has a direction. What happens with a single matrix, $W_K = W_Q$?
    const ByHand tied = attend(q, q, v);
    lesson.show(
        "paper",
        std::vector{map_of("two matrices", words, result), map_of("one matrix", words, tied)},
        "The weights with a matrix for queries and one for keys, and with one matrix for both.");
    lesson.claim(
        "one matrix: largest difference between a score and that of the opposite direction",
        asymmetry(tied.scores), equals(0));
    lesson.claim("one matrix: the same difference between weights", asymmetry(tied.weights),
                 at_least(0.1));
}

//! ## A directed graph
//!
//! With one matrix $q_i \cdot q_j = q_j \cdot q_i$: the scores are symmetric. Some texts call
//! attention within one sequence, self-attention (lesson 18), an undirected graph, whose matrix is
//! symmetric. This is true only of such scores. Weights are divided by the sum of *their row*, so
//! even with one matrix they differ by direction; with two matrices, neither scores nor weights are
//! symmetric. Does the direction matter? Rock beats scissors, scissors beat paper, paper beats
//! rock. Each token should attend to what it beats. We train the scores alone; the loss is
//! $-\ln \alpha$ of the right key.
enum class Scores { two_matrices, one_matrix, symmetric };
const std::vector<std::string> kinds{"two matrices", "one matrix", "any symmetric scores"};

Tensor scores_of(Scores kind, const Linear& a, const Linear& b) {
    const Tensor players = eye(3), q = a(players);
    if (kind == Scores::symmetric) return q + transpose(q);  // any symmetric matrix
    const Tensor k = kind == Scores::one_matrix ? q : b(players);
    return matmul(q, transpose(k)) / std::sqrt(3);
}

void directed_graph(Lesson& lesson, Prediction guess) {
    lesson.heading("A directed graph");
    const Indices beaten{1, 2, 0};
    std::vector<HeatMap> maps;
    std::vector<double> losses;
    for (Scores kind : {Scores::two_matrices, Scores::one_matrix, Scores::symmetric}) {
        Rng rng(lesson.seed());
        const Linear a(3, 3, rng, false), b(3, 3, rng, false);
        Adam adam({{"a", a.weight}, {"b", b.weight}}, {.lr = 0.05});
        train(adam, {.steps = 1000, .checkpoint = next_checkpoint()},
              [&](int64_t) { return StepResult{cross_entropy(scores_of(kind, a, b), beaten)}; });
        const Tensor scores = detach(scores_of(kind, a, b));
        losses.push_back(cross_entropy(scores, beaten).item());
        const Row weights = softmax(scores).to_vector();
        maps.push_back(map_of(fmt::format("{}: loss {:.3f}", kinds[int(kind)], losses.back()),
                              {"rock", "scissors", "paper"}, {scores.to_vector(), weights, {}}));
        if (kind == Scores::one_matrix) lesson.reveal(guess, weights[1]);
    }
    lesson.show("game", maps, "The weights after 1,000 steps.");
    //! We can compute the smallest possible losses. The loss is convex in the scores, so averaging
    //! the scores over the three cyclic shifts of the tokens cannot increase it. Symmetric scores
    //! then have one value for the token itself and one for the two others. At best the two others
    //! share the weight, and the loss is $\ln 2$. With one matrix, the average score of a token
    //! with itself is at least as large as with the others. At best all three weights are equal,
    //! and the loss is $\ln 3$.
    lesson.claim("loss with two matrices", losses[0], at_most(0.01));
    lesson.claim("loss with one matrix, minus ln 3", losses[1] - std::log(3), equals(0, 2e-3));
    lesson.claim("loss with symmetric scores, minus ln 2", losses[2] - std::log(2),
                 equals(0, 2e-2));
}

//! ## Which one is the query?
//!
//! The next task is a lookup: eight pairs of a name and a fact are given, and a question, which is
//! one of the names. The answer is the fact. The model (`model.h`) is one attention layer of width
//! $D$ and an output layer. The question must be the query. Lesson 09 tried the opposite, with the
//! words as queries. The dot product is the same, but the softmax goes over the *keys*, and a
//! single key always gets weight 1. How much accuracy is lost? We train a model of each kind.
void exchange_query_and_keys(Lesson& lesson, int steps) {
    lesson.heading("Which one is the query?");
    Rng rng(lesson.seed());
    LookupModel normal(8, false, rng), exchanged(8, false, rng);
    const double right = train_lookup(normal, Query::question, steps, rng.split());
    const double wrong = train_lookup(exchanged, Query::tokens, steps, rng.split());
    const Lookups data = draw_lookups(100, rng);
    const Tensor weights = exchanged.attend(data.tokens, data.question).weights;  // [100, 8, 1]
    lesson.say("Accuracy on 2,000 test lookups; guessing is right in 1 of {}.", facts);
    lesson.claim("question as query, pairs as keys: accuracy", right, at_least(0.95));
    lesson.claim("pairs as queries, question as key: accuracy", wrong, at_most(0.1));
    lesson.claim("pairs as queries: largest distance of a weight from 1",
                 max(abs(weights - 1.0)).item(), equals(0));
}

//! ## Separate keys and values
//!
//! Do values need a matrix of their own? The scores need the name of a pair, and the answer needs
//! its fact. If key and value are one vector, the fact is part of the key and disturbs the scores,
//! unless the vector is wide enough to hold both separately. For a fair comparison we compare
//! models with the same number of parameters: without a matrix for values, the vectors may be
//! wider.
void separate_values(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Separate keys and values");
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
    lesson.table(table, "Accuracy, mean and standard deviation over seeds; guessing gives 0.0625.");
    lesson.show("values", plot, "Accuracy on test lookups, by the number of parameters.");
    lesson.reveal(guess, means[1][2]);
    lesson.claim("240 parameters, separate values: accuracy", means[0][1],
                 at_least(lesson.quick() ? 0.8 : 0.95));
    lesson.claim("256 parameters, keys as values: accuracy", means[1][2], at_most(0.4));
    //! But see the end of the table: if it is wide enough, one vector can be both key and value.
    lesson.claim("496 parameters, keys as values: accuracy", means[1][4], at_least(0.95));
}

}  // namespace

//! ## What this does not show
//!
//! It does not show that separate values are always better: here they save width, and a wide model
//! does not need to save it. Bahdanau's annotations were both keys and values, and translated well.
//! Symmetric scores are not always bad either: "means the same as" is a symmetric relation.
//!
//! Sources: Vaswani et al., "Attention is all you need" (2017), section 3.2.1; Miller et al.,
//! "Key-value memory networks" (2016), section 3, on separate keys and values; Daniluk et al.,
//! "Frustratingly short attention spans" (2017), section 3, on one vector for too many purposes.
//!
//! ## Try this next
//!
//! 1. `--steps 200`: at widths where both kinds learn the task, which learns faster?
//! 2. In `w_value`, make the last column $(200, 200)$. Which weights change?
//! 3. Set `pairs` in `lookup.h` to 2. Which width is enough now, and why?
int main(int argc, char** argv) {
    Lesson lesson({.number = 17,
                   .name = "query_key_value",
                   .title = "What are queries, keys and values?",
                   .question = "Why does a Transformer compute three vectors from one token?",
                   .own_data = "three tokens, a game with three tokens, and random lookups"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training on lookups (2000; quick 800)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 800 : 2000;
        const Prediction game = lesson.predict(
            "Rock, paper, scissors: each is trained to attend to what it beats, but queries and "
            "keys come from one matrix. What weight does rock give to scissors after training?",
            within(0.05));
        const Prediction lookup = lesson.predict(
            "A model with 240 parameters looks up one of 16 facts by its name and is always right. "
            "What is the accuracy of one with 256 parameters whose keys are also its values?",
            within(0.1));
        on_paper(lesson);
        directed_graph(lesson, game);
        exchange_query_and_keys(lesson, steps);
        separate_values(lesson, steps, lookup);
    });
}
