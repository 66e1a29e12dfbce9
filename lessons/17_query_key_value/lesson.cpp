//! # What are queries, keys and values?
//!
//! In lesson {attention} each word had one vector, and the vector had two jobs. By the numbers
//! $(2, 1)$ the query found 학생, and the same numbers went into the mean. The query came from
//! elsewhere: the words were looked at, and did not look themselves.
//!
//! They have reason to look. The table of embeddings has one vector of "old" for "the old cat" and
//! "the old bridge". It should receive something of "cat" in the first text, and of "bridge" in the
//! second.
//!
//! So each word asks, is found, and hands something over. The Transformer (Vaswani et al. 2017;
//! lesson {transformer}) computes three vectors for the three jobs. We do it on paper, for three
//! words. Then we measure what is lost when two of the three are the same.

#include <cmath>
#include <numeric>

#include "attention/attention.h"
#include "lessons/17_query_key_value/data.h"
#include "lessons/17_query_key_value/experiment.h"
#include "lessons/17_query_key_value/model.h"
#include "lessons/17_query_key_value/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson17 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("looking", words_that_look(),
                "The three words of our first translation, before they look (dashed) and after. "
                "학생 has become more of a person, because it found 나는. In the same way \"old\" "
                "should receive something of \"cat\".");
}

//! ## Compare the words with each other
//!
//! Let the vectors of the three tokens be
//!
//! | token | vector |
//! | --- | --- |
//! | the | $(1, 0, 0)$ |
//! | old | $(0, 1, 0)$ |
//! | cat | $(0, 1, 1)$ |
//!
//! The simplest idea: the score of two tokens is the dot product of their vectors, and each token
//! gets the mean of all vectors, with the softmax of its scores as weights.
//!
//! {no results} **By hand.** The scores of "old" with "the", "old" and "cat" are 0, 1 and 1, and
//! the weights 0.1554, 0.4223 and 0.4223. The mean is $(0.1554, 0.8446, 0.4223)$.
//!
//! The function `attend` computes this for every token. Its arguments are the vectors that ask,
//! those that they are compared with, and those that are averaged. Here all three are the same;
//! soon they will differ. The last argument divides the scores, for now by 1.
const std::vector<std::string> words{"the", "old", "cat"};
const Matrix x{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}};  // a row for each token

double dot(const Row& a, const Row& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

ByHand attend(const Matrix& query, const Matrix& key, const Matrix& value, double divisor) {
    ByHand all;
    for (const Row& q : query) {
        Row weights;
        double total = 0;
        for (const Row& k : key) {
            all.scores.push_back(dot(q, k) / divisor);
            weights.push_back(std::exp(all.scores.back()));
            total += weights.back();
        }
        for (double& weight : weights) weight /= total;
        all.weights.insert(all.weights.end(), weights.begin(), weights.end());
        for (std::size_t i = 0; i < value[0].size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < value.size(); ++j) sum += weights[j] * value[j][i];
            all.contexts.push_back(sum);
        }
    }
    return all;
}

void compare_words(Lesson& lesson) {
    lesson.heading("Compare the words with each other");
    const ByHand naive = attend(x, x, x, 1);
    show_results(lesson, words, naive,
                 "The vectors of the tokens, compared with each other. Scores and weights are for "
                 "the, old, cat, in this order.");
}

