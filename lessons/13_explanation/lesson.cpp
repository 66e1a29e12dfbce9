//! # Is attention an explanation?
//!
//! A classifier reads a report of seventy words and answers "weather". The largest weight of its
//! attention is on the word "thunder". It answered "weather" because of "thunder", then? People do
//! say so. They draw the weights over a text and call the picture an explanation.
//!
//! Suppose a bank refuses a loan and shows such a picture. May we believe it? We ask the derivative
//! for a second opinion, and look for other weights that lead to the same answer.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/autograd.h"
#include "lessons/13_explanation/model.h"
#include "lessons/13_explanation/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson13 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("twice", weights_and_contributions(),
                "The same two words: how much attention they get, and what they add to the answer "
                "\"weather\". The word with more of it is not the one that decides.");
}

//! ## A large weight that contributes nothing
//!
//! {no results} Take a document of two words, "the" and "thunder". Attention pooling (lesson
//! {attention_pooling}) gives them the weights 0.6 and 0.4. So was "the" the more important word?
//! The context is the weighted mean of the states $h_j$, and the logit $z$ of the class "weather"
//! is the dot product of a learned vector $u$ with the context:
//!
//! $$ z = u \cdot \sum_j \alpha_j h_j = \sum_j \alpha_j \, (u \cdot h_j) . $$
//!
//! So word $j$ contributes $\alpha_j \, (u \cdot h_j)$ to the logit. Let $u \cdot h$ be 0 for "the"
//! and 5 for "thunder". The contributions are $0.6 \cdot 0 = 0$ and $0.4 \cdot 5 = 2$. The whole
//! logit comes from the word with the smaller weight. **A weight says how much of a state enters
//! the mean. It does not say what is in the state, nor what the output layer makes of it.**
//!
//! There is a second problem. A recurrent network has read the whole document when it computes the
//! state of "the". This state may contain the word "thunder", and nobody can see it from outside.
//!
//! ## The derivative as a second opinion
//!
//! Change a word a little: how much does the answer change? Let $x_j$ be the embedding of word $j$,
//! and $z$ the logit of the class that the network predicts. The gradient $\partial z / \partial
//! x_j$ is called the *input gradient*. (The *Jacobian* is the matrix of the derivatives of all
//! outputs with respect to all inputs; this is a row of it.) Its dot product with the embedding is
//! one number for each word:
//!
//! $$ g_j = x_j \cdot \frac{\partial z}{\partial x_j} . $$
//!
//! Make the vector $x_j$ shorter by one percent, and $z$ falls by about one percent of $g_j$. If
//! $z$ were a linear function of $x_j$, removing the word, which means $x_j = 0$, would lower $z$
//! by just $g_j$. We take $|g_j|$ as the importance of the word, because a word may also speak
//! against a class. Some texts call the weights *explicit attention* and the input gradients
//! *implicit attention*, because every network has these, with or without an attention layer.
//!
//! {no results} **By hand.** Let each of two words be a single number, $x = (2, 0)$. The number is
//! its own score, so the weights are the softmax of 2 and 0, which is 0.8808 and 0.1192. Let the
//! logit be $z = 3 (\alpha_1 x_1 + \alpha_2 x_2) = 3 \cdot 0.8808 \cdot 2 = 5.285$. The first word
//! acts in two ways: through its value, and through its weight, whose derivative is $\alpha_1 (1 -
//! \alpha_1) = 0.1050$ (lesson {scores}):
//!
//! $$ \frac{\partial z}{\partial x_1}
//!    = 3 \big( \alpha_1 + \alpha_1 (1 - \alpha_1) (x_1 - x_2) \big)
//!    = 3 \, (0.8808 + 0.1050 \cdot 2) = 3.2724 . $$
//!
//! {no results} So $g_1 = 2 \cdot 3.2724 = 6.545$, and $g_2 = 0$. If we really remove the first
//! word, the logit falls from 5.285 to 0. The derivative is only an estimate for so large a change.
//!
//! Jain and Wallace (2019), whose experiments this lesson repeats on a small scale, hold the
//! weights fixed and so follow the first way only; here that gives $2 \cdot 3 \alpha_1 = 5.285$.
//! Ours follows both, because a word that draws the weight to itself is important, too. But then
//! the weights are part of what they are compared with, so our results cannot be set beside theirs.
//!
//! ![A document of three words, each with a score and a content. Raise the score of a word whose content is 0: its weight grows, its contribution does not, and still the answer changes if it is removed, because it takes weight from the others. When do all four answers agree?](live:weight_or_gradient)
std::vector<double> input_gradient(const Classifier& model, const Tensor& words) {  // [1, K, D]
    const Tensor x = detach(words).set_requires_grad();
    const Tensor logits = model.read(x, {static_cast<int>(x.size(1))}).logits;  // [1, classes]
    const Tensor z = select(logits, 1, argmax(logits, 1)[0]);
    return sum(detach(x) * grad(z, {x})[0], -1).to_vector();  // g [K]
}

