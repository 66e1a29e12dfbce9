//! # Which score function?
//!
//! In lesson {attention_pooling} a network gave every word of a document a number, its score, and
//! turned the scores into weights. There was one query for all documents. From now on every
//! sentence, and every word, brings a query of its own, and the score has to say how well this
//! query matches a key. Six formulas for it are in use. This lesson computes all six by hand,
//! explains why the most successful one divides by the square root of the width, and then lets the
//! six compete on four tasks.

#include <cmath>

#include "lessons/10_scores/experiment.h"
#include "lessons/10_scores/model.h"
#include "lessons/10_scores/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson10 {

using namespace course;

namespace {

//! ## A dictionary that is asked with vectors
//!
//! Take a dictionary with three entries. Each entry has a key, by which it is found, and a value,
//! which is the answer. The keys are colours, written as amounts of red and of green light:
//!
//! | entry | key | value |
//! | --- | --- | --- |
//! | red | $(1, 0)$ | 10 |
//! | green | $(0, 1)$ | 20 |
//! | yellow | $(1, 1)$ | 30 |
//!
//! We ask it with a query: $q = (2, 1)$, a bright orange. A dictionary of Python compares the query
//! with each key for equality, finds none and raises an error. Vectors that a network computes are
//! never exactly equal, so equality is of no use.
//!
//! The next attempt is to take the entry whose key matches best. We measure the match by the *dot
//! product*, the sum of the products of the numbers at the same index:
//!
//! $$ q \cdot k = \sum_{i=1}^{D} q_i k_i . $$
//!
//! $D$ is the *width*, how many numbers a vector has; here it is 2. The query gives
//! $2 \cdot 1 + 1 \cdot 0 = 2$ for red, 1 for green and 3 for yellow. So yellow is the best key,
//! and its value, 30, is the answer. But a network cannot learn from this answer. If the query
//! moves a little, yellow is still the best key, and the answer is still 30. The answer does not
//! change, so its derivative with respect to the query is 0. Gradient descent changes the query by
//! a step against the derivative (lesson {learning}). With the derivative 0 the step is 0, and
//! nothing is learned.
//!
//! The way out is to let every entry contribute, and a better match contribute more. Let $e_j$ be
//! the score of key $j$. Softmax turns the scores into positive weights $\alpha_j$ with the sum 1,
//! and the answer is the mean of the values $v_j$ with these weights:
//!
//! $$ \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}, \qquad c = \sum_j \alpha_j v_j . $$
//!
//! {no results} For orange, the numbers $e^2$, $e^1$ and $e^3$ are 7.389, 2.718 and 20.086, and
//! their sum is 30.193. Divided by the sum they are the weights 0.245, 0.090 and 0.665. The answer
//! is $0.245 \cdot 10 + 0.090 \cdot 20 + 0.665 \cdot 30 = 24.2$. It moves when the query moves:
void ask_the_dictionary(Lesson& lesson, const Entries& colours) {
    lesson.heading("A dictionary that is asked with vectors");
    show_answers(lesson, colours);
}

//! ## Six formulas
//!
//! The dot product is one way to compare two vectors. In these formulas $q$ is the query, $k$ is
//! one of the keys, and $j$ is the index of this key: 1 for the first, 2 for the second. Capital
//! letters are matrices. The sign in $q^\top$ says that $q$ is taken as a row, so $q^\top k$ is
//! another way to write $q \cdot k$.
//!
//! | name | score of $q$ and $k$ | what is learned |
//! | --- | --- | --- |
//! | additive (Bahdanau 2015) | $v^\top \tanh(W q + U k)$ | $W$, $U$, $v$ |
//! | dot (Luong 2015) | $q \cdot k$ | nothing |
//! | general (Luong 2015) | $q^\top W k$ | $W$ |
//! | location (Luong 2015) | $(W q)_j$ | $W$ |
//! | scaled dot (Vaswani 2017) | $q \cdot k / \sqrt{D}$ | nothing |
//! | content (Graves 2014) | $\beta \cos(q, k)$ | $\beta$ |
//!
//! **Additive** is a small network with one hidden layer. Two matrices $W$ and $U$ map the query
//! and the key to vectors of the same length, which are added. The function $\tanh$, applied to
//! each number, keeps it between -1 and 1. The product with a vector $v$ makes one number of it.
//! ($v$ is a parameter here, not the value of an entry.) Luong calls this score concat.
//!
//! **Dot** has no parameters. It is large when both vectors point in the same direction and are
//! long.
//!
//! **General** multiplies the key by a matrix $W$ before the dot product. So queries and keys need
//! not mean the same thing at the same index: the matrix translates between them.
//!
//! **Location** does not use the key at all. Each row of $W$ belongs to one position, and the score
//! of position $j$ is the product of row $j$ with the query.
//!
//! **Scaled dot** is the dot product, divided by the square root of the width. The next section
//! explains why.
//!
//! **Content** is the cosine of the angle between the two vectors, which is their dot product
//! divided by both lengths. Only the directions count. A cosine is at most 1, so a learned factor
//! $\beta$, the *sharpness*, decides how far apart the scores can be.
Tensor additive_score(const Tensor& q, const Tensor& k,  // [D], [K, D] -> [K]
                      const Tensor& W, const Tensor& U, const Tensor& v) {
    return matmul(tanh(matmul(W, q) + matmul(k, transpose(U))), v);
}
Tensor dot_score(const Tensor& q, const Tensor& k) { return matmul(k, q); }
Tensor general_score(const Tensor& q, const Tensor& k, const Tensor& W) {
    return matmul(matmul(k, transpose(W)), q);
}
Tensor location_score(const Tensor& q, const Tensor& k, const Tensor& W) {
    return slice(matmul(W, q), 0, 0, k.size(0));
}
Tensor scaled_dot_score(const Tensor& q, const Tensor& k) {
    return matmul(k, q) / std::sqrt(static_cast<double>(q.size(0)));
}
Tensor content_score(const Tensor& q, const Tensor& k, const Tensor& sharpness) {
    return sharpness * matmul(k, q) / (sqrt(sum(k * k, 1)) * sqrt(sum(q * q)));
}

//! {no results} Once more orange, $q = (2, 1)$, and the key yellow, $k = (1, 1)$. For the
//! parameters we choose simple numbers. Let $W$ and $U$ of the additive score leave vectors as they
//! are, and $v = (1, 1)$. Then $W q + U k = (3, 2)$, $\tanh$ makes $(0.995, 0.964)$ of it, and the
//! sum is 1.959. Let $W$ of the general score swap red and green. Then $W k$ is still $(1, 1)$, and
//! the score is 3. The scaled score is $3 / \sqrt 2 = 2.121$. The lengths of the two vectors are
//! $\sqrt 5$ and $\sqrt 2$, so the cosine is $3 / \sqrt{10} = 0.949$, and with $\beta = 3$ the
//! content score is 2.846. Let the rows of the location score's matrix be $(0, 0)$, $(0, 1)$ and
//! $(1, 0)$. Yellow is at position 3, so its score is the product of $(1, 0)$ with the query, 2.
//! The program computes the same, for all three keys:
void compute_by_hand(Lesson& lesson, const Entries& colours) {
    lesson.heading("Six formulas");
    const Tensor &q = colours.query, &k = colours.keys;
    const Tensor same = tensor({1, 0, 0, 1}, {2, 2}), swap = tensor({0, 1, 1, 0}, {2, 2});
    show_scores(lesson, {{"additive", additive_score(q, k, same, same, tensor({1., 1.}))},
                         {"dot", dot_score(q, k)},
                         {"general", general_score(q, k, swap)},
                         {"location", location_score(q, k, tensor({0, 0, 0, 1, 1, 0}, {3, 2}))},
                         {"scaled dot", scaled_dot_score(q, k)},
                         {"content", content_score(q, k, tensor({3.}))}});
    lesson.show("six", score_diagrams(),
                "The six scores. The inputs are the query q and the key k. The matrices W and U, "
                "the vector v and the number β are learned. No arrow leads from the key to the "
                "score of location.");
}

double by_hand_or_library(ScoreKind kind, Rng& rng) {  // the largest difference
    const AttentionScore score(kind, {.query = width, .key = width, .sharpness = 3}, rng);
    const Tensor q = normal({width}, 0, 1, rng), k = normal({keys, width}, 0, 1, rng);
    const Tensor library = reshape(score.of(reshape(q, {1, 1, width}), unsqueeze(k, 0)), {-1});
    Tensor ours = dot_score(q, k);
    if (const auto* s = std::get_if<AdditiveScore>(&score.any))
        ours = additive_score(q, k, s->query.weight, s->key.weight, s->v);
    if (const auto* s = std::get_if<GeneralScore>(&score.any))
        ours = general_score(q, k, s->weight);
    if (const auto* s = std::get_if<LocationScore>(&score.any))
        ours = location_score(q, k, s->weight);
    if (const auto* s = std::get_if<ContentScore>(&score.any))
        ours = content_score(q, k, exp(s->log_sharpness));
    if (kind == ScoreKind::scaled_dot) ours = scaled_dot_score(q, k);
    return max(abs(library - ours)).item();
}

void check_against_the_library(Lesson& lesson) {
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    double gap = 0;
    for (ScoreKind kind : score_kinds()) gap = std::max(gap, by_hand_or_library(kind, rng));
    lesson.claim("scores-by-hand", "six scores by hand against the library's, largest difference",
                 gap, at_most(1e-4));
}

//! ## Why divide by the root of the width?
//!
//! Orange had a width of 2. In a real model the width is 64 or 512, and then something goes wrong
//! with the dot product. Let us first see how large it gets. At the start of training, the numbers
//! in $q$ and $k$ are random: independent, with mean 0 and variance 1. (The *variance* is the mean
//! of the squared distance from the mean; its root, the *standard deviation*, is a typical
//! distance.) What follows for the dot product?
//!
//! First take one product $q_i k_i$. Its two factors are independent, so the mean of the product is
//! the product of the means, $0 \cdot 0 = 0$. In the same way the mean of its square is the mean of
//! $q_i^2$ times the mean of $k_i^2$, which is $1 \cdot 1 = 1$. So one product has mean 0 and
//! variance 1. The dot product is the sum of $D$ such products, and the variance of a sum of
//! independent numbers is the sum of their variances:
//!
//! $$ \operatorname{var}(q \cdot k) = \sum_{i=1}^{D} \operatorname{var}(q_i k_i) = D . $$
//!
//! So the standard deviation of the scores is $\sqrt{D}$: 2 at width 4, and about 23 at width 512.
//! Random vectors have nothing to say about each other, and yet a score of 23 or -23 is nothing
//! unusual for them at width 512. If we divide each score by $\sqrt{D}$, the standard deviation is
//! 1 at every width. That is all the division does: **it makes the size of the scores independent
//! of the width.** We draw random pairs and measure the variance of both scores. If a number is
//! divided by $\sqrt{D}$, its variance is divided by $D$:
double measure_variances(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    lesson.heading("Why divide by the root of the width?");
    const VarianceResult result = show_variances(lesson, widths, rng);
    lesson.claim("variance", "variance over width, largest distance from 1", result.plain,
                 at_most(0.05));
    lesson.claim("variance-scaled", "variance of the scaled score, largest distance from 1",
                 result.scaled, at_most(0.05));
    return result.at_64;
}

//! ## When a query stops learning
//!
//! Why does the size of the scores matter? Softmax turns differences of scores into ratios of
//! weights: a score that is larger by 1 gives a weight that is $e = 2.718$ times as large, and one
//! that is larger by 23 gives a weight that is ten billion times as large. Then one key has nearly
//! all the weight and the others have nearly none. Such weights are called *saturated*.
//!
//! Saturated weights stop the learning. Let $g_j$ be the derivative of the loss with respect to the
//! weight $\alpha_j$. Softmax hands it on to the score $e_j$ like this:
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) . $$
//!
//! The sum is the mean of all $g_k$ with the weights. Now suppose that one weight is 1 and the
//! others are 0. For the key with weight 1, the mean is its own $g_j$, and the bracket is 0. For
//! all other keys, the factor $\alpha_j$ is 0. So every score has the derivative 0, whatever the
//! loss says. **A query stops learning when all of its weight is on one key**, even if it is the
//! wrong key. Nothing tells the scores that another key would have been better.
//!
//! {no results} With two keys and $g = (1, 0)$ the formula is $\alpha_1 (1 - \alpha_1)$. For equal
//! weights it gives $0.5 \cdot 0.5 = 0.25$. When the scores differ by 8 it gives 0.00034:
//!
//! ![Take the dot score and raise the width: one weight takes all, and the gradient behind the softmax dies. Divide by the root, which is the scaled dot: the width no longer matters. Then do the same damage with a low temperature.](live:saturation)
void follow_one_gradient(Lesson& lesson) {
    lesson.heading("When a query stops learning");
    const double gap = show_gradients(lesson);
    lesson.claim("gradient-formula", "gradient of the scores by the formula against the library's",
                 gap, at_most(1e-6));
}