//! This attempt has three faults.
//!
//! * **A token mostly finds itself.** Its score with itself is the squared length of its vector.
//!   "The" and "cat" give themselves the largest weight, and "old" gives itself as much as "cat".
//!   How much of itself a token keeps should be learned.
//! * **There is no direction.** The score of "old" with "cat" is also the score of "cat" with
//!   "old". Perhaps "the" should look for its noun. That is no reason for the noun to look for
//!   "the".
//! * **One vector serves three purposes.** The number by which "cat" is found as a noun is handed
//!   over to everybody who finds it, even if they need something else.
//!
//! ## Three vectors for each token
//!
//! The way out is a vector for each purpose. A *projection* is the product of a vector with a
//! learned matrix; it may have another width than the vector. Three matrices give three projections
//! of the vector $x_i$ of token $i$:
//!
//! $$ q_i = W_Q \, x_i, \qquad k_i = W_K \, x_i, \qquad v_i = W_V \, x_i . $$
//!
//! * **Query.** The vector $q_i$ says what token $i$ looks for.
//! * **Key.** The vector $k_i$ says by what token $i$ can be found.
//! * **Value.** The vector $v_i$ is what token $i$ hands over to a token that has found it.
//!
//! Think of people in a large room. Each holds up a board with a question (the query), wears a
//! badge (the key) and has a parcel to give (the value). Everybody compares their own question with
//! all badges, and takes more from the parcels whose badges fit better. What stands on the boards
//! and badges, and what is in the parcels, is learned: the matrices decide it.
//!
//! The rest is known from lesson {scores}. The score of query $i$ with key $j$ is $e_{ij}$, the
//! weight $\alpha_{ij}$, and the context of token $i$ is $c_i$:
//!
//! $$ e_{ij} = \frac{q_i \cdot k_j}{\sqrt{D}}, \qquad
//!    \alpha_{ij} = \frac{e^{e_{ij}}}{\sum_l e^{e_{il}}}, \qquad c_i = \sum_j \alpha_{ij} v_j . $$
//!
//! $D$ is the width of queries and keys. The values may have another one.
//!
//! ![Drag the query towards a key: its weight grows and the context comes close to its value. In the middle the weights are equal. A longer query makes the attention sharper.](live:query)
//!
//! ## Three tokens on paper
//!
//! A network learns its matrices. We choose them, for easy arithmetic:
//!
//! $$ W_Q = \begin{pmatrix} 2 & 0 & 0 \\ 0 & 2 & 0 \\ 0 & 0 & 2 \\ 1 & 1 & -1 \end{pmatrix}, \quad
//!    W_K = \begin{pmatrix} 0 & 0 & 2 \\ 0 & 0 & 3 \\ 1 & 2 & -4 \\ 2 & 0 & 0 \end{pmatrix}, \quad
//!    W_V = \begin{pmatrix} 1 & 0 & 2 \\ 0 & 1 & 2 \end{pmatrix} . $$
//!
//! Queries and keys have the width $D = 4$, so every dot product is divided by $\sqrt 4 = 2$.
const Matrix w_query{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, -1}};
const Matrix w_key{{0, 0, 2}, {0, 0, 3}, {1, 2, -4}, {2, 0, 0}};
const Matrix w_value{{1, 0, 2}, {0, 1, 2}};

//! **Projections.** The vector of "old" is $(0, 1, 0)$, so its query is the second column of $W_Q$,
//! $(0, 2, 0, 1)$. The vector of "cat" is $(0, 1, 1)$, so its key is the sum of the second and the
//! third column of $W_K$, $(2, 3, -2, 0)$, and its value is $(2, 3)$. The keys of "the" and "old"
//! are $(0, 0, 1, 2)$ and $(0, 0, 2, 0)$, and their values are $(1, 0)$ and $(0, 1)$.
//!
//! **Scores.** The query of "old" and the key of "cat" have the dot product
//! $0 \cdot 2 + 2 \cdot 3 + 0 \cdot (-2) + 1 \cdot 0 = 6$, and half of it is the score 3. With
//! "the" the score is 1, with itself 0.
//!
//! {no results} **Weights.** The exponentials of 1, 0 and 3 are 2.7183, 1 and 20.0855. The weights
//! are 0.1142, 0.0420 and 0.8438.
//!
//! {no results} **Context.** The first number is
//! $0.1142 \cdot 1 + 0.0420 \cdot 0 + 0.8438 \cdot 2 = 1.8018$, the second in the same way 2.5734.
//!
//! "Old" now attends mostly to "cat" and hardly to itself. The program calls the same `attend` for
//! all three, now with three different matrices. Only `project` is new: it multiplies each token by
//! a matrix.
Matrix project(const Matrix& w) {  // a row W x for each token
    Matrix all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (const Row& row : w) all[i].push_back(dot(row, x[i]));
    return all;
}