void compute_by_hand(Lesson& lesson) {
    lesson.heading("The derivative as a second opinion");
    const Tensor x = tensor({2., 0.}).set_requires_grad();
    const Tensor z = 3.0 * sum(softmax(x) * x);
    const double g = 2 * grad(z, {x})[0].at({0});
    lesson.say("The logit of the example is {:.3f}, and g of its first word is {:.3f}.", z.item(),
               g);
    lesson.claim("gradient-by-hand",
                 "identity: g of the first word against the number worked by hand, 6.545", g,
                 between(6.544, 6.546));
}

//! On a trained network, we make the vector of one word shorter by a millionth and compare the
//! change of $z$ with the formula.
double first_order_gap(const Classifier& model, const std::vector<int>& ids) {
    const auto count = static_cast<int64_t>(ids.size());
    Classifier precise = copy_model(model);
    to_dtype(precise, Dtype::float64);
    const Tensor words = detach(precise.embedding(Indices(ids, {1, count})));
    const auto logits = [&](const Tensor& x) {
        return precise.read(x, {static_cast<int>(count)}).logits;
    };
    const int best = argmax(logits(words), 1)[0];
    const std::vector<double> g = input_gradient(precise, words);
    const double step = 1e-6;
    double gap = 0;
    for (int64_t j = 0; j < 5; ++j) {
        Tensor factor = ones({1, count, 1}, Dtype::float64);
        factor.edit<double>()[j] = 1 - step;
        const Tensor lost = select(logits(words) - logits(words * factor), 1, best);
        gap = std::max(gap, std::abs(lost.item() / step - g[static_cast<std::size_t>(j)]));
    }
    return gap;
}

//! ## Do the two rankings agree?
//!
//! Weights and gradients have different units, so we compare only the order in which they rank the
//! words of a document. If both rankings agree on which of two words is more important, the pair is
//! called concordant, otherwise discordant. *Kendall's tau* counts such pairs:
//!
//! $$ \tau = \frac{\text{concordant} - \text{discordant}}{\text{all pairs}} . $$
//!
//! {no results} It is 1 for equal rankings, -1 for opposite ones, and near 0 for unrelated ones. By
//! hand: four words have the weights 0.5, 0.3, 0.15 and 0.05, and the gradients 4, 1, 2 and 0.5. Of
//! the six pairs the rankings disagree only on that of the second and the third word, so $\tau =
//! (5 - 1) / 6 = 0.667$.
double kendall_tau(const std::vector<double>& a, const std::vector<double>& b) {
    double agree = 0, pairs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double product = (a[i] - a[j]) * (b[i] - b[j]);
            agree += (product > 0) - (product < 0);  // a tie counts as neither
            ++pairs;
        }
    return agree / pairs;
}

//! ## Would other weights have given the same answer?
//!
//! If the weights explain the answer, then other weights should give another answer.
//!
//! **Shuffled weights.** We exchange the weights among the words at random and leave the states as
//! they are. Let $p_i$ be the probability of class $i$ before and $q_i$ the one after. The *total
//! variation distance* of two lists of probabilities is half the sum of their absolute differences:
//!
//! $$ \frac{1}{2} \sum_i |p_i - q_i| . $$
//!
//! {no results} It is 0 for equal answers and 1 for answers that have no class in common. For $p =
//! (0.9, 0.1)$ and $q = (0.6, 0.4)$ it is $(0.3 + 0.3) / 2 = 0.3$: three tenths of the probability
//! have moved.
double total_variation(const std::vector<double>& p, const std::vector<double>& q) {
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) total += std::abs(p[i] - q[i]);
    return total / 2;
}

