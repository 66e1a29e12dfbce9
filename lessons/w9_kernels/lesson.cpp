//! # Attention in 1964
//!
//! Sixty points have been measured along a road: how far along, and how high. The measurements are
//! noisy. How high is the road at a place where nobody has measured?
//!
//! You would look at the points nearby and take some kind of mean. So did Nadaraya and Watson, in
//! two papers of 1964, and what they wrote down is attention: a query, keys, values, softmax. Only
//! nothing is learned. This workshop, best read after lesson {attention_pooling}, works it out, and
//! then tries another score that is not in that lesson: one that sees the word before.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/w9_kernels/data.h"
#include "lessons/w9_kernels/experiment.h"
#include "lessons/w9_kernels/pictures.h"

namespace heed::workshop9 {

using namespace course;

namespace {

//! ## The nearest point, or all of them
//!
//! The problem is called regression: some points $(k_j, v_j)$ on an unknown curve are given, with
//! noise, and we want the height of the curve at a new position $q$.
//!
//! Two simple answers fail in opposite ways. Take the height of the nearest point: then the curve
//! jumps from point to point and repeats all of the noise. Take the mean of all points: then the
//! noise is gone, and so is the curve, because the answer is the same everywhere.
//!
//! ## A mean by distance
//!
//! In between lies a weighted mean of all heights, in which nearer points count more. A *kernel* is
//! a function that says how much a point counts at a given distance. A frequent choice is the
//! Gaussian kernel $G$ with the width $h$:
//!
//! $$ f(q) = \frac{\sum_j G(q - k_j) \, v_j}{\sum_j G(q - k_j)}, \qquad
//!    G(d) = e^{-d^2 / (2 h^2)} . $$
//!
//! {no results} **By hand.** Three points at 0, 1 and 2 have the heights 10, 20 and 30. We ask at
//! $q = 0.5$ with $h = 1$. The distances are 0.5, 0.5 and 1.5, so the kernel gives $e^{-0.125} =
//! 0.882$ twice and $e^{-1.125} = 0.325$. Divided by their sum 2.089, the weights are 0.422, 0.422
//! and 0.155. The estimate is $0.422 \cdot 10 + 0.422 \cdot 20 + 0.155 \cdot 30 = 17.3$.
//!
//! This is attention. The position $q$ is the query, the $k_j$ are the vectors it is compared with,
//! the $v_j$ are what the mean is taken of, and the weights are the softmax of the scores $-(q -
//! k_j)^2 / (2 h^2)$. These scores are not learned; their one parameter $h$ is chosen. It acts like
//! the temperature of lesson {probabilities}. If $h$ is small, the nearest point gets all the
//! weight: the first naive answer. If $h$ is large, all weights are equal: the second.
//!
//! Vectors instead of positions change little. The squared distance of two vectors is $|q - k|^2 =
//! |q|^2 + |k|^2 - 2 \, q \cdot k$. The first term is the same for all $k_j$, so softmax ignores it.
//! If all $k_j$ are equally long, the second is the same, too. What remains is the score $q \cdot k
//! / h^2$, a dot product. It is the score of most models in this course.
//!
//! ![Move the query and see which points answer it. Make the width small: each query repeats its nearest point, with the noise. Make it large: every query gets the mean of all. In between the error is smallest.](live:kernel_regression)
void the_kernel_view(Lesson& lesson, Prediction guess) {
    lesson.heading("A mean by distance");
    show_three_points(lesson);
    Rng rng(lesson.seed());
    const NoisyCurve curve(60, rng);
    LinePlot plot{.x_label = "query", .y_label = "context"};
    plot.series.push_back({"the true curve", curve.q, curve.truth});
    const auto column = [](const std::vector<double>& x) {
        return tensor(x, {1, static_cast<int64_t>(x.size()), 1}, Dtype::float64);
    };
    double gap = 0;
    std::vector<double> errors;
    for (double h : {0.005, 0.05, 0.5}) {
        const std::vector<double> y =
            nadaraya_watson(column(curve.q), column(curve.k), column(curve.v), h)
                .context.to_vector();
        gap = std::max(gap, curve.gap(y, h));
        errors.push_back(curve.error(y));
        plot.series.push_back({fmt::format("h = {}", h), curve.q, y});
    }
    lesson.show(
        "kernel", plot,
        "Attention with fixed scores. A small h follows the noise, a large h gives the mean.");
    const Tensor random = normal({1, 20, 5}, 0, 1, rng, Dtype::float64);
    const Tensor unit = random * rsqrt(sum(square(random), -1, true)),
                 query = slice(random, 1, 0, 3);
    const Tensor by_distance = attention_weights(gaussian_scores(query, unit, 0.7)),
                 by_dot = attention_weights(matmul(query, transpose(unit)) / (0.7 * 0.7));
    const auto best = std::min_element(errors.begin(), errors.end()) - errors.begin();
    lesson.reveal(guess, best == 0 ? "0.005" : best == 1 ? "0.05" : "0.5");
    lesson.claim("kernel-formula",
                 "attention with these scores against the formula, largest difference", gap,
                 at_most(1e-12));
    lesson.claim("kernel-distance",
                 "weights by distance against weights by dot product, keys of equal length",
                 max(abs(by_distance - by_dot)).item(), at_most(1e-12));
    lesson.claim("kernel-narrow", "squared error with h = 0.05, over the smaller of the other two",
                 errors[1] / std::min(errors[0], errors[2]), less_than(1));
}

//! {if all kernel-narrow < 0.7} The middle width has the smallest error, with each seed: its
//! squared error is {kernel-narrow:2} times that of the better of the two extremes. Who chooses it?
//! In statistics a person does, or validation data. In attention the network does, by making its
//! queries longer or shorter.
//!
//! ## The word and its context
//!
//! In lesson {attention_pooling} the score of a word depends on this word alone. That is not always
//! enough. In "not good", the word before changes everything. A blog post of 2023 about attention
//! (named in the sources below) therefore computes the score of a word from two vectors: the vector
//! of the word, and a vector of its context, such as its neighbours or its position.
//!
//! The post calls the vectors of the words "queries" and those of the contexts "keys". Most other
//! texts use these names differently, and lesson {query_key_value} comes back to it. But what it
//! computes is attention over the words: softmax runs over the words, and the result is the mean of
//! the words' vectors. Let us run it as it is meant.
//!
//! Each document now has two telling words, of different topics. Only one of them counts: the one
//! after the word "mainly".
//!
//! * she went mainly thunder to the door and so flute it was
//!
//! This one is about the weather, and not about music. A score that sees the word alone can find
//! both telling words, but cannot choose between them. The blog post's score compares the word with
//! its context, for which we take the word before. A learned matrix $W$ multiplies the vector $x_j$
//! of the word, another one, $U$, multiplies the vector $x_{j-1}$ of the word before, and the score
//! is the dot product of the two, divided by the root of the width $D$ (lesson {scores} says why):
//!
//! $$ e_j = \frac{(W x_j) \cdot (U x_{j-1})}{\sqrt D} . $$
//!
//! {code experiment.cpp train_marked}
Tensor by_word(const MarkedModel& model, const MarkedDocuments& data) {
    const Tensor x = model.embedding(data.words);                 // [B, K, D]
    return softmax(matmul(tanh(model.word(x)), model.query), 1);  // [B, K]
}
Tensor by_word_and_context(const MarkedModel& model, const MarkedDocuments& data) {
    const Tensor x = model.embedding(data.words), before = model.embedding(data.before);
    const Tensor scores = sum(model.word(x) * model.context(before), 2);  // [B, K]
    return softmax(scores / std::sqrt(double(x.size(2))), 1);
}

void read_as_the_blog_post(Lesson& lesson, int steps) {
    lesson.heading("The word and its context");
    const MarkedResult word = train_marked(Context::none, by_word, steps, lesson.seed()),
                       context = train_marked(Context::word_before, by_word_and_context, steps,
                                              lesson.seed());
    Table table({"score from", "accuracy", "weight, right word", "weight, other word"});
    table.row("the word", word.accuracy, word.on_right, word.on_other);
    table.row("word and context", context.accuracy, context.on_right, context.on_other);
    lesson.table(table,
                 "On 1,000 new documents of 30 words. The right word is the telling word after "
                 "\"mainly\", and the other word is the other telling word.");
    lesson.claim("context-score-accuracy", "score from word and context: accuracy",
                 context.accuracy, at_least(0.8));
    lesson.claim("context-score-weight",
                 "score from word and context: weight of the right word minus the other's",
                 context.on_right - context.on_other, at_least(0.5));
}

}  // namespace

}  // namespace heed::workshop9