void on_paper(Lesson& lesson) {
    lesson.heading("Three tokens on paper");
    const ByHand paper{.scores = {1, 0, 2, 1, 0, 3, 1, 2, 1},
                       .weights = {.2447, .0900, .6652, .1142, .0420, .8438, .2119, .5761, .2119},
                       .contexts = {1.5752, 2.0858, 1.8018, 2.5734, 0.6358, 1.2119}};
    const Matrix q = project(w_query), k = project(w_key), v = project(w_value);
    const ByHand result = attend(q, k, v, std::sqrt(4));
    lesson.show(
        "old", diagram_of(words, 1, x, q, k, v, result),
        "How \"old\" gets its context. An arrow leads from what is given to what is computed "
        "from it. The query of \"old\" is compared with all keys. The weights are the softmax of the three scores, and the "
        "context is the mean of the values with these weights.");
    show_tables(lesson, words, q, k, v, result);
    lesson.claim("scores-on-paper", "identity: scores in C++ against paper",
                 difference(result.scores, paper.scores), equals(0));
    lesson.claim("contexts-on-paper",
                 "identity: weights and contexts in C++ against paper, to four decimals",
                 difference(result, paper), at_most(5.1e-5));

    //! The library does the same. Its tensors have four axes: batch, heads (lesson {heads}; here
    //! one), tokens and width.
    const auto in_role = [&](const Matrix& w) {  // [B, H, T, D]
        return reshape(linear(as_tensor(x), as_tensor(w)), {1, 1, 3, int64_t(w.size())});
    };
    const AttentionOutput library =
        scaled_dot_product_definition(in_role(w_query), in_role(w_key), in_role(w_value));
    lesson.claim("library", "identity: the library against C++",
                 difference(result, {{}, library.weights.to_vector(), library.context.to_vector()}),
                 at_most(1e-12));

    //! {no results} Look at the direction. The weight of "old" on "cat" is 0.84, and that of "cat"
    //! on "old" is 0.58. With one matrix for queries and keys, $q_i \cdot k_j$ is $q_i \cdot q_j$,
    //! and the scores have no direction. The weights still differ, because each row has its own
    //! sum:
    lesson.show(
        "paper",
        std::vector{map_of("two matrices", words, result),
                    map_of("one matrix", words, attend(q, q, v, std::sqrt(4)))},
        "The weights with a matrix for queries and another one for keys, and with one matrix "
        "for both. With one matrix, every token attends mostly to itself.");
}

//! ## Rock, paper, scissors
//!
//! Some texts say that attention among the tokens of one sequence is an undirected graph, with the
//! scores at its edges. Undirected means that an edge from A to B is also one from B to A: the
//! table of scores would be symmetric. For one matrix this is true. For two it is not: "old" has
//! the score 3 for "cat", and "cat" has 2 for "old". But does a network need the direction?
//!
//! Here is the smallest case where it does. Three tokens play rock, paper, scissors: rock beats
//! scissors, scissors beat paper, and paper beats rock. Each should attend to the one that it
//! beats. The tokens are one-hot (lesson {probabilities}) and stay as they are; queries and keys
//! have the width 3, too. The loss is $-\ln \alpha$, where $\alpha$ is the weight on the right
//! token, averaged over the three. We compare three kinds of scores:
//!
//! * two matrices, one for queries and one for keys;
//! * one matrix for both;
//! * any symmetric scores: a learned table, to which its own transpose is added.
//!
//! {code experiment.cpp train_game}
Tensor with_two_matrices(const Linear& a, const Linear& b) {  // scores [3, 3]
    const Tensor tokens = eye(3);
    return matmul(a(tokens), transpose(b(tokens))) / std::sqrt(3);
}
Tensor with_one_matrix(const Linear& a, const Linear&) {
    const Tensor tokens = eye(3);
    return matmul(a(tokens), transpose(a(tokens))) / std::sqrt(3);
}
Tensor any_symmetric(const Linear& a, const Linear&) { return a.weight + transpose(a.weight); }

