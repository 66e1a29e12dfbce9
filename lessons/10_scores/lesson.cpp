//! # How well does a word fit?
//!
//! In lesson {attention} a query of two numbers gave our three words the scores 0, 2 and 4. Now
//! take queries and words of 512 numbers and fill them at random, so that nothing fits anything.
//! What should come out is indecision, a little of every word. What does come out is certainty:
//! nearly all the weight is on one word, which chance has chosen. Worse, the network can hardly
//! learn that it was the wrong one.
//!
//! What happens there, and what does a division by a root do about it? And first: what if query and
//! words do not even speak the same language?

#include <cmath>

#include "attention/scores/score.h"
#include "autograd/autograd.h"
#include "lessons/10_scores/experiment.h"
#include "lessons/10_scores/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson10 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show(
        "random", weights_of_random_words(lesson.seed()),
        "A query and 32 words of 512 random numbers each. If all words fit equally, each has "
        "the weight 1/32. What comes is the mean of 200 queries.");
}

//! ## Why not take the best?
//!
//! From now on every sentence, and every word of it, brings a query of its own. A *key* is the
//! vector of an item with which the query is compared. A *value* is the vector of an item that goes
//! into the mean. The two may be the same, as in lesson {attention}: 나는 $(3, 0)$, 학생 $(2, 1)$ and
//! 이다 $(0, 2)$ were both.
//!
//! Why a mean at all? The query $(0, 2)$ fits 이다 best. Take the value of 이다 and forget the others:
//! the answer is $(0, 2)$. Now move the query a little. 이다 is still the best, and the answer is
//! still $(0, 2)$. So its derivative with respect to the query is 0, and gradient descent gets no
//! direction. The weighted mean moves with every move of the query:
void move_the_query(Lesson& lesson) {
    lesson.heading("Why not take the best?");
    show_answers(lesson, three_words());
}

//! ## Ways to compare
//!
//! The *dot product* compares the first number with the first and the second with the second. This
//! works only if they mean the same in query and key. But the query may come from a decoder, and
//! the keys from an encoder. If the decoder says "verb" with its first number, the wish is $(2,
//! 0)$. The dot product gives the scores 6, 4 and 0, and it chooses 나는. Something has to translate.
void draw_three(Lesson& lesson) {
    lesson.heading("Ways to compare");
    lesson.show(
        "shadows", shadows(),
        "Our three words, and the query that asks for a verb. The dashed line drops from a "
        "word to the query's direction: the higher it lands, the larger is the dot product, the "
        "height times the length of the query, here 2.");
    lesson.show("scores", score_diagrams(),
                "Three scores. The query q and the key k are given; the matrices W and U and the "
                "vector v are learned.");
}

//! | name | score of $q$ and $k$ | what is learned |
//! | --- | --- | --- |
//! | dot (Luong 2015) | $q \cdot k$ | nothing |
//! | general (Luong 2015) | $q^\top W k$ | $W$ |
//! | additive (Bahdanau 2015) | $v^\top \tanh(W q + U k)$ | $W$, $U$, $v$ |
//! | scaled dot (Vaswani 2017) | $q \cdot k / \sqrt{D}$ | nothing |
//!
//! Capital letters are matrices, and $q^\top$ is $q$ as a row, so $q^\top k$ is another way to
//! write $q \cdot k$. **General** multiplies the key by $W$ before the dot product. A $W$ that
//! swaps the two numbers gives our three words the scores 0, 2 and 4 again. **Additive** is a small
//! network with one hidden layer; lesson {translation} follows it number by number. **Scaled dot**
//! divides by the root of the *width* $D$, which is how many numbers a vector has. The rest of this
//! lesson is about that root.
// q [D], k [K, D] -> [K]
Tensor dot_score(const Tensor& q, const Tensor& k) { return matmul(k, q); }
Tensor general_score(const Tensor& q, const Tensor& k, const Tensor& W) {
    return matmul(matmul(k, transpose(W)), q);
}
Tensor additive_score(const Tensor& q, const Tensor& k, const Tensor& W, const Tensor& U,
                      const Tensor& v) {
    return matmul(tanh(matmul(W, q) + matmul(k, transpose(U))), v);
}
Tensor scaled_dot_score(const Tensor& q, const Tensor& k) {
    return matmul(k, q) / std::sqrt(static_cast<double>(q.size(0)));
}

