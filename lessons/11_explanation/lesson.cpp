//! # Is attention an explanation?
//!
//! A classifier attends to a word and answers "sport". It is tempting to read the weights as its
//! reasons: it said so *because of* that word. But a weight only says how much of a state goes into
//! the mean. What the state holds, and what the output makes of it, the weight does not say. There
//! is another answer to "because of what?": change a word a little and see how the output moves.
//! That is a derivative, and we have those. Lesson 07 found that weights can find the words that
//! matter. Do the two answers agree? Could the weights be others, and the answer the same?

#include <algorithm>
#include <numeric>

#include "lessons/11_explanation/reader.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## Explicit and implicit attention
//!
//! The weights are *explicit* attention. With $x_j$ the vector of word $j$ and $z$ the logit of the
//! class that was answered,
//!
//! $$ g_j = \Big| x_j \cdot \frac{\partial z}{\partial x_j} \Big| $$
//!
//! is *implicit* attention: a row of the network's *Jacobian* (all its first derivatives) times its
//! input. But for the sign it is what $z$ would lose, to first order, without the word. If the
//! network were linear in the words, it would be so exactly. Check that where it can be checked:
//! shrink one word a little.
double first_order_gap(const Reader& reader, const std::vector<int>& ids) {
    const auto count = static_cast<int>(ids.size());
    Reader precise = copy_model(reader);
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
//! Both read documents of 40 to 100 words in which three give away the topic (the generator of
//! lesson 07), and pool states by the attention of that lesson. In one, *context-free*, a state
//! knows its own word only. In the other, *recurrent*, a bidirectional GRU (lesson 05) makes the
//! states, and each may know of every word. For each we ask on unseen documents:
//!
//! * do weights and gradients rank the words alike? *Kendall's tau* counts the pairs of words that
//!   both put in the same order, less those they do not, as a share of all pairs: 1 is the same
//!   ranking, 0 an unrelated one, -1 the reverse;
//! * if the weights are *shuffled* among the words, how far does the answer move? By *total
//!   variation*, half the sum of what the probabilities change;
//! * can *adversarial* weights be found, far from the network's own, with nearly the same answer?
//!   Far is measured by the Jensen-Shannon divergence, at most $\ln 2 = 0.69$. They are sought by
//!   gradient ascent, with the answer held to within 0.01;
//! * of the three telling words, how many are among the three of largest weight, and how many
//!   among the three of largest gradient?
struct Findings {
    std::vector<double> accuracy, tau, shuffled, divergence, by_weight, by_gradient;  // a run each
    std::vector<double> moved;  // by shuffling, of every document of the first run
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

void examine(const Reader& reader, const Material& material, int documents, int adversaries,
             Rng& rng, Findings& findings) {
    std::vector<double> tau, moved, divergence, by_weight, by_gradient;
    for (int i = 0; i < documents; ++i) {
        const Document& document = material.documents.test[i];
        const Asked asked = ask(reader, material.ids(document));
        tau.push_back(kendall_tau(asked.weights, asked.gradient));
        by_weight.push_back(share_found(asked.weights, document.telling));
        by_gradient.push_back(share_found(asked.gradient, document.telling));

        std::vector<double> shuffled = asked.weights;
        rng.shuffle(shuffled);
        moved.push_back(total_variation(asked.probabilities, answer_with(reader, asked, shuffled)));
        if (i >= adversaries) continue;
        divergence.push_back(
            jensen_shannon(asked.weights, adversarial_weights(reader, asked, 0.01, 200)));
    }
    std::sort(moved.begin(), moved.end());
    findings.tau.push_back(mean_of(tau));
    findings.shuffled.push_back(moved[moved.size() / 2]);
    findings.divergence.push_back(mean_of(divergence));
    findings.by_weight.push_back(mean_of(by_weight));
    findings.by_gradient.push_back(mean_of(by_gradient));
    if (findings.moved.empty()) findings.moved = moved;
}

// One document's words by weight, and what the gradient says of them.
BarChart both_answers(const Reader& reader, const Material& material) {
    const Document& document = material.documents.test[0];
    const Asked asked = ask(reader, material.ids(document));
    const double total = std::accumulate(asked.gradient.begin(), asked.gradient.end(), 0.);
    std::vector<std::size_t> order(asked.weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return asked.weights[a] > asked.weights[b]; });
    BarChart chart{.title = name_of(reader.kind),
                   .value_label = "share",
                   .labels = {},
                   .sets = {{"weight", {}}, {"gradient", {}}}};
    for (std::size_t j : std::vector(order.begin(), order.begin() + 10)) {
        chart.labels.push_back(document.words[j] + (document.telling[j] ? " (tells)" : ""));
        chart.sets[0].values.push_back(asked.weights[j]);
        chart.sets[1].values.push_back(asked.gradient[j] / total);
    }
    return chart;
}

void compare_encoders(Lesson& lesson, int steps, Prediction agreement, Prediction finder) {
    const bool quick = lesson.quick();
    const int runs = quick ? 1 : 5, documents = quick ? 40 : 200, adversaries = quick ? 4 : 30;
    Table table({"encoder", "accuracy", "tau", "moved by shuffling", "adversarial", "by weight",
                 "by gradient"});
    LinePlot plot{
        .x_label = "share of documents", .y_label = "how far the answer moves", .y_range = {0, 1}};
    std::vector<Findings> all;
    for (Encoder kind : {Encoder::context_free, Encoder::recurrent}) {
        Findings findings;
        for (int run = 0; run < runs; ++run) {
            const std::uint64_t seed = 100 * lesson.seed() + run;
            const Material material(seed);
            const Reader reader = teach(kind, material, steps, seed);
            findings.accuracy.push_back(accuracy(reader, material));
            Rng rng(seed);
            examine(reader, material, documents, adversaries, rng, findings);
            if (run > 0) continue;
            const std::string name = name_of(kind);
            lesson.show("words_" + name.substr(0, 7), both_answers(reader, material),
                        "An unseen document: the ten words of largest weight.");
            if (kind == Encoder::recurrent)
                lesson.claim("implicit attention against shrinking a word, largest difference",
                             first_order_gap(reader, material.ids(material.documents.test[0])),
                             at_most(1e-5));
        }
        std::vector<double> share;
        for (std::size_t i = 0; i < findings.moved.size(); ++i)
            share.push_back(static_cast<double>(i + 1) /
                            static_cast<double>(findings.moved.size()));
        plot.series.push_back({name_of(kind), share, findings.moved});
        table.row(name_of(kind), mean_and_spread(findings.accuracy), mean_and_spread(findings.tau),
                  mean_and_spread(findings.shuffled), mean_and_spread(findings.divergence),
                  mean_and_spread(findings.by_weight), mean_and_spread(findings.by_gradient));
        all.push_back(findings);
    }
    lesson.table(table,
                 "Means over runs. Moved: the median. Adversarial: the divergence of weights "
                 "that leave the answer within 0.01. The last two: telling words found.");
    lesson.show("shuffled", plot, "Weights shuffled among the words, documents in order.");
    lesson.reveal(agreement, mean_of(all[1].tau));
    lesson.reveal(finder,
                  mean_of(all[1].by_weight) > mean_of(all[1].by_gradient) ? "weights" : "gradient");

    const Findings &alone = all[0], &reading = all[1];
    for (const Findings& f : all)
        lesson.claim(fmt::format("accuracy, {}", &f == &alone ? "context-free" : "recurrent"),
                     mean_of(f.accuracy), at_least(quick ? 0.8 : 0.95));
    lesson.claim("tau of weights and gradients, recurrent below context-free by",
                 mean_of(alone.tau) - mean_of(reading.tau), at_least(quick ? 0.05 : 0.2));
    lesson.claim("how far shuffled weights move the answer, context-free, median",
                 mean_of(alone.shuffled), at_least(0.5));
    lesson.claim("divergence of adversarial weights with nearly the same answer, recurrent",
                 mean_of(reading.divergence), at_least(0.3));
    lesson.claim("telling words among the largest weights, context-free", mean_of(alone.by_weight),
                 at_least(quick ? 0.7 : 0.85));
    if (!quick)
        lesson.claim("telling words among the largest weights, recurrent",
                     mean_of(reading.by_weight), less_than(mean_of(alone.by_weight)));
}

}  // namespace