void play(Lesson& lesson) {
    lesson.heading("Rock, paper, scissors");
    const Prediction guess = lesson.predict(
        "Queries and keys come from one matrix, and each token is trained to attend to what it "
        "beats. What weight does rock give to scissors after training?",
        within(0.05).from(0, 1));
    const Game two = train_game(with_two_matrices, lesson.seed()),
               one = train_game(with_one_matrix, lesson.seed()),
               symmetric = train_game(any_symmetric, lesson.seed());
    const auto map = [](const char* name, const Game& game) {
        return map_of(fmt::format("{}: loss {:.3f}", name, game.loss), players, game.attention);
    };
    lesson.show("game",
                std::vector{map("two matrices", two), map("one matrix", one),
                            map("any symmetric scores", symmetric)},
                "The weights after 1,000 steps of training.");
    lesson.reveal(guess, one.attention.weights[1]);
    //! {if all two-matrices < 0.001} Two matrices learn the game. The two others cannot.
    //!
    //! **Symmetric scores.** Rock has the same score for scissors as scissors for rock. A step that
    //! raises the first, which is right, also raises the second, which is wrong. At best both have
    //! the weight 1/2 in their rows, and the loss is $\ln 2 = 0.693$.
    //!
    //! **One matrix.** Now there is a second fault. The score of a token with itself is the squared
    //! length of its query, divided by $\sqrt 3$, and the score of two tokens is at most the mean of
    //! their scores with themselves:
    //!
    //! $$ 0 \le |q_1 - q_2|^2 = |q_1|^2 + |q_2|^2 - 2 \, q_1 \cdot q_2 . $$
    //!
    //! So not all three can look away from themselves. At best all weights are 1/3 and the loss is
    //! $\ln 3 = 1.099$, as good as no training at all. {if all symmetric < 0.002 and one-matrix <
    //! 0.002} Training comes within a thousandth of both losses.
    lesson.claim("two-matrices", "finding: loss with two matrices", two.loss, at_most(1e-3));
    lesson.claim("one-matrix", "finding: loss with one matrix, minus ln 3", one.loss - std::log(3),
                 equals(0, 2e-3));
    lesson.claim("symmetric", "finding: loss with symmetric scores, minus ln 2",
                 symmetric.loss - std::log(2), equals(0, 2e-3));
}

//! ## Queries that others call keys
//!
//! Not every text uses the names as we do. In one of our sources the words are "queries", and what
//! they are compared with are "keys". But softmax runs over the words, and their values are
//! averaged. So only the names are exchanged, and a dot product does not care about names: $a \cdot
//! b = b \cdot a$. Here are both namings for a lookup: each token is a name with a fact, the
//! question is a name, and the answer is its fact.
//!
//! {code model.cpp train_lookup}
AttentionOutput with_the_other_names(const LookupModel& model, const Tensor& question,
                                     const Tensor& tokens) {
    const Tensor queries = model.query(tokens), key = model.key(question);  // [B, K, D], [B, 1, D]
    const Tensor scores = matmul(queries, transpose(key)) / std::sqrt(double(key.size(2)));
    const Tensor weights = softmax(scores, 1);  // [B, K, 1], over words
    return {sum(weights * model.value(tokens), 1, true), transpose(weights)};
}

AttentionOutput with_our_names(const LookupModel& model, const Tensor& question,
                               const Tensor& tokens) {
    const Tensor query = model.key(question), keys = model.query(tokens);  // the layers exchanged
    const Tensor scores = matmul(query, transpose(keys)) / std::sqrt(double(query.size(2)));
    return soft_attention(scores, model.value(tokens));
}

void exchange_names(Lesson& lesson, int steps) {
    lesson.heading("Queries that others call keys");
    Rng rng(lesson.seed());
    LookupModel model(8, false, rng);
    const double accuracy = train_lookup(model, with_the_other_names, steps, rng.split());
    const Lookups data = draw_lookups(100, rng);
    const Tensor other = with_the_other_names(model, data.question, data.tokens).context,
                 ours = with_our_names(model, data.question, data.tokens).context;
    lesson.say("Accuracy on 2,000 new lookups, with the names exchanged: {}.", number(accuracy));
    lesson.claim("roles-named-wrong",
                 "finding: words called queries, question called key: accuracy", accuracy,
                 at_least(0.99));
    lesson.claim("same-contexts", "identity: contexts under the two namings, largest difference",
                 max(abs(other - ours)).item(), at_most(1e-5));
}