void compute_by_hand(Lesson& lesson) {
    const Tensor q = tensor({2., 0.}), k = three_words(), swap = tensor({0, 1, 1, 0}, {2, 2});
    const Tensor general = general_score(q, k, swap);
    show_scores(lesson, {{"dot", dot_score(q, k)},
                         {"general", general},
                         {"additive", additive_score(q, k, swap, eye(2), tensor({-1., 1.}))},
                         {"scaled dot", scaled_dot_score(q, k)}});
    lesson.claim("general-on-paper", "scores of general against those in the text",
                 max(abs(general - tensor({0., 2., 4.}))).item(), equals(0));
}

void check_against_the_library(Lesson& lesson) {
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    const auto by_hand_or_library = [&](ScoreKind kind) {  // the largest difference
        constexpr int64_t width = 32, keys = 8;
        const AttentionScore score(kind, {.query = width, .key = width}, rng);
        const Tensor q = normal({width}, 0, 1, rng), k = normal({keys, width}, 0, 1, rng);
        const Tensor library = reshape(score.of(reshape(q, {1, 1, width}), unsqueeze(k, 0)), {-1});
        Tensor ours = kind == ScoreKind::dot ? dot_score(q, k) : scaled_dot_score(q, k);
        if (const auto* s = std::get_if<AdditiveScore>(&score.any))
            ours = additive_score(q, k, s->query.weight, s->key.weight, s->v);
        if (const auto* s = std::get_if<GeneralScore>(&score.any))
            ours = general_score(q, k, s->weight);
        return max(abs(library - ours)).item();
    };
    double gap = 0;
    for (ScoreKind kind :
         {ScoreKind::additive, ScoreKind::dot, ScoreKind::general, ScoreKind::scaled_dot})
        gap = std::max(gap, by_hand_or_library(kind));
    lesson.claim("scores-by-hand", "four scores by hand against the library's, largest difference",
                 gap, at_most(1e-4));
}

//! Which of them is best? In workshop {score_functions} six scores compete on four tasks, and a dot
//! product with a learned matrix solves most of them.
//!
//! ## Why divide by the root of the width?
//!
//! How large is a dot product? Suppose that the numbers in $q$ and $k$ are independent, with mean 0
//! and variance 1, about as at the start of training. (The *variance* is the mean of the squared
//! distance from the mean, the square of the standard deviation.)
Prediction ask_for_the_variance(Lesson& lesson) {
    lesson.heading("Why divide by the root of the width?");
    return lesson.predict(
        "Two vectors of 64 independent random numbers, mean 0 and variance 1. What is the "
        "variance of their dot product?",
        within_factor(1.2).from(0));
}

//! Take one product $q_i k_i$. Its factors are independent, so its mean is the product of their
//! means, $0 \cdot 0 = 0$, and the mean of its square is $1 \cdot 1 = 1$. So its variance is 1. The
//! dot product is the sum of $D$ such products, and the variance of a sum of independent numbers is
//! the sum of their variances:
//!
//! $$ \operatorname{var}(q \cdot k) = \sum_{i=1}^{D} \operatorname{var}(q_i k_i) = D . $$
//!
//! The standard deviation of the scores is $\sqrt{D}$: 2 at width 4, about 23 at width 512. Random
//! vectors have nothing to say about each other, and yet scores of 23 and -23 are nothing unusual
//! for them. Divided by $\sqrt{D}$, the standard deviation is 1 at every width. That is all the
//! division does: **it makes the size of the scores independent of the width.**
void measure_variances(Lesson& lesson, Prediction guess, const std::vector<double>& widths,
                       Rng& rng) {
    const VarianceResult result = show_variances(lesson, widths, rng);
    lesson.claim("variance", "variance over width, largest distance from 1", result.over_width,
                 at_most(0.05));
    lesson.reveal(guess, result.at_64);
}

//! ## When a query stops learning
//!
//! Why does the size matter? A score that is larger by 1 gives a weight that is $e = 2.718$ times
//! as large, and one that is larger by 23 a weight that is ten billion times as large. Then one key
//! has nearly all the weight. Such weights are called *saturated*, and they stop the learning. Let
//! $g_j$ be the derivative of the loss with respect to the weight $\alpha_j$. Softmax hands it on
//! to the score $e_j$ like this (lesson {probabilities}):
//!
//! $$ \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) . $$
//!
//! The sum is the mean of all $g_k$ with the weights. Say key 1 has all the weight. Then the mean
//! is $g_1$: for key 1 the bracket is 0. For the others the factor $\alpha_j$ is 0. Every score has
//! the derivative 0, whatever the loss says. **A query stops learning when all of its weight is on
//! one key**, even if it is the wrong key. (Adam enlarges small gradients of a parameter. But queries
//! and keys come from matrices that all queries share, and in these the queries that still have a
//! gradient decide.)
//!
//! {no results} With two keys and $g = (1, 0)$ the formula is $\alpha_1 (1 - \alpha_1)$: 0.25 for
//! equal weights, and 0.00034 when the scores differ by 8.
//!
//! ![Take the dot score and raise the width: one weight takes all, and the gradient behind the softmax dies. Divide by the root: the width no longer matters. Then do the same damage with a low temperature.](live:saturation)
void follow_one_gradient(Lesson& lesson) {
    lesson.heading("When a query stops learning");
    const double gap = show_gradients(lesson);
    lesson.claim("gradient-formula", "gradient of the scores by the formula against the library's",
                 gap, at_most(1e-6));
}