//! With the word alone, both telling words get about the same weight, and the network can only
//! guess between the two topics. {if all context-score-weight > 0.5 and context-score-accuracy >
//! 0.8} With the context, the weight goes to the right word, and {context-score-accuracy:%} of the
//! documents are classified rightly. So the idea of the blog post works. But we chose the context
//! ourselves. In lesson {self_attention} each word reads all others and finds out by itself which
//! of them matter.
//!
//! ## What this does not show
//!
//! That distance is a good score for words. It works where nearness in space means nearness in
//! meaning, and vectors of words have to be trained until it does. And one word before is the
//! smallest context there is: a "not" two words earlier would not be seen.
//!
//! Sources: Nadaraya, "On Estimating Regression" (1964); Watson, "Smooth Regression Analysis"
//! (1964); Tsai et al., "Transformer Dissection" (2019), on attention as a kernel; "A less-bad blog
//! post about attention mechanisms" (2023).
//!
//! ## Summary
//!
//! 1. Nadaraya and Watson estimate a curve by a mean of all points, with larger weights for nearer
//!    ones.
//! 2. That is attention with fixed scores: minus the squared distance, divided by $2 h^2$.
//! 3. A narrow kernel repeats the noise, a wide one gives the mean everywhere.
//! 4. For vectors of equal length, the score by distance is a dot product.
//! 5. A score of two vectors, the word's and that of the word before, finds what a score of the
//!    word alone cannot.
//!
//! ## Try this next
//!
//! 1. In the body, use $h = 0.02$ and $0.1$ as well. Where is the error smallest for 60 points, and
//!    where for 600?
//! 2. In `experiment.cpp`, put "mainly" before both telling words, and "not" two words before one
//!    of them. Why does the score fail now, and what would it have to see?
using namespace heed;
using namespace heed::workshop9;

int main(int argc, char** argv) {
    Lesson lesson(
        {.workshop = 9,
         .name = "kernels",
         .title = "Attention in 1964",
         .question = "Can there be attention without learning, and what may a score see?",
         .own_data = "points on a curve, and documents in which the word before decides"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (600; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 600;
        const Prediction narrow = lesson.predict(
            "Sixty noisy points on a curve between 0 and 1. A kernel of which width comes nearest to "
            "the curve?",
            {"0.005", "0.05", "0.5"});
        the_kernel_view(lesson, narrow);
        read_as_the_blog_post(lesson, steps);
    });
}
