//! # What attention weights are
//!
//! A review of two hundred words may hold three that matter. Whoever wants to know what it is about
//! looks at those three. This is attention in its simplest form: no translation, no recurrence, a
//! set of things and a weight for each. Where do weights come from, and do they find what matters?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/07_attention_pooling/curve.h"
#include "lessons/07_attention_pooling/moving.h"
#include "lessons/07_attention_pooling/questions.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A mean with weights
//!
//! A document is a set of words, each a vector $x_j$. To classify it one wants a single vector $c$
//! for any number of words. The plain answer is the mean. But a mean can have weights:
//!
//! $$ e_j = q^\top \tanh(W x_j + b), \qquad \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}, \qquad
//!    c = \sum_j \alpha_j x_j . $$
//!
//! The *score* $e_j$ says how much word $j$ matters; the *softmax* (lesson 03) makes *weights* of
//! the scores. The vector $q$ is the *query*: what is worth keeping? It is compared with the *keys*
//! $\tanh(W x_j + b)$; the *values*, here the words themselves, are mixed into the *context* $c$.
//! All is learned from the labels of documents. It is attention because weights depend on content.
Tensor pool_by_hand(const AttentionPooling& pool, const Tensor& x) {  // [K, D]
    const Tensor inner = tanh(matmul(x, transpose(pool.item.weight)) + pool.item.bias);
    const Tensor e = matmul(inner, transpose(pool.query));  // [K, 1]
    return sum(exp(e) / sum(exp(e)) * x, 0);                // c [D]
}

void check_against_the_library(Lesson& lesson) {
    Rng rng(lesson.seed());
    const AttentionPooling pool({.width = 16}, rng);
    const Tensor x = normal({50, 16}, 0, 1, rng);
    const Tensor library = reshape(pool(unsqueeze(x, 0)).context, {-1});
    lesson.claim("context by hand against the library's, largest difference",
                 max(abs(library - pool_by_hand(pool, x))).item(), at_most(1e-5));

    //! One can read that the words are the queries and the context is the key. Try it: every
    //! query gets weights of its own, which sum to 1 over the keys. If there is only one key, its
    //! weight is 1, whatever the score. The words must be keys.
    const Tensor words_ask = transpose(pool.scores(unsqueeze(x, 0)));  // [1, K, 1]
    lesson.claim("smallest weight when words are queries and there is one key",
                 min(attention_weights(words_ask)).item(), equals(1));
}

//! ## Few telling words
//!
//! Documents of 40 to 100 words (`lessons/course/generated/documents.h`) are about the weather, the kitchen,
//! music or ships. All their words are everyday ones, the same for all topics, but for a few that
//! tell, 24 different ones for each topic. 600 documents to learn from, 1,000 others to test. The
//! three ways to pool share everything else: the mean, the largest value of each feature, and
//! attention. Each picks the better of two learning rates by 200 further documents.
void compare_poolings(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Few telling words");
    const bool quick = lesson.quick();
    const std::vector<double> counts =
        quick ? std::vector<double>{1, 4} : std::vector<double>{1, 2, 4, 8};
    Table table({"pooling", "telling words", "training", "test", "precision"});
    LinePlot plot{.x_label = "telling words in a document",
                  .y_label = "accuracy",
                  .log_x = true,
                  .y_range = {0.2, 1}};
    std::vector<double> first, precise;  // with one telling word, by pooling
    for (Pooling how : {Pooling::mean, Pooling::largest, Pooling::attention}) {
        std::vector<std::vector<double>> runs(quick ? 1 : 5);
        for (double telling : counts) {
            std::vector<double> on_train, on_test, found;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const std::uint64_t seed = 100 * lesson.seed() + i;
                const Setting setting(static_cast<int>(telling), seed);
                const Classifier model = setting.teach(how, steps, seed);
                on_train.push_back(accuracy(model, setting.train));
                on_test.push_back(accuracy(model, setting.test));
                runs[i].push_back(on_test.back());
                if (how == Pooling::attention) found.push_back(precision(model, setting));
            }
            if (telling == 1) first.push_back(summarise(on_test).mean);
            if (!found.empty()) precise.push_back(summarise(found).mean);
            table.row(name_of(how), telling, mean_and_spread(on_train), mean_and_spread(on_test),
                      found.empty() ? "" : mean_and_spread(found));
        }
        plot.series.push_back(over_seeds(name_of(how), counts, runs));
    }
    lesson.table(table,
                 "Accuracy on documents seen and unseen. Precision: as many words as tell, "
                 "those of the largest weights: how many do? By chance one in seventy, if a single "
                 "word tells.");
    lesson.show("poolings", plot, "Four topics: guessing gives 0.25.");
    lesson.reveal(guess, first[0]);
    lesson.claim("one telling word: accuracy of attention", first[2], at_least(quick ? 0.9 : 0.95));
    lesson.claim("one telling word: accuracy of attention less the mean's", first[2] - first[0],
                 at_least(0.2));
    lesson.claim("one telling word: how often it weighs the most", precise[0], at_least(0.9));
    lesson.claim("precision with more telling words, the lowest",
                 *std::min_element(precise.begin(), precise.end()), at_least(0.7));
}