//! ## From width 4 to width 512
//!
//! {no results} The same happens with 32 random keys as the width grows. To see how far the weights
//! are spread, we measure their entropy, $-\sum_j \alpha_j \ln \alpha_j$. It is largest when all
//! weights are equal ($\ln 32 = 3.47$ for 32 keys) and 0 when one weight is 1. With the natural
//! logarithm its unit is called nat. We also measure the gradient of the scores. There is no task
//! and no loss here, so we draw the derivatives $g_j$ of a loss with respect to the weights at
//! random, with mean 0 and variance 1, and compute the derivatives of the 32 scores from them by
//! the formula above. The norm of this gradient (its length as a vector, lesson {recurrence}) says
//! how much the scores can still learn. We call it vanished if it is below 0.001. We compare three
//! cases: dot products, scaled dot products, and scaled dot products where one of the keys is equal
//! to the query.
//!
//! The third case can arise in training. Often it is said that the division by $\sqrt{D}$ prevents
//! vanishing gradients. It prevents one cause of them: large scores of independent vectors. After
//! training, queries and keys are not independent. If a key is equal to its query, the score is
//! $|q|^2 / \sqrt{D}$. The squared length $|q|^2$ is about $D$, so the score is about $\sqrt{D}$,
//! 23 at width 512, in spite of the division.
void measure_saturation(Lesson& lesson, const std::vector<double>& widths, Rng& rng,
                        Prediction enough) {
    lesson.heading("From width 4 to width 512");
    const std::vector<Sweep> sweeps = show_saturation(lesson, widths, rng);
    const Sweep &plain = sweeps[0], &scaled = sweeps[1], &matching = sweeps[2];
    lesson.claim("entropy-unscaled", "unscaled: entropy at width 512 over that at width 4",
                 plain.last.entropy / plain.first.entropy, at_most(0.2));
    lesson.claim("gradient-unscaled", "unscaled: gradient of the scores at 512 over that at 4",
                 plain.last.scores / plain.first.scores, at_most(0.5));
    lesson.claim("vanished-unscaled", "unscaled: share of queries with a vanished gradient at 512",
                 plain.last.vanished, at_least(0.4));
    lesson.claim("entropy-scaled", "scaled: entropy at 512 over that at 4",
                 scaled.last.entropy / scaled.first.entropy, between(0.9, 1.1));
    lesson.reveal(enough, matching.last.scores > 0.01 ? "yes" : "no");
    lesson.claim("gradient-scaled", "scaled, one key matches: gradient of the scores at 512",
                 matching.last.scores, at_most(1e-3));
    //! {if all vanished-unscaled > 0.4 and entropy-unscaled < 0.1 and entropy-scaled > 0.95}
    //! Without the division, {vanished-unscaled:%} of the queries have a vanished gradient at width
    //! 512. With it, the weights are spread as widely as at width 4.
    //!
    //! A word about the values. Their gradient does not vanish when the weights saturate. The
    //! derivative of the answer with respect to the value $v_j$ is the weight $\alpha_j$, so a
    //! single value with the weight 1 receives all of it. Such a model goes on learning what to
    //! answer, but no longer where to look.
    lesson.claim("value-gradient", "unscaled: gradient of the values at 512, over scaled",
                 plain.last.values / scaled.last.values, more_than(1));
}

