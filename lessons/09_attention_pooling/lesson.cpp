//! # What attention weights are
//!
//! In a review of two hundred words, perhaps three words say what it is about. A classifier should
//! use those three and ignore the rest. This is attention in its simplest form: a set of words and
//! a weight for each, without recurrence. How does a network compute such weights, and do they find
//! the words that matter?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/09_attention_pooling/context_change.h"
#include "lessons/09_attention_pooling/curve.h"
#include "lessons/09_attention_pooling/own_texts.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A mean with weights
//!
//! A document is a set of words, each a vector $x_j$. To classify it, we need a single vector $c$
//! for any number of words. The simplest choice is the mean of the $x_j$. A weighted mean can do
//! more:
//!
//! $$ e_j = q^\top \tanh(W x_j + b), \qquad \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}, \qquad
//!    c = \sum_j \alpha_j x_j . $$
//!
//! The *score* $e_j$ says how much word $j$ matters, and the *softmax* (lesson 03) turns scores
//! into *weights*. The vector $q$ is the *query*. It is compared with the *keys*
//! $\tanh(W x_j + b)$. The *values*, here the word vectors themselves, are averaged with these
//! weights into the *context* $c$. The parameters $q$, $W$ and $b$ are learned from the labels of
//! documents. It is called attention because the weights depend on the words.
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

    //! Some texts say that the words are the queries and that the context is the key. Try it: every
    //! query has its own weights, which sum to 1 over the keys. If there is only one key, its
    //! weight is 1 for every score. So the words must be the keys.
}

//! ## A few telling words
//!
//! Documents of 40 to 100 words (`lessons/course/generated/documents.h`) are about the weather, the
//! kitchen, music or ships. Nearly all their words are everyday words that occur in every topic. A
//! few are *telling words*: each topic has 24 words that occur in no other topic. There are 600
//! training documents and 1,000 test documents. We compare three kinds of pooling, with everything
//! else equal: the mean, the largest value of each feature, and attention. For each we choose the
//! better of two learning rates on 200 validation documents.
void compare_poolings(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("A few telling words");
    const bool quick = lesson.quick();
    const std::vector<double> counts =
        quick ? std::vector<double>{1, 4} : std::vector<double>{1, 2, 4, 8};
    Table table({"pooling", "telling words", "training", "test", "precision"});
    LinePlot plot{.x_label = "telling words in a document",
                  .y_label = "accuracy",
                  .log_x = true,
                  .y_range = {0.2, 1}};
    std::vector<double> first, precise;  // accuracy with one telling word, by pooling; precision
    for (Pooling how : {Pooling::mean, Pooling::largest, Pooling::attention}) {
        std::vector<std::vector<double>> runs(quick ? 1 : 5);
        for (double telling : counts) {
            std::vector<double> on_train, on_test, found;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const std::uint64_t seed = 100 * lesson.seed() + i;
                const Experiment experiment(static_cast<int>(telling), seed);
                const Classifier model = experiment.train_classifier(how, steps, seed);
                on_train.push_back(accuracy(model, experiment.train));
                on_test.push_back(accuracy(model, experiment.test));
                runs[i].push_back(on_test.back());
                if (how == Pooling::attention) found.push_back(precision(model, experiment));
            }
            if (telling == 1) first.push_back(summarise(on_test).mean);
            if (!found.empty()) precise.push_back(summarise(found).mean);
            table.row(name_of(how), telling, mean_and_spread(on_train), mean_and_spread(on_test),
                      found.empty() ? "" : mean_and_spread(found));
        }
        plot.series.push_back(over_seeds(name_of(how), counts, runs));
    }
    lesson.table(
        table,
        "Accuracy on training and test documents. Precision: if n words are telling, the share of "
        "them among the n words of largest weight. By chance it is 1/70 for one telling word.");
    lesson.show("poolings", plot,
                "Accuracy on test documents. There are four topics, so guessing gives 0.25.");
    lesson.reveal(guess, first[0]);
    lesson.claim("one telling word: accuracy of attention", first[2], at_least(quick ? 0.9 : 0.95));
    lesson.claim("one telling word: accuracy of attention minus that of the mean",
                 first[2] - first[0], at_least(0.2));
    lesson.claim("one telling word: how often it has the largest weight", precise[0],
                 at_least(0.9));
    lesson.claim("lowest precision with one or more telling words",
                 *std::min_element(precise.begin(), precise.end()), at_least(0.7));
}