void compare_by_hand(Lesson& lesson) {
    lesson.heading("Would other weights have given the same answer?");
    lesson.claim("tau-by-hand", "identity: Kendall's tau against the number worked by hand, 0.667",
                 kendall_tau({0.5, 0.3, 0.15, 0.05}, {4, 1, 2, 0.5}), between(0.666, 0.667));
    lesson.claim("tvd-by-hand",
                 "identity: total variation distance against the number worked by hand, 0.3",
                 total_variation({0.9, 0.1}, {0.6, 0.4}), between(0.2999, 0.3001));
}

//! {no results} **Adversarial weights.** Shuffling is blind. We can also search on purpose.
//! *Adversarial weights* are as different as possible from those of the network and still give
//! nearly the same answer, here within a total variation distance of 0.01. To measure how different
//! two lists of weights $\alpha$ and $\beta$ are, Jain and Wallace use the Jensen-Shannon
//! divergence: the mean of the KL divergences (lesson {probabilities}) of both from their mean $m =
//! (\alpha + \beta) / 2$,
//!
//! $$ \operatorname{JS}(\alpha, \beta) = \tfrac{1}{2} \operatorname{KL}(\alpha \| m) + \tfrac{1}{2}
//!    \operatorname{KL}(\beta \| m) . $$
//!
//! {no results} It is 0 for equal weights and at most $\ln 2 = 0.693$, for $(1, 0)$ and $(0, 1)$
//! with the mean $(0.5, 0.5)$. The search is training, but what is trained are the scores of one
//! document. The loss is minus the divergence, plus a penalty for changing the answer. The penalty
//! begins at half of the change that is allowed, because steps often go too far; $\text{relu}(x)$,
//! the larger of $x$ and 0, makes smaller changes free.
Tensor jensen_shannon(const Tensor& a, const Tensor& b) {
    const Tensor mean = (a + b) / 2.0;
    return sum(a * log(a / mean) + b * log(b / mean)) / 2.0;
}

// The search begins with the weights softmax(start).
Tensor adversarial_weights(const Classifier& model, const Analysis& found, double slack, int steps,
                           const Tensor& start) {
    const Tensor own = row(found.weights) + 1e-9;  // [1, K]; no logarithm of 0
    const Tensor answer = row(found.probabilities);
    const Tensor scores = clone(start).set_requires_grad();
    Adam adam({{"scores", scores}}, {.lr = 0.1});
    Tensor best = own;
    double farthest = 0;
    for (int n = 0; n < steps; ++n) {
        const Tensor weights = softmax(scores), distance = jensen_shannon(weights + 1e-9, own);
        const Tensor probabilities = softmax(model.logits_of(found.states, weights));
        const Tensor change = sum(abs(probabilities - answer)) / 2.0;
        if (change.item() <= slack && distance.item() > farthest) {
            farthest = distance.item();
            best = detach(weights);
        }
        backward(50.0 * relu(change - slack / 2) - distance);
        adam.step();
        adam.zero_grad();
    }
    return best;
}

//! ## Two encoders
//!
//! We train two classifiers on documents of 40 to 100 words about the weather, the kitchen, music
//! or ships, as in lesson {attention_pooling}. Three words of each document are telling words,
//! which occur in one topic only. The classifiers differ in the encoder. The *context-free* encoder
//! computes each state from its own word only. The recurrent encoder is a GRU (lesson {recurrence})
//! that reads in both directions (lesson {bottleneck}).
//!
//! In the context-free network, the weight of a state is the weight of a word. In the recurrent
//! network it is not.
void show_encoders(Lesson& lesson) {
    lesson.heading("Two encoders");
    lesson.show("encoders", encoder_diagrams(),
                "Two classifiers for a document of three words: distant, thunder, again. An arrow "
                "leads to each state from the words on which it depends.");
}

//! For each encoder we train five networks and measure four things on test documents:
//!
//! - Kendall's tau of weights and gradients;
//! - the change of the answer when the weights are shuffled, in the median document;
//! - the mean divergence of adversarial weights;
//! - how many of the three telling words are among the three words of largest weight, and how many
//!   among the three of largest gradient. Chance would find one in 23.
Analysis analyse(const Classifier& model, const std::vector<int>& ids) {
    const auto count = static_cast<int64_t>(ids.size());
    const Tensor words = detach(model.embedding(Indices(ids, {1, count})));
    std::vector<double> importance = input_gradient(model, words);
    for (double& g : importance) g = std::abs(g);
    const NoGrad no_grad;
    const Classifier::Read read = model.read(words, {static_cast<int>(count)});
    return {read.weights.to_vector(), importance, softmax(read.logits).to_vector(), read.states};
}

