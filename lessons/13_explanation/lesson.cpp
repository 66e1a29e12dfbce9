//! # Is attention an explanation?
//!
//! A classifier attends to one word and answers "sport". It is tempting to say that it answered so
//! *because of* that word. But a weight only says how much one state contributes to the weighted
//! mean. It does not say what the state contains, nor how the output layer uses it. There is
//! another way to ask which words caused the answer: change a word a little and see how much the
//! output changes. That is a derivative, which we can compute. In lesson 09 the weights found the
//! words that matter. Do weights and derivatives agree? And could other weights give the same
//! answer?

#include <algorithm>
#include <numeric>

#include "lessons/13_explanation/classifier.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## Explicit and implicit attention
//!
//! The weights are *explicit* attention. With $x_j$ the vector of word $j$ and $z$ the logit of the
//! predicted class,
//!
//! $$ g_j = \Big| x_j \cdot \frac{\partial z}{\partial x_j} \Big| $$
//!
//! is *implicit* attention: a row of the network's *Jacobian* (all its first derivatives) times its
//! input. Except for the sign, this is to first order the change of $z$ if the word were removed.
//! If the network were linear in the words, it would be the exact change. We can check it for small
//! changes: we make the vector of one word a little shorter.
double first_order_gap(const Classifier& model, const std::vector<int>& ids) {
    const auto count = static_cast<int>(ids.size());
    Classifier precise = copy_model(model);
    to_dtype(precise, Dtype::float64);
    const Tensor words = detach(precise.embedding(Indices(ids, {1, count})));
    const auto logits = [&](const Tensor& x) { return precise.read(x, {count}).logits; };
    const int best = argmax(logits(words), 1)[0];
    const Tensor leaf = clone(words).set_requires_grad();
    const Tensor g = sum(leaf * grad(select(logits(leaf), 1, best), {leaf})[0], -1);  // [1, K]
    double gap = 0;
    const double step = 1e-6;
    for (int64_t j = 0; j < 5; ++j) {
        Tensor factor = ones({1, count, 1}, Dtype::float64);
        factor.edit<double>()[j] = 1 - step;
        const Tensor lost = select(logits(words) - logits(words * factor), 1, best);
        gap = std::max(gap, std::abs(lost.item() / step - g.at({0, j})));
    }
    return gap;
}

//! ## Two encoders
//!
//! We train two classifiers on documents of 40 to 100 words, of which three are telling words (the
//! generator of lesson 09). Both use the attention pooling of that lesson. In the *context-free*
//! encoder, a state depends on its own word only. In the *recurrent* encoder, a bidirectional GRU
//! (lesson 07), each state may depend on every word. For each classifier we measure on test
//! documents:
//!
//! * do weights and gradients rank the words in the same order? *Kendall's tau* is the number of
//!   pairs of words that both rank in the same order, minus the number of the other pairs, as a
//!   share of all pairs: 1 means the same ranking, 0 unrelated rankings, -1 the reverse;
//! * if the weights are *shuffled* among the words, how much does the answer change? We measure the
//!   *total variation*: half the sum of the absolute changes of the probabilities;
//! * are there *adversarial* weights, which are far from the attention weights and give nearly the
//!   same answer? The distance is the Jensen-Shannon divergence, which is at most $\ln 2 = 0.69$.
//!   We search by gradient ascent, with a total variation of the answer of at most 0.01;
//! * of the three telling words, how many are among the three of largest weight, and how many
//!   among the three of largest gradient?
struct Findings {
    // One number for each run.
    std::vector<double> accuracy, tau, shuffled, divergence, by_weight, by_gradient;
    std::vector<double> changes;  // by shuffling, of every document of the first run
};

double share_found(const std::vector<double>& importance, const std::vector<bool>& telling) {
    std::vector<std::size_t> order(importance.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return importance[a] > importance[b]; });
    const auto count = std::count(telling.begin(), telling.end(), true);
    return static_cast<double>(std::count_if(order.begin(), order.begin() + count,
                                             [&](auto j) { return telling[j]; })) /
           static_cast<double>(count);
}

double mean_of(const std::vector<double>& values) { return summarise(values).mean; }