//! Compare the columns of training and test: the model with the mean has memorised its training
//! documents. With one telling word in seventy, 99 % of the mean is noise, and in 600 documents
//! some of the noise looks like a pattern. Attention gives the noise little weight, so there is
//! less of it to memorise.
//!
//! ## What changes the context, and what does not
//!
//! A *mask* says which words may be attended to. All others get weight exactly 0, for every
//! content. So sets of different sizes can share a batch: the short ones are padded, and the
//! padding is masked. The order of the words does not matter either. But what about irrelevant
//! words that are not masked? Some texts say that any number of them may be appended without
//! changing $c$. But a softmax never gives zero: an irrelevant word has a small weight, not weight
//! 0. One of them hardly changes $c$. We append up to ten thousand and measure.
void change_the_context(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("What changes the context, and what does not");
    const std::uint64_t seed = 100 * lesson.seed();
    const Experiment experiment(1, seed);
    const Classifier attention = experiment.train_classifier(Pooling::attention, steps, seed),
                     mean_pool = experiment.train_classifier(Pooling::mean, steps, seed);
    lesson.show("weights", largest_weights(attention, experiment, 0),
                "The ten words of largest weight in a test document.");

    const NoGrad no_grad;
    Rng rng(seed);
    const Tensor x = normal({1, 50, 16}, 0, 1, rng), rest = slice(x, 1, 40, 50);
    const Tensor junk = concat({slice(x, 1, 0, 40), rest * 1e6}, 1);
    const Tensor allowed = unsqueeze(length_mask({40}, 50), 1);
    const auto change = [&pool = attention.pool](const Tensor& a, const Tensor& b,
                                                 const Tensor& m) {
        return max(abs(pool(a, {}, m).context - pool(b, {}, m).context)).item();
    };
    lesson.claim("change of the context by masked words", change(x, junk, allowed), equals(0));
    lesson.claim("change of the context by another order", change(x, flip(x, 1), {}),
                 at_most(1e-5));
    lesson.claim("sets of 1 to 800 words in one padded batch, against each set alone",
                 padding_gap(attention, experiment, {1, 2, 5, 20, 100, 400, 800}, rng),
                 at_most(1e-5));
    lesson.claim("change of the context by one irrelevant word, as a share of its length",
                 change_by_one_word(attention, experiment, false, rng), at_most(0.02));
    lesson.claim("change of the context by one telling word of another topic",
                 change_by_one_word(attention, experiment, true, rng), at_least(0.2));

    const Appended appended =
        append_words(lesson, attention, mean_pool, experiment, lesson.quick() ? 30 : 200,
                     {0, 10, 100, 300, 1000, 10000}, rng);
    lesson.reveal(guess, appended.attention[5]);
    lesson.claim("weight of the telling word with 100 irrelevant words appended",
                 appended.weight[2], at_least(0.5));
    lesson.claim("accuracy with 100 irrelevant words appended", appended.attention[2],
                 at_least(0.85));
    lesson.claim("accuracy on texts of 340 to 400 words, trained on 40 to 100",
                 appended.attention[3], at_least(0.8));
    //! How much weight is left depends on the seed. Of 100 seeds, the telling word kept between 0.61
    //! and 0.96 with 100 irrelevant words appended, and between 0.05 and 0.54 with 10,000; the
    //! medians are 0.87 and 0.24.
    lesson.claim("weight of the telling word with 10,000 irrelevant words appended",
                 appended.weight[5], at_most(0.6));
}

//! ## Kernel regression, 1964
//!
//! Statistics has used the same formula for sixty years. To estimate a curve at $q$ from noisy
//! points $(k_j, v_j)$, Nadaraya and Watson average the values with weights that fall with the
//! distance:
//!
//! $$ f(q) = \frac{\sum_j G(q - k_j) \, v_j}{\sum_j G(q - k_j)}, \qquad
//!    G(d) = e^{-d^2 / 2 h^2} . $$
//!
//! The weights are the softmax of the scores $-(q - k_j)^2 / 2 h^2$. So this is attention with a
//! query, keys, values, weights and a context; only the scores are not learned. And since
//! $-|q - k|^2 = 2 q \cdot k - |q|^2 - |k|^2$, for keys of equal length it is the softmax of
//! $q \cdot k / h^2$, a dot product as in lesson 10.
void the_kernel_view(Lesson& lesson) {
    lesson.heading("Kernel regression, 1964");
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
    lesson.claim("attention with these scores against the formula, largest difference", gap,
                 at_most(1e-12));
    lesson.claim("weights by distance against weights by dot product, keys of equal length",
                 max(abs(by_distance - by_dot)).item(), at_most(1e-12));
    lesson.claim("squared error with h = 0.05, over the smaller of the other two",
                 errors[1] / std::min(errors[0], errors[2]), less_than(1));
}

}  // namespace

//! ## What this does not show
//!
//! Here each telling word has its meaning alone. In "not good" the meaning comes from both words
//! together, so the importance of a word depends on its neighbours. For that, the words must first
//! exchange information (lesson 18). Where many words carry a little information each, attention
//! has no advantage, as the table shows; on the TREC questions (`--data`) all three poolings are
//! right in 86 of 100 cases. And although the weights find the telling words here, weights are not
//! always explanations: see lesson 13.
//!
//! Sources: Yang et al., "Hierarchical Attention Networks for Document Classification" (2016),
//! section 2.2; Nadaraya (1964) and Watson (1964); Li and Roth, "Learning Question Classifiers"
//! (2002), for the questions; Tsai et al. (2019), section 2, for the view as a kernel.
//!
//! ## Try this next
//!
//! 1. `--steps 3000`: does the mean catch up, or does it only memorise its documents better?
//! 2. In `Experiment`, `.train = 6000`: with how many documents is the mean as good as attention?
//! 3. `--data` with the folder of the TREC questions, or with lines of your own.
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 9,
         .name = "attention_pooling",
         .title = "What attention weights are",
         .question = "Can a network learn which words matter, from labels of whole documents?",
         .data = "texts, `LABEL:detail words` a line, or the folder of the TREC questions",
         .own_data = "documents of everyday words with a few telling ones"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (600; quick 300; with --data 2000 and 500)");
    return lesson.run(argc, argv, [&] {
        const bool own = !lesson.options().data.empty();
        if (steps == 0) steps = own ? (lesson.quick() ? 500 : 2000) : lesson.quick() ? 300 : 600;
        check_against_the_library(lesson);
        if (own) return run_on_own_texts(lesson, steps);
        const Prediction mean_pool = lesson.predict(
            "Four topics, one telling word in seventy: how accurate is a classifier that takes the "
            "mean of all words?",
            within(0.1));
        const Prediction appended = lesson.predict(
            "And how accurate is one with attention, when 10,000 irrelevant words are appended to "
            "each document?",
            within(0.1));
        compare_poolings(lesson, steps, mean_pool);
        change_the_context(lesson, steps, appended);
        the_kernel_view(lesson);
    });
}