double share_found(const std::vector<double>& importance, const std::vector<bool>& telling) {
    std::vector<std::size_t> order(importance.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return importance[a] > importance[b]; });
    const auto count = std::count(telling.begin(), telling.end(), true);
    const auto found = std::count_if(order.begin(), order.begin() + count,
                                     [&](std::size_t j) { return telling[j]; });
    return static_cast<double>(found) / static_cast<double>(count);
}

enum class Start { equal, own };  // the weights with which the search for others begins

void examine(const Classifier& model, const Data& data, int documents, int adversaries, Start from,
             Rng& rng, Findings& findings) {
    std::vector<double> tau, changes, divergence, by_weight, by_gradient;
    for (int i = 0; i < documents; ++i) {
        const Document& document = data.documents.test[static_cast<std::size_t>(i)];
        const Analysis found = analyse(model, data.ids(document));
        tau.push_back(kendall_tau(found.weights, found.gradient));
        if (std::count(document.telling.begin(), document.telling.end(), true) > 0) {
            by_weight.push_back(share_found(found.weights, document.telling));
            by_gradient.push_back(share_found(found.gradient, document.telling));
        }
        std::vector<double> shuffled = found.weights;
        rng.shuffle(shuffled);
        const Tensor logits = model.logits_of(found.states, row(shuffled));
        changes.push_back(total_variation(found.probabilities, softmax(logits).to_vector()));
        if (i >= adversaries) continue;
        Tensor start = zeros({1, static_cast<int64_t>(found.weights.size())});
        if (from == Start::own)
            start = log(row(found.weights) + 1e-9) + normal(start.shape(), 0, 0.1, rng);
        const Tensor other = adversarial_weights(model, found, 0.01, 200, start);
        divergence.push_back(jensen_shannon(other + 1e-9, row(found.weights) + 1e-9).item());
    }
    findings.add(tau, changes, divergence, by_weight, by_gradient);
}