void examine(const Classifier& model, const Data& data, int documents, int adversaries, Rng& rng,
             Findings& findings) {
    std::vector<double> tau, changes, divergence, by_weight, by_gradient;
    for (int i = 0; i < documents; ++i) {
        const Document& document = data.documents.test[i];
        const Analysis analysis = analyse(model, data.ids(document));
        tau.push_back(kendall_tau(analysis.weights, analysis.gradient));
        by_weight.push_back(share_found(analysis.weights, document.telling));
        by_gradient.push_back(share_found(analysis.gradient, document.telling));

        std::vector<double> shuffled = analysis.weights;
        rng.shuffle(shuffled);
        changes.push_back(
            total_variation(analysis.probabilities, probabilities_with(model, analysis, shuffled)));
        if (i >= adversaries) continue;
        divergence.push_back(
            jensen_shannon(analysis.weights, adversarial_weights(model, analysis, 0.01, 200)));
    }
    std::sort(changes.begin(), changes.end());
    findings.tau.push_back(mean_of(tau));
    findings.shuffled.push_back(changes[changes.size() / 2]);
    findings.divergence.push_back(mean_of(divergence));
    findings.by_weight.push_back(mean_of(by_weight));
    findings.by_gradient.push_back(mean_of(by_gradient));
    if (findings.changes.empty()) findings.changes = changes;
}

// The ten words of largest weight in one document, with weights and gradients.
BarChart weights_and_gradients(const Classifier& model, const Data& data) {
    const Document& document = data.documents.test[0];
    const Analysis analysis = analyse(model, data.ids(document));
    const double total = std::accumulate(analysis.gradient.begin(), analysis.gradient.end(), 0.);
    std::vector<std::size_t> order(analysis.weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return analysis.weights[a] > analysis.weights[b]; });
    BarChart chart{.title = name_of(model.kind),
                   .value_label = "share",
                   .labels = {},
                   .sets = {{"weight", {}}, {"gradient", {}}}};
    for (std::size_t j : std::vector(order.begin(), order.begin() + 10)) {
        chart.labels.push_back(document.words[j] + (document.telling[j] ? " (telling)" : ""));
        chart.sets[0].values.push_back(analysis.weights[j]);
        chart.sets[1].values.push_back(analysis.gradient[j] / total);
    }
    return chart;
}

void compare_encoders(Lesson& lesson, int steps, Prediction agreement, Prediction finder) {
    const bool quick = lesson.quick();
    const int runs = quick ? 1 : 5, documents = quick ? 40 : 200, adversaries = quick ? 4 : 30;
    Table table(
        {"encoder", "accuracy", "tau", "shuffled", "adversarial", "by weight", "by gradient"});
    LinePlot plot{
        .x_label = "share of documents", .y_label = "change of the answer", .y_range = {0, 1}};
    std::vector<Findings> all;
    for (Encoder kind : {Encoder::context_free, Encoder::recurrent}) {
        Findings findings;
        for (int run = 0; run < runs; ++run) {
            const std::uint64_t seed = 100 * lesson.seed() + run;
            const Data data(seed);
            const Classifier model = train(kind, data, steps, seed);
            findings.accuracy.push_back(accuracy(model, data));
            Rng rng(seed);
            examine(model, data, documents, adversaries, rng, findings);
            if (run > 0) continue;
            const std::string name = name_of(kind);
            lesson.show("words_" + name.substr(0, 7), weights_and_gradients(model, data),
                        "A test document: the ten words of largest weight.");
            if (kind == Encoder::recurrent)
                lesson.claim("implicit attention against a finite difference, largest difference",
                             first_order_gap(model, data.ids(data.documents.test[0])),
                             at_most(1e-5));
        }
        std::vector<double> share;
        for (std::size_t i = 0; i < findings.changes.size(); ++i)
            share.push_back(static_cast<double>(i + 1) /
                            static_cast<double>(findings.changes.size()));
        plot.series.push_back({name_of(kind), share, findings.changes});
        table.row(name_of(kind), mean_and_spread(findings.accuracy), mean_and_spread(findings.tau),
                  mean_and_spread(findings.shuffled), mean_and_spread(findings.divergence),
                  mean_and_spread(findings.by_weight), mean_and_spread(findings.by_gradient));
        all.push_back(findings);
    }
    lesson.table(table,
                 "Means over runs. Shuffled: the median change of the answer. Adversarial: the "
                 "divergence of weights that change the answer by at most 0.01. The last two: "
                 "share of telling words found.");
    lesson.show("shuffled", plot,
                "How much the answer changes when the weights are shuffled; documents sorted by "
                "the change.");
    lesson.reveal(agreement, mean_of(all[1].tau));
    lesson.reveal(finder,
                  mean_of(all[1].by_weight) > mean_of(all[1].by_gradient) ? "weights" : "gradient");

    const Findings &alone = all[0], &reading = all[1];
    for (const Findings& f : all)
        lesson.claim(fmt::format("accuracy, {}", &f == &alone ? "context-free" : "recurrent"),
                     mean_of(f.accuracy), at_least(quick ? 0.8 : 0.95));
    lesson.claim("tau of weights and gradients, context-free minus recurrent",
                 mean_of(alone.tau) - mean_of(reading.tau), at_least(quick ? 0.05 : 0.2));
    lesson.claim("median change of the answer by shuffled weights, context-free",
                 mean_of(alone.shuffled), at_least(0.5));
    lesson.claim("divergence of adversarial weights with nearly the same answer, recurrent",
                 mean_of(reading.divergence), at_least(0.3));
    lesson.claim("share of telling words found by weight, context-free", mean_of(alone.by_weight),
                 at_least(quick ? 0.7 : 0.85));
    if (!quick)
        lesson.claim("share of telling words found by weight, recurrent",
                     mean_of(reading.by_weight), less_than(mean_of(alone.by_weight)));
}

}  // namespace