//! ## Six scores, four tasks
//!
//! Now the six scores compete. Each problem has eight keys, and each key has a value, one of ten.
//! The query selects one key, and the answer is the value of this key. The four tasks differ in how
//! the query selects it:
//!
//! - Symbols: each key is one of twenty symbols, and the query names one of them. A symbol has one
//!   learned vector as a key and another one as a query.
//! - Same space: the keys are random vectors, new in every problem, and the query is one of them
//!   with some noise.
//! - Other space: the same, but the query has been rotated. The rotation is the same in all
//!   problems, so it can be learned.
//! - Position: the keys are random vectors, and the query names a position, such as "the third".
//!
//! The six models differ in the score only. All have a width of 32 and are trained for the same
//! number of steps with the same optimiser (Adam, lesson {learning}). Each uses the best of three
//! learning rates, chosen with a seed that is not used again. The accuracy is measured on 1,000 new
//! problems.
//!
//! {no results} How good is a model that cannot find the key? If it gives all eight keys equal
//! weights, its best guess is the value that occurs most often among the eight. On the average 2.4
//! of the eight keys have this value, so it is right in 0.30 of the cases. If it puts all weight on
//! a key chosen at random, it does worse: this key is the right one in 1 of 8 cases, and in the
//! others it has the right value in 1 of 10, which makes $1/8 + 7/8 \cdot 1/10 = 0.21$. So numbers
//! around 0.2 and 0.3 in the table mean that the task was not learned.
//!
//! Before you look: dot, scaled dot and content have no matrix to undo a rotation. Location does
//! not see the keys, and the five other scores do not see the position. What does this mean for the
//! four columns?
void compare_scores(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Six scores, four tasks");
    const Accuracies reached = show_tasks(lesson, steps);
    const std::vector<ScoreKind> by_content{ScoreKind::additive, ScoreKind::dot, ScoreKind::general,
                                            ScoreKind::scaled_dot, ScoreKind::content},
        without_matrix{ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::content};
    const double high = lesson.quick() ? 0.8 : 0.95, low = 0.45;

    lesson.claim("location-position", "location, task position: accuracy",
                 reached.of(ScoreKind::location, Task::position), at_least(high));
    lesson.claim(
        "location-others", "location, other tasks: best accuracy",
        reached.best({ScoreKind::location}, {Task::symbols, Task::same_space, Task::other_space}),
        at_most(low));
    lesson.claim("five-position", "the five other scores, task position: best accuracy",
                 reached.best(by_content, {Task::position}), at_most(low));
    lesson.claim("general-other-space", "general, task other space: accuracy",
                 reached.of(ScoreKind::general, Task::other_space), at_least(high));
    lesson.claim("three-other-space",
                 "dot, scaled dot and content, task other space: best accuracy",
                 reached.best(without_matrix, {Task::other_space}), at_most(low));
    lesson.claim("additive-symbols", "additive, task symbols: accuracy",
                 reached.of(ScoreKind::additive, Task::symbols), at_least(high));
    lesson.claim("additive-same-space",
                 "additive, task same space (new vectors in every problem): accuracy",
                 reached.of(ScoreKind::additive, Task::same_space), at_most(low));
    lesson.reveal(guess, name_of(reached.most_tasks()));
}