void compare_encoders(Lesson& lesson, int steps) {
    const Prediction agreement = lesson.predict(
        "Kendall's tau of weights and gradients is 1 for equal rankings and 0 for unrelated ones. "
        "What is it for the recurrent encoder?",
        within(0.15).from(-1, 1));
    const Prediction finder = lesson.predict(
        "With that encoder, which finds more of the telling words: weights or gradient?",
        {"weights", "gradient"});
    const bool quick = lesson.quick();
    const int runs = quick ? 1 : 5, documents = quick ? 40 : 200, adversaries = quick ? 4 : 30;
    std::vector<Findings> all;
    double gap = 0;
    for (Encoder kind : {Encoder::context_free, Encoder::recurrent}) {
        Findings findings{kind};
        for (int run = 0; run < runs; ++run) {
            const std::uint64_t seed = 100 * lesson.seed() + static_cast<std::uint64_t>(run);
            const Data data(seed);
            const Classifier model = train(kind, data, steps, seed);
            findings.accuracy.push_back(accuracy(model, data));
            Rng rng(seed);
            examine(model, data, documents, adversaries, Start::equal, rng, findings);
            if (run > 0) continue;
            const Document& document = data.documents.test[0];
            show_words(lesson, kind, document, analyse(model, data.ids(document)));
            gap = std::max(gap, first_order_gap(model, data.ids(document)));
        }
        all.push_back(findings);
    }
    show_findings(lesson, all);
    const Findings &alone = all[0], &reading = all[1];
    lesson.reveal(agreement, mean_of(reading.tau));
    lesson.reveal(
        finder, mean_of(reading.by_weight) > mean_of(reading.by_gradient) ? "weights" : "gradient");

    //! {if all shuffled > 0.85 and telling-found > 0.85} **The context-free encoder.** Shuffled
    //! weights change nearly the whole answer, {shuffled:2} of a possible 1, and {telling-found:%}
    //! of the telling words are among those of largest weight. Here the weights are a fair account
    //! of what the network does.
    //!
    //! {if all accuracy-recurrent > 0.99 and tau-gap > 0.35} **The recurrent encoder.** It is right
    //! as often, in {accuracy-recurrent:% 1} of the documents, but its two rankings have much less
    //! in common: tau is lower by {tau-gap:2}. The five networks differ in what shuffled weights
    //! do. If most states contain the answer, it matters little which of them enter the mean; if
    //! only few do, shuffling changes much.
    //!
    //! {if all telling-found-recurrent < telling-found} **Do the weights find the telling words?**
    //! {full run} They do, even with a recurrent encoder, though fewer: {telling-found-recurrent:%} instead of
    //! {telling-found:%}. Sometimes such a network attends to everyday words whose states contain
    //! the answer, and it is right too. What the gradient finds is in the last column of the table.
    //!
    //! {if all adversarial > 0.4} **Adversarial weights exist for both.** For the recurrent encoder
    //! their divergence is {adversarial:2}, of at most $\ln 2$. No wonder: there are three telling
    //! words and one is enough, so weights on the first and weights on the second give the same
    //! answer. Two sets of weights with the same answer do not show that weights explain nothing.
    //! They show that an explanation by weights is not the only one.
    for (const Findings& f : all)
        lesson.claim(fmt::format("accuracy-{}", name_of(f.kind)),
                     fmt::format("finding: accuracy, {}", name_of(f.kind)), mean_of(f.accuracy),
                     at_least(quick ? 0.8 : 0.98));
    lesson.claim("gradient-formula",
                 "identity: g by the formula against a finite difference, largest difference", gap,
                 at_most(1e-5));
    lesson.claim("tau-gap", "finding: tau of weights and gradients, context-free minus recurrent",
                 mean_of(alone.tau) - mean_of(reading.tau), at_least(quick ? 0.05 : 0.35));
    lesson.claim("shuffled",
                 "finding: median change of the answer by shuffled weights, context-free",
                 mean_of(alone.shuffled), at_least(quick ? 0.35 : 0.85));
    lesson.claim(
        "adversarial",
        "finding: divergence of adversarial weights with nearly the same answer, recurrent",
        mean_of(reading.divergence), at_least(quick ? 0.2 : 0.4));
    lesson.claim("telling-found", "finding: share of telling words found by weight, context-free",
                 mean_of(alone.by_weight), at_least(quick ? 0.7 : 0.86));
    if (!quick)
        lesson.claim("telling-found-recurrent",
                     "finding: share of telling words found by weight, recurrent",
                     mean_of(reading.by_weight), less_than(mean_of(alone.by_weight)));
}

//! ## Reviews in which people marked the words
//!
//! Zaidan, Eisner and Piatko (2007) asked people to mark, in reviews of films, the words that show
//! whether the writer liked the film. With `--data` this lesson trains the same two classifiers on
//! such reviews. If people marked $n$ words of a review, we count how many of the $n$ words of
//! largest weight, or largest $|g|$, are marked.
//!
//! We tried it once with the 1,600 reviews of that paper, as the ERASER benchmark (DeYoung et
//! al. 2020) gives them out. Both encoders were right about six of seven test reviews. Nearly a
//! third of all words were marked, and of the words of largest weight or largest $|g|$ hardly more.
//! So neither ranking finds what people marked much better than chance does. People mark whole
//! phrases with all their small words; a network needs one or two strong ones.
//!
//! The softmax of these networks is saturated at equal weights (lesson {scores}), so the search
//! begins near the network's own weights.
void marked_reviews(Lesson& lesson, int steps) {
    const Data data(lesson.options().data);
    lesson.heading("Reviews in which people marked the words");
    const bool quick = lesson.quick();
    const auto tests = static_cast<int>(data.documents.test.size());
    const int documents = std::min(tests, quick ? 20 : 1000), runs = quick ? 1 : 3;
    std::vector<double> lengths, shares;  // of marked words
    for (int i = 0; i < documents; ++i) {
        const std::vector<bool>& telling = data.documents.test[std::size_t(i)].telling;
        const auto marked = std::count(telling.begin(), telling.end(), true);
        lengths.push_back(double(telling.size()));
        if (marked > 0) shares.push_back(double(marked) / lengths.back());
    }
    if (shares.empty())
        throw InputError(lesson.options().data + "/test.tsv: no word is marked in any text");
    lesson.say("{} texts for training and {} for the test, {:.0f} words in a text of the test.",
               data.documents.train.size(), tests, mean_of(lengths));
    std::vector<Findings> all;
    for (const Encoder kind : {Encoder::context_free, Encoder::recurrent}) {
        Findings findings{kind};
        ProgressLine progress = lesson.progress(name_of(kind), runs);
        for (int run = 0; run < runs; ++run) {
            const std::uint64_t seed = 100 * lesson.seed() + static_cast<std::uint64_t>(run);
            const Classifier model = train(kind, data, steps, seed);
            findings.accuracy.push_back(accuracy(model, data));
            Rng rng(seed);
            examine(model, data, documents, std::min(documents, quick ? 2 : 20), Start::own, rng,
                    findings);
            if (run == 0) {
                const Document& first = data.documents.test[0];
                show_words(lesson, kind, first, analyse(model, data.ids(first)), " (marked)");
            }
            progress.update(run + 1, findings.accuracy.back());
        }
        all.push_back(findings);
    }
    show_findings(lesson, all, "marked");
    lesson.say("Of words chosen at random, {:.3f} are marked.", mean_of(shares));
    lesson.claim("own-accuracy", "accuracy, the worse of the two encoders",
                 std::min(mean_of(all[0].accuracy), mean_of(all[1].accuracy)),
                 at_least(quick ? 0.4 : 0.6));
}

}  // namespace

}  // namespace heed::lesson13