//! ## What was found
//!
//! Both encoders are nearly always right, and yet their weights are worth different things. Where a
//! state is a word, weights and gradients rank the words nearly alike, and both name the telling
//! ones. Where a state has read the whole document, the answer can be pooled from almost anywhere:
//! some networks look at the words that tell, some spread their weights over words that say
//! nothing, and are right too. Weights and gradients then have little order in common, and both
//! find fewer of the words that, as we know, decide. (One run is too few to say that of: in quick
//! mode the last claim is not made.)
//!
//! Adversarial weights are found for both. That is less of a surprise than it was made out to be:
//! three words tell, one of them suffices, and weights on one or on another give the same answer. A
//! pair of weights with one answer does not show that weights explain nothing; it shows that they
//! are not *the* explanation.
//!
//! ## What this does not show
//!
//! That the gradient is the true explanation: it is local, and where a softmax is saturated it is
//! small for everything. Adversarial weights are put in from outside; whether training could have
//! found them is another question (Wiegreffe and Pinter 2019). And with words that tell by
//! themselves nothing has to be combined; how attention explains a negation is not seen here.
//!
//! Sources: Jain and Wallace, "Attention is not Explanation" (2019), sections 4.1 and 4.2;
//! Wiegreffe and Pinter, "Attention is not not Explanation" (2019); Kendall (1938).
//!
//! ## Try this next
//!
//! 1. `--steps 200`: do weights find the telling words before the network has learned to use them?
//! 2. In `Material`, `.telling = 1`: are there still adversarial weights when one word decides?
//! 3. In `Reader::encode` add the word's own vector to the recurrent state. Does tau rise?
int main(int argc, char** argv) {
    Lesson lesson({.number = 11,
                   .name = "explanation",
                   .title = "Is attention an explanation?",
                   .question = "Do the weights tell why a network answered what it answered?",
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
            "And which of the two finds more of the telling words there?", {"weights", "gradient"});
        compare_encoders(lesson, steps, agreement, finder);
    });
}