//! {if all location-position > 0.95 and location-others < 0.45} Location solves the task of
//! positions and no other. {if all five-position < 0.45} None of the five other scores solves it.
//! {if all general-other-space > 0.95 and three-other-space < 0.45} General solves the three other
//! tasks, because its matrix can undo the rotation, or change nothing where nothing has to be
//! changed. So a dot product with a learned matrix is the most useful of the six. Most models of
//! later lessons have such matrices, in the layers that compute queries and keys (lesson
//! {query_key_value}). Positions have to be added to the vectors if it is to see them (lesson
//! {positions}).
//!
//! ## Form or initial values?
//!
//! {if all scaled-minus-dot > 0} In the table, scaled dot does better than dot on symbols, where
//! both vectors are learned. It did so with {count scaled-minus-dot > 0} seeds. It is tempting to
//! say that it is the better formula. But the division changes two things at once: the formula, and
//! the size of the scores when training begins. The learned vectors begin with variance 1, so the
//! scores of dot begin with variance 32, and those of scaled dot with variance 1.
//!
//! These two can be told apart. We train dot once more with initial query vectors divided by
//! $\sqrt{32}$, so that its scores begin with variance 1. And we train scaled dot with initial
//! query vectors multiplied by $\sqrt{32}$, so that its scores begin with variance 32. If the
//! formula matters, the rows of the table differ. If the initial values matter, the columns differ.
void separate_form_from_initial_values(Lesson& lesson, int steps) {
    lesson.heading("Form or initial values?");
    const InitialValues reached = show_initial_values(lesson, steps);
    const double high = lesson.quick() ? 0.8 : 0.95;
    lesson.claim("dot-small-start", "dot, initial variance 1, task symbols: accuracy",
                 reached.dot_small, at_least(high));
    lesson.claim("scaled-minus-dot",
                 "scaled dot, initial variance 1, minus dot, initial variance 32",
                 reached.scaled_small - reached.dot_large, more_than(0));
}

}  // namespace

}  // namespace heed::lesson10