//! ## What was found
//!
//! Both classifiers are nearly always right, but their weights mean different things. With the
//! context-free encoder, weights and gradients rank the words in nearly the same order, and both
//! find the telling words. With the recurrent encoder, every state may contain information on the
//! whole document. Some trained networks then attend to the telling words; others attend to
//! irrelevant words and are right too. The rankings by weight and by gradient then have little in
//! common, and both find fewer of the telling words. (One run is too few to show this, so in quick
//! mode the last claim is left out.)
//!
//! Adversarial weights exist for both. This is not surprising: there are three telling words and
//! one is enough, so weights on one or on another of them give the same answer. Two sets of weights
//! with the same answer do not show that weights explain nothing. They show that weights are not
//! the *only* explanation.
//!
//! ## What this does not show
//!
//! It does not show that the gradient is the true explanation: a gradient is local, and where a
//! softmax is saturated, it is small for all words. We put adversarial weights into a trained
//! network; whether training could lead to such weights is another question (Wiegreffe and Pinter
//! 2019). And each telling word has its meaning alone; a negation, where words must be combined, is
//! not tested here.
//!
//! Sources: Jain and Wallace, "Attention is not Explanation" (2019), sections 4.1 and 4.2;
//! Wiegreffe and Pinter, "Attention is not not Explanation" (2019); Kendall (1938).
//!
//! ## Try this next
//!
//! 1. `--steps 200`: do weights find the telling words before the network has learned to use them?
//! 2. In `Data`, set `.telling = 1`: are there still adversarial weights with one telling word?
//! 3. In `Classifier::encode`, add the word's own vector to the recurrent state. Does tau rise?
int main(int argc, char** argv) {
    Lesson lesson({.number = 13,
                   .name = "explanation",
                   .title = "Is attention an explanation?",
                   .question = "Do attention weights say why a network gave its answer?",
                   .own_data = "documents of everyday words with three telling ones"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (600; quick 400)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 400 : 600;
        const Prediction agreement = lesson.predict(
            "Kendall's tau of weights and gradients, 1 for equal rankings and 0 for unrelated "
            "ones: what is it for a recurrent encoder?",
            within(0.15));
        const Prediction finder = lesson.predict(
            "With that encoder, which finds more of the telling words: weights or gradient?",
            {"weights", "gradient"});
        compare_encoders(lesson, steps, agreement, finder);
    });
}
