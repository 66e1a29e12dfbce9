//! # Six scores, four tasks
//!
//! A query can say what it looks for in many ways. It can name it: "red". It can look like it. It
//! can look like it to somebody who knows the other language. Or it says no more than where it is:
//! "the third". Is there one way of comparing a query with a key that serves all four?
//!
//! Lesson {scores} has four formulas for a score, and two more have been proposed. This workshop,
//! which is best read after that lesson, computes all six by hand and lets them compete on these
//! four tasks.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/w10_score_functions/model.h"
#include "lessons/w10_score_functions/pictures.h"

namespace heed::workshop10 {

using namespace course;

namespace {

//! ## One score for everything?
//!
//! Take the plain dot product $q \cdot k$, and ask it for the third of eight keys. It cannot know
//! which one is the third. Put the keys into another order, and each keeps its score, because a
//! score of query and key sees nothing but these two vectors.
//!
//! Now let the query be the key that it looks for, but turned in space by a rotation $R$, so that
//! $q = R k$. The right key has the score $k^\top R k$, and the wrong ones have scores of the same
//! kind: numbers of either sign around 0. So the dot product fails twice, for two reasons. It does
//! not see the position, and it cannot translate.
void draw_six(Lesson& lesson) {
    lesson.heading("One score for everything?");
    lesson.show("six", score_diagrams(),
                "The six scores. The inputs are the query q and the key k. The matrices W and U, "
                "the vector v and the number β are learned. No arrow leads from the key to the "
                "score of location.");
}

//! ## Six formulas
//!
//! In these formulas $q$ is the query, $k$ is one of the keys, and $j$ is the index of this key: 1
//! for the first, 2 for the second. Capital letters are matrices.
//!
//! | name | score of $q$ and $k$ | what is learned |
//! | --- | --- | --- |
//! | additive (Bahdanau 2015) | $v^\top \tanh(W q + U k)$ | $W$, $U$, $v$ |
//! | dot (Luong 2015) | $q \cdot k$ | nothing |
//! | general (Luong 2015) | $q^\top W k$ | $W$ |
//! | location (Luong 2015) | $(W q)_j$ | $W$ |
//! | scaled dot (Vaswani 2017) | $q \cdot k / \sqrt{D}$ | nothing |
//! | content (after Graves 2014) | $\beta \cos(q, k)$ | $\beta$ |
//!
//! **Additive** is a small network with one hidden layer. Two matrices map the query and the key to
//! vectors of the same length, which are added. The function $\tanh$, applied to each number, keeps
//! it between -1 and 1, and the product with $v$ makes one number of it. Luong calls this score
//! concat.
//!
//! **Dot** has no parameters. It is large when both vectors point in the same direction and are
//! long. **Scaled dot** is the dot product divided by the root of the width.
//!
//! **General** multiplies the key by a matrix before the dot product. The matrix translates: it can
//! bring the third number of a key to where the query has its first.
//!
//! **Location** does not use the key at all. Each row of $W$ belongs to one position, and the score
//! of position $j$ is the product of row $j$ with the query.
//!
//! **Content** is the cosine of the angle between the two vectors, which is their dot product
//! divided by both lengths. Only the directions count. A cosine is at most 1, so a factor $\beta$,
//! the *sharpness*, decides how far apart the scores can be. Here $\beta$ is one learned number. In
//! the Neural Turing Machine of Graves, the network computes a new one at every step.
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

//! {no results}
//!
//! By hand: let three keys be colours, written as amounts of red and of green light. Red is $(1,
//! 0)$, green is $(0, 1)$ and yellow is $(1, 1)$. The query $q = (2, 1)$ is a bright orange. What
//! are the scores of yellow?
//!
//! - Dot: $2 \cdot 1 + 1 \cdot 1 = 3$. Scaled dot: $3 / \sqrt 2 = 2.121$.
//! - General, with a $W$ that swaps red and green: $W k$ is still $(1, 1)$, and the score is 3.
//! - Additive, with $W$ and $U$ that leave vectors as they are and $v = (1, 1)$: the sum is $(3,
//!   2)$, $\tanh$ makes $(0.995, 0.964)$ of it, and the score is 1.959.
//! - Content: the lengths are $\sqrt 5$ and $\sqrt 2$, so the cosine is $3 / \sqrt{10} = 0.949$,
//!   and with $\beta = 3$ the score is 2.846.
//! - Location, with the rows $(0, 0)$, $(0, 1)$ and $(1, 0)$ in $W$: yellow is at position 3, so
//!   its score is $(1, 0) \cdot (2, 1) = 2$.
//!
//! ![Drag the query round the origin, and make it longer: which scores change? Then do the same with another score. Only one of the six does not care where the keys are.](live:six_scores)
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

//! ## Six scores, four tasks
//!
//! Now the six compete. Each problem has eight keys, and each key has a value, one of ten. The
//! query selects one key, and the answer is the value of this key. The four tasks differ in how the
//! query selects it:
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
//! number of steps with Adam. Each uses the best of three learning rates, chosen with a seed that
//! is not used again. The accuracy is measured on 1,000 new problems.
//!
//! {no results} What does failure look like? A model that gives all eight keys equal weights does
//! best when it names the value that occurs most often among them, and is right in 0.30 of the
//! cases. A model that looks at one key chosen by chance is right in $1/8 + 7/8 \cdot 1/10 = 0.21$.
//! Both have learned nothing.
//!
//! Parts of the table can be foreseen. Dot, scaled dot and content have no matrix to undo a
//! rotation. Location does not see the keys, and the five others do not see the position. Fill in
//! what must fail before you look. What is left open?
//!
//! {code model.cpp learned_accuracy}
void compare_scores(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Six scores, four tasks");
    const Accuracies reached = show_tasks(lesson, steps);
    const std::vector<ScoreKind> by_content{ScoreKind::additive, ScoreKind::dot, ScoreKind::general,
                                            ScoreKind::scaled_dot, ScoreKind::content},
        without_matrix{ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::content};
    const double high = lesson.quick() ? 0.8 : 0.95;

    lesson.claim("location-position", "location, task position: accuracy",
                 reached.of(ScoreKind::location, Task::position), at_least(high));
    lesson.claim("general-other-space", "general, task other space: accuracy",
                 reached.of(ScoreKind::general, Task::other_space), at_least(high));
    lesson.claim("additive-symbols", "additive, task symbols: accuracy",
                 reached.of(ScoreKind::additive, Task::symbols), at_least(high));
    lesson.reveal(guess, name_of(reached.most_tasks()));

    // What must fail, and the one result that more training may change, are not judged.
    lesson.measured(
        "location-others", "location, other tasks: best accuracy",
        reached.best({ScoreKind::location}, {Task::symbols, Task::same_space, Task::other_space}));
    lesson.measured("five-position", "the five other scores, task position: best accuracy",
                    reached.best(by_content, {Task::position}));
    lesson.measured("three-other-space",
                    "dot, scaled dot and content, task other space: best accuracy",
                    reached.best(without_matrix, {Task::other_space}));
    lesson.measured("additive-same-space",
                    "additive, task same space (new vectors in every problem): accuracy",
                    reached.of(ScoreKind::additive, Task::same_space));
}

//! {if all location-position > 0.95 and location-others < 0.45} Location solves the task of
//! positions and no other. {if all five-position < 0.45} None of the five other scores solves it.
//! {if all general-other-space > 0.95 and three-other-space < 0.45} General solves the three other
//! tasks, because its matrix can undo the rotation, or change nothing where nothing has to be
//! changed. Most models of later lessons have such matrices, in the layers that compute queries and
//! keys (lesson {query_key_value}). Positions have to be added to the vectors if a score is to see
//! them (lesson {positions}).
//!
//! {if all additive-symbols > 0.95 and additive-same-space < 0.35} The open question was additive.
//! It learns the symbols, and where the vectors are new in every problem it stays at
//! {additive-same-space:2}, as if all weights were equal. To compare any two vectors it would have
//! to build products out of a sum and a $\tanh$. A hidden layer of 32 units did not learn that in
//! 800 steps. That is a result about this budget, and not about the formula.
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

}  // namespace heed::workshop10

//! {if all dot-small-start > 0.95} The columns differ. With scores that begin small, dot learns the
//! task as well as scaled dot. What looked like a better formula was a better beginning.
//!
//! ## What this does not show
//!
//! The tasks are small, and all keys are in one list of eight. In real translation the order may be
//! another one: Britz and others trained hundreds of translators and found additive a little better
//! than dot, and Vaswani and others say that it beats a dot product without the divisor at large
//! widths. Lesson {luong} compares four of the scores in our translator.
//!
//! Sources: Bahdanau, Cho and Bengio (2015), appendix A.1.2; Luong, Pham and Manning (2015),
//! section 3.1; Graves, Wayne and Danihelka, "Neural Turing Machines" (2014), section 3.3.1;
//! Vaswani et al. (2017), section 3.2.1; Britz, Goldie, Luong and Le, "Massive Exploration of
//! Neural Machine Translation Architectures" (2017), on attention.
//!
//! ## Summary
//!
//! 1. Six scores have been proposed. Four compare the two vectors, one compares them by a small
//!    network, and one looks at the query and the position alone.
//! 2. A score without a matrix compares vectors as they are. A matrix translates between queries
//!    and keys.
//! 3. The location score sees the positions and not the keys; the others see the keys and not the
//!    positions.
//! 4. The additive score learned a list of symbols, and did not learn to compare new vectors with
//!    this budget.
//! 5. The advantage of scaled dot over dot is that of smaller initial scores: dot with smaller
//!    initial vectors learns the task as well.
//!
//! ## Try this next
//!
//! 1. `--steps 5000`: which scores needed only more training?
//! 2. In `model.h`, set `width` to 128. Which row of the last table changes, and which column?
using namespace heed;
using namespace heed::workshop10;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 10,
                   .name = "score_functions",
                   .title = "Six scores, four tasks",
                   .question = "Is there one way of comparing a query with a key that is always "
                               "right?",
                   .own_data = "four small tasks with new problems in every batch"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (800; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 800;
        const Prediction most = lesson.predict(
            "The query selects a key by a symbol, a vector, a rotated vector or a position. Which "
            "score solves most of these four tasks?",
            {"additive", "dot", "general", "location", "scaled_dot", "content"});
        draw_six(lesson);
        compute_by_hand(lesson, three_colours());
        check_against_the_library(lesson);
        compare_scores(lesson, steps, most);
        separate_form_from_initial_values(lesson, steps);
    });
}