//! ## What this does not show
//!
//! The tasks are small, and all keys are in one list of eight. Lesson {luong} compares scores in
//! translation. The additive score is often called more expressive than a dot product, which means
//! that there are more functions of query and key that it can represent. Here it did not learn to
//! compare vectors that are new in every problem. This does not prove that it cannot: a wider
//! hidden layer or a longer training may do it. The claims about variance hold for independent
//! numbers; trained queries and keys are not independent.
//!
//! Sources: Bahdanau, Cho and Bengio (2015), appendix A.1.2; Luong, Pham and Manning (2015),
//! section 3.1; Graves, Wayne and Danihelka (2014), section 3.3.1; Vaswani et al. (2017), section
//! 3.2.1 and its footnote 4, on the variance.
//!
//! ## Summary
//!
//! 1. A score says how well a query matches a key. Softmax turns scores into weights, and the
//!    answer is the mean of the values with these weights, so that it changes smoothly with the
//!    query.
//! 2. The variance of a dot product of random vectors is the width. Division by the root of the
//!    width makes it 1 at every width.
//! 3. When all weight is on one key, the derivatives of all scores are 0, and the query stops
//!    learning where to look.
//! 4. A score without a matrix compares vectors as they are. A matrix translates between queries
//!    and keys. The location score sees the query and the positions, but not the keys. The other
//!    scores see the query and the keys, but not the positions.
//! 5. The advantage of scaled dot over dot is that of smaller initial scores: dot with smaller
//!    initial vectors learns the task as well.
//!
//! ## Try this next
//!
//! 1. In `experiment.cpp`, let one key be the query plus noise as large as itself. At which width
//!    do the weights saturate now?
//! 2. `--steps 5000`: which scores needed only more training?
//! 3. In `model.h`, set `width` to 128. Which row of the last table changes, and which column?
using namespace heed;
using namespace heed::lesson10;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 10,
         .name = "scores",
         .title = "Which score function?",
         .question = "Does it matter how a query is compared with a key?",
         .own_data = "random vectors, and four small tasks with new problems in every batch"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction variance = lesson.predict(
            "Two vectors of 64 independent random numbers, mean 0 and variance 1. What is the "
            "variance of their dot product?",
            within_factor(1.2));
        const Prediction enough = lesson.predict(
            "Queries and keys have 512 numbers, and scores are divided by the root of 512. Is the "
            "gradient of the scores still above 0.01 when one of the keys equals the query?",
            {"yes", "no"});
        const Prediction most = lesson.predict(
            "The query selects a key by a symbol, a vector, a rotated vector or a position. Which "
            "score solves most of these four tasks?",
            {"additive", "dot", "general", "location", "scaled_dot", "content"});

        const Entries colours = three_colours();
        ask_the_dictionary(lesson, colours);
        compute_by_hand(lesson, colours);
        check_against_the_library(lesson);

        const std::vector<double> widths{4, 8, 16, 32, 64, 128, 256, 512};
        Rng rng(lesson.seed());
        lesson.reveal(variance, measure_variances(lesson, widths, rng));
        follow_one_gradient(lesson);
        measure_saturation(lesson, widths, rng, enough);
        compare_scores(lesson, steps, most);
        separate_form_from_initial_values(lesson, steps);
    });
}