//! ## What this does not show
//!
//! It does not show that the gradient is the true explanation. Where a softmax is saturated, the
//! gradient is small for all words. The plainest test is to remove words and see whether the answer
//! changes. Jain and Wallace also left out one word at a time, Serrano and Smith (2019) removed the
//! largest weights first; the figure with three words lets you do it by hand.
//!
//! We put adversarial weights into a network that had been trained with other weights. Wiegreffe
//! and Pinter (2019) trained networks to have them, and found it harder than the search in one
//! document suggests.
//!
//! Each telling word here has its meaning alone. In "not good" two words have to be combined, and a
//! list of important words does not say how.
//!
//! Sources: Jain and Wallace, "Attention is not Explanation" (2019), sections 4.1 and 4.2; Serrano
//! and Smith, "Is Attention Interpretable?" (2019); Wiegreffe and Pinter, "Attention is not not
//! Explanation" (2019); Zaidan, Eisner and Piatko, "Using 'Annotator Rationales' to Improve Machine
//! Learning for Text Categorization" (2007); DeYoung and others, "ERASER: A Benchmark to Evaluate
//! Rationalized NLP Models" (2020).
//!
//! ## Summary
//!
//! 1. A weight says how much of a state enters the mean. What a word contributes depends on the
//!    state and on the output layer too.
//! 2. The input gradient times the embedding estimates how much the logit would change without the
//!    word.
//! 3. Weights and gradients rank the words far less alike with a recurrent encoder than with a
//!    context-free one.
//! 4. A state of a recurrent encoder may contain any word, so the weight of a state is not the
//!    weight of a word.
//! 5. Where several words say the same, very different weights give the same answer.
//!
//! ## Try this next
//!
//! 1. `--steps 200`: do weights find the telling words before the network has learned to use them?
//! 2. In `model.cpp`, set `.telling = 1`. Are there still adversarial weights when there is only
//!    one telling word?
//! 3. In `Classifier::encode`, add the word's own embedding to the recurrent state. Does tau rise?
using namespace heed;
using namespace heed::lesson13;

int main(int argc, char** argv) {
    Lesson lesson({.number = 13,
                   .name = "explanation",
                   .title = "Is attention an explanation?",
                   .question = "Do attention weights say why a network gave its answer?",
                   .data = "a folder of texts with marked words: train.tsv, val.tsv, test.tsv, "
                           "each line name, LABEL, marked words (3-5,9-12), sentences, text, "
                           "separated by tabs",
                   .data_is = DataIs::folder,
                   .own_data = "documents of everyday words with three telling ones"});
    int steps = 0;
    lesson.option("--steps", steps,
                  "steps of training (600; quick 400; with --data 300, quick 10)");
    return lesson.run(argc, argv, [&] {
        if (!lesson.options().data.empty())
            return marked_reviews(lesson, steps ? steps : lesson.quick() ? 10 : 300);
        if (steps == 0) steps = lesson.quick() ? 400 : 600;
        opening(lesson);
        compute_by_hand(lesson);
        compare_by_hand(lesson);
        show_encoders(lesson);
        compare_encoders(lesson, steps);
    });
}