//! Names matter when you call a function. In this library, in PyTorch and in the paper of the
//! Transformer, softmax runs over what is called "key". Pass the words as queries and the question
//! as the only key and value, and each word gives the question the weight 1. No fact reaches the
//! answer, and there is no error message. So ask two questions of any text about attention: over
//! what does softmax run, and what is averaged?
//!
//! ## Separate keys and values
//!
//! In lesson {translation} the encoder states went into the mean as they were. Are separate values
//! needed? Miller et al. (2016) gave a memory separate keys and values, and Daniluk et al. (2017)
//! found that one vector for several purposes does each of them badly.
//!
//! {no results} Take the lookup again. A sequence has eight tokens, and each pairs one of 16 names
//! with one of 16 facts. A score needs the name, and the answer needs the fact. Let key and value be
//! one number: 1 for the name that is asked for and 0 for all others, plus a number for the fact.
//! The query is 2. The right pair has the fact -0.8, so its number is $1 - 0.8 = 0.2$ and its score
//! 0.4. Another pair has the fact 0.7, and its score is 1.4. The wrong pair wins, because its fact
//! is part of its key.
//!
//! There are two ways out. A wider vector holds the name in its first number and the fact in its
//! second, and the query $(2, 0)$ ignores the second. Or the fact becomes a vector of its own, the
//! value, with a matrix of its own. In a fair comparison both models have about the same number of
//! parameters.
void separate_values(Lesson& lesson, int steps) {
    lesson.heading("Separate keys and values");
    const Prediction guess = lesson.predict(
        "With separate values and width 2, a model has 240 parameters. With keys as values and "
        "width 3, it has 256. What accuracy does the second one reach? (Guessing gives 0.06.)",
        within(0.1).from(0, 1));
    std::vector<Sweep> sweeps;
    for (bool keys_as_values : {false, true})
        sweeps.push_back(by_width(keys_as_values, {1, 2, 3, 4, 6}, steps, 1000 * lesson.seed(),
                                  lesson.quick() ? 2 : 5));
    const auto means = show_widths(lesson, sweeps);
    lesson.reveal(guess, means[1][2]);
    // Two of a hundred trainings stay below 0.6 (seeds 4 and 13), so one of the five may, or two.
    lesson.claim("values-240", "finding: 240 parameters, separate values: accuracy", means[0][1],
                 at_least(0.8));
    lesson.claim("keys-256", "finding: 256 parameters, keys as values: accuracy", means[1][2],
                 at_most(lesson.quick() ? 0.25 : 0.3));
    //! {if all values-240 > 0.85 and keys-256 < 0.3 and keys-496 > 0.99} With 240 parameters the
    //! model with separate values answers {values-240:%} of the questions. Without them 256
    //! parameters answer {keys-256:%}, and 496 are enough: a vector that is wide enough can be both
    //! key and value.
    lesson.claim("keys-496", "finding: 496 parameters, keys as values: accuracy", means[1][4],
                 at_least(0.98));
}

}  // namespace

}  // namespace heed::lesson17

//! ## What this does not show
//!
//! Separate values are not always better: in lesson {translation} the encoder states were good
//! values. Symmetric scores are not always bad either: "means the same as" has no direction. And
//! that training finds useful matrices is shown for two small tasks only.
//!
//! Sources: Vaswani et al., "Attention is all you need" (2017), section 3.2.1; Miller et al.,
//! "Key-value memory networks" (2016); Daniluk et al., "Frustratingly short attention spans"
//! (2017); "A less-bad blog post about attention mechanisms" (2023).
//!
//! ## Summary
//!
//! 1. Three learned matrices give each token a query (what it looks for), a key (how it is found)
//!    and a value (what it hands over).
//! 2. Query and key give the score, softmax runs over the keys, and the context is a mean of
//!    values.
//! 3. Separate queries and keys give attention a direction. With one matrix for both, the scores
//!    are symmetric and rock, paper, scissors cannot be learned.
//! 4. Separate values let a narrow key hold only what is needed to find it.
//! 5. The names differ between texts. What counts is over what softmax runs and what is averaged.
//!
//! ## Try this next
//!
//! 1. In `w_value`, make the last column $(200, 200)$. Which weights change?
//! 2. In `w_query`, divide all numbers by 10. What happens to the weights, and to the contexts?
//! 3. Set `pairs` in `data.h` to 2. Which width is enough now for keys as values, and why?
using namespace heed;
using namespace heed::lesson17;

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
        opening(lesson);
        compare_words(lesson);
        on_paper(lesson);
        play(lesson);
        exchange_names(lesson, steps);
        separate_values(lesson, steps);
    });
}