//! Compare the columns of training and test: the mean knows its training documents by heart. With
//! one telling word in seventy, 99 % of a mean is noise, and in 600 documents every noise has some
//! pattern. Attention throws most of the noise away before it can be learned.
//!
//! ## What moves the context, and what does not
//!
//! A *mask* says which words may be attended to; the others get weight exactly 0, whatever is in
//! them. That is how sets of different sizes share a batch: the short ones are padded, the padding
//! masked. Order does not matter: it is a set. But what of words that may be attended to, and say
//! nothing? It has been written that one may append any number of irrelevant words and $c$ does not
//! change. A softmax has no zeros: an irrelevant word weighs little, but it weighs. One of them
//! hardly moves $c$. So append ten thousand, and look.
void move_the_context(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("What moves the context, and what does not");
    const std::uint64_t seed = 100 * lesson.seed();
    const Setting setting(1, seed);
    const Classifier attention = setting.teach(Pooling::attention, steps, seed),
                     mean_pool = setting.teach(Pooling::mean, steps, seed);
    lesson.show("weights", largest_weights(attention, setting, 0),
                "The ten words of largest weight in an unseen document.");

    const NoGrad no_grad;
    Rng rng(seed);
    const Tensor x = normal({1, 50, 16}, 0, 1, rng), rest = slice(x, 1, 40, 50);
    const Tensor junk = concat({slice(x, 1, 0, 40), rest * 1e6}, 1);
    const Tensor allowed = unsqueeze(length_mask({40}, 50), 1);
    const auto moved = [&pool = attention.pool](const Tensor& a, const Tensor& b, const Tensor& m) {
        return max(abs(pool(a, {}, m).context - pool(b, {}, m).context)).item();
    };
    lesson.claim("how far masked words move the context", moved(x, junk, allowed), equals(0));
    lesson.claim("how far another order moves the context", moved(x, flip(x, 1), {}),
                 at_most(1e-5));
    lesson.claim("sets of 1 to 800 words in one padded batch, against each alone",
                 padding_gap(attention, setting, {1, 2, 5, 20, 100, 400, 800}, rng), at_most(1e-5));
    lesson.claim("how far one irrelevant word moves the context, as a share of its length",
                 moved_by_one_word(attention, setting, false, rng), at_most(0.02));
    lesson.claim("how far one telling word of another topic moves it",
                 moved_by_one_word(attention, setting, true, rng), at_least(0.2));

    const Appended appended =
        append_words(lesson, attention, mean_pool, setting, lesson.quick() ? 30 : 200,
                     {0, 10, 100, 300, 1000, 10000}, rng);
    lesson.reveal(guess, appended.attention[5]);
    lesson.claim("weight of the telling word after a hundred more", appended.weight[2],
                 at_least(0.5));
    lesson.claim("accuracy after a hundred more", appended.attention[2], at_least(0.85));
    lesson.claim("accuracy in texts of 340 to 400 words, trained on 40 to 100",
                 appended.attention[3], at_least(0.8));
    lesson.claim("weight of the telling word after ten thousand more", appended.weight[5],
                 at_most(0.5));
}