//! ## From width 4 to width 512
//!
//! {no results} The same with 32 random keys. How far the weights are spread is measured by their
//! entropy, $-\sum_j \alpha_j \ln \alpha_j$: $\ln 32 = 3.47$ if all are equal, 0 if one is 1. There
//! is no task and no loss here, so we draw the $g_j$ at random and compute the gradient of the
//! scores by the formula. If its norm (lesson {recurrence}) is below 0.001, we call it vanished.
//!
//! Three cases are compared: dot products; scaled dot products; and scaled dot products where one
//! key is equal to the query. The third is there because it is often said that the division
//! prevents vanishing gradients. It does, for vectors that are independent, as they are at the
//! start. After training they are not. If a key equals its query, the score is $|q|^2 / \sqrt{D}$,
//! and $|q|^2$ is about $D$. So the score is about $\sqrt{D}$, 23 at width 512, in spite of the
//! division.
void measure_saturation(Lesson& lesson, const std::vector<double>& widths, Rng& rng) {
    lesson.heading("From width 4 to width 512");
    const Prediction enough = lesson.predict(
        "Queries and keys have 512 numbers, and scores are divided by the root of 512. Is the "
        "gradient of the scores still above 0.01 when one of the keys equals the query?",
        {"yes", "no"});
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
    //! Without the division, {vanished-unscaled:%} of the queries have a vanished gradient at
    //! width 512. With it, the weights are spread as widely as at width 4.
    //!
    //! The gradient of the values does not vanish when the weights saturate. The derivative of the
    //! answer with respect to the value $v_j$ is the weight $\alpha_j$, so the value with the weight
    //! 1 receives all of it. Such a model goes on learning what to answer, but no longer where to
    //! look.
    lesson.claim("value-gradient", "unscaled: gradient of the values at 512, over scaled",
                 plain.last.values / scaled.last.values, more_than(1));
}

}  // namespace

}  // namespace heed::lesson10

//! ## What this does not show
//!
//! That a trained model has small scores. The claims about variance hold for independent numbers,
//! and training makes queries and keys depend on each other. It may saturate weights on purpose,
//! where one word is the right answer.
//!
//! Sources: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
//! Translate" (2015), appendix A.1.2; Luong, Pham and Manning, "Effective Approaches to
//! Attention-based Neural Machine Translation" (2015), section 3.1; Vaswani et al., "Attention Is
//! All You Need" (2017), section 3.2.1 and its footnote 4, on the variance.
//!
//! ## Summary
//!
//! 1. A query is compared with the keys, and the answer is the mean of the values. It moves with
//!    the query; the value of the best key alone would not.
//! 2. A dot product needs no parameters. A matrix before it translates between queries and keys.
//!    The additive score is a small network.
//! 3. The variance of a dot product of random vectors is the width. Division by the root of the
//!    width makes it 1.
//! 4. When all weight is on one key, the derivatives of all scores are 0, and the query stops
//!    learning where to look.
//! 5. The division prevents this at the start of training, and not for ever.
//!
//! ## Try this next
//!
//! 1. In `experiment.cpp`, let one key be the query plus noise as large as itself. At which width
//!    do the weights saturate now?
//! 2. In `experiment.cpp`, divide by $D$ instead of $\sqrt{D}$. What becomes of the weights at
//!    width 512?
using namespace heed;
using namespace heed::lesson10;

int main(int argc, char** argv) {
    Lesson lesson({.number = 10,
                   .name = "scores",
                   .title = "How well does a word fit?",
                   .question = "How is a query compared with a key, and why is the result divided "
                               "by a root?",
                   .own_data = "three words on paper, and random vectors",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        opening(lesson);
        move_the_query(lesson);
        draw_three(lesson);
        compute_by_hand(lesson);
        check_against_the_library(lesson);

        const std::vector<double> widths{4, 8, 16, 32, 64, 128, 256, 512};
        Rng rng(lesson.seed());
        const Prediction variance = ask_for_the_variance(lesson);
        measure_variances(lesson, variance, widths, rng);
        follow_one_gradient(lesson);
        measure_saturation(lesson, widths, rng);
    });
}