//! ## The same thing in 1964
//!
//! Statistics has known attention for sixty years. To estimate a curve at $q$ from noisy points
//! $(k_j, v_j)$, Nadaraya and Watson give the values weights that fall with the distance:
//!
//! $$ f(q) = \frac{\sum_j G(q - k_j) \, v_j}{\sum_j G(q - k_j)}, \qquad
//!    G(d) = e^{-d^2 / 2 h^2} . $$
//!
//! That is a softmax of the scores $-(q - k_j)^2 / 2 h^2$: query, keys, values, weights, context;
//! only the scores are not learned. And since $-|q - k|^2 = 2 q \cdot k - |q|^2 - |k|^2$, for keys
//! of equal length it is the softmax of $q \cdot k / h^2$, a dot product as in lesson 08.
void the_kernel_view(Lesson& lesson) {
    lesson.heading("The same thing in 1964");
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
    lesson.show("kernel", plot,
                "Attention with fixed scores. Too narrow repeats the noise, too wide is the mean.");
    const Tensor turned = normal({1, 20, 5}, 0, 1, rng, Dtype::float64);
    const Tensor round = turned * rsqrt(sum(square(turned), -1, true)),
                 ask = slice(turned, 1, 0, 3);
    const Tensor by_distance = attention_weights(gaussian_scores(ask, round, 0.7)),
                 by_dot = attention_weights(matmul(ask, transpose(round)) / (0.7 * 0.7));
    lesson.claim("attention with these scores against the formula, largest difference", gap,
                 at_most(1e-12));
    lesson.claim("weights by distance against weights by dot product, keys of equal length",
                 max(abs(by_distance - by_dot)).item(), at_most(1e-12));
    lesson.claim("squared error of h = 0.05, over the smaller of the other two",
                 errors[1] / std::min(errors[0], errors[2]), less_than(1));
}

}  // namespace

//! ## What this does not show
//!
//! Words that tell only together. Here they tell by themselves; "not good" does not: what a word is
//! worth may depend on its neighbours, and for that the words must have read each other first
//! (lesson 16). Where many words tell a little each, attention has no advantage, as the table
//! shows; on the TREC questions (`--data`) all three poolings are right in 86 of 100. And that
//! weights find the telling words here does not make them explanations everywhere: lesson 11 asks.
//!
//! Sources: Yang et al., "Hierarchical Attention Networks for Document Classification" (2016),
//! section 2.2; Nadaraya (1964) and Watson (1964); Li and Roth, "Learning Question Classifiers"
//! (2002), for the questions; Tsai et al. (2019), section 2, for the view as a kernel.
//!
//! ## Try this next
//!
//! 1. `--steps 3000`: does the mean catch up, or only learn its documents by heart more firmly?
//! 2. In `Setting`, `.train = 6000`: with how many documents is the mean as good as attention?
//! 3. `--data` with the folder of the TREC questions, or with lines of your own.
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 7,
         .name = "attention_pooling",
         .title = "What attention weights are",
         .question = "Can a network learn which words matter, from the label of the whole?",
         .data = "texts, `LABEL:detail words` a line, or the folder of the TREC questions",
         .own_data = "documents of everyday words with a few telling ones"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (600; quick 300; with --data 2000 and 500)");
    return lesson.run(argc, argv, [&] {
        const bool own = !lesson.options().data.empty();
        if (steps == 0) steps = own ? (lesson.quick() ? 500 : 2000) : lesson.quick() ? 300 : 600;
        check_against_the_library(lesson);
        if (own) return run_on_questions(lesson, steps);
        const Prediction mean_pool = lesson.predict(
            "Four topics, one telling word in seventy: how accurate is a classifier of the mean?",
            within(0.1));
        const Prediction appended = lesson.predict(
            "And one of attention, when 10,000 irrelevant words are appended to each document?",
            within(0.1));
        compare_poolings(lesson, steps, mean_pool);
        move_the_context(lesson, steps, appended);
        the_kernel_view(lesson);
    });
}
