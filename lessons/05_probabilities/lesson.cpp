//! # How does a network say what it believes?
//!
//! The program translates 나는 학생 이다. It should write "I am a student", and has written "I". Which
//! word comes next? Its network computes a number for each word it knows, here for three of them: 2
//! for "am", 1 for "read" and 0 for "saw". A larger number means: more likely.
//!
//! But how likely? And when the right word is known, how wrong was the network? Softmax and a loss
//! answer that.

#include <algorithm>
#include <cmath>

#include "lessons/05_probabilities/pictures.h"
#include "lessons/05_probabilities/tape.h"
#include "lessons/course/course.h"
#include "nn/nn.h"

namespace heed::lesson05 {

using namespace course;

namespace {

constexpr Dtype f64 = Dtype::float64;
const std::vector<std::string> words{"am", "read", "saw"};
const std::vector<double> example{2, 1, 0};

void opening(Lesson& lesson) {
    lesson.show("shares", numbers_and_shares(words, example),
                "What the network says, and what becomes of it. The shares sum to 1, and even the "
                "word with the number 0 gets one.");
}

//! ## Softmax
//!
//! {no results} The naive attempt is to divide each number by the sum of all: 0.667, 0.333 and 0.
//! But the network did not mean that "saw" is impossible; 0 is a number like any other. And for the
//! numbers 1, 0 and -1 the sum is 0. Lesson {attention} has the remedy: make the numbers positive
//! first, by the exponential function, and divide then. For $C$ words with the numbers
//! $z_1, \dots, z_C$, word $j$ gets the probability
//!
//! $$ p_j = \frac{e^{z_j}}{\sum_{k=1}^{C} e^{z_k}} . $$
//!
//! The *logits* $z_j$ are the numbers before the softmax, which may be any.
//!
//! {no results} **By hand.** The exponentials of 2, 1 and 0 are 7.389, 2.718 and 1, and their sum
//! is 11.107. So $p = (0.665, \; 0.245, \; 0.090)$.
std::vector<double> softmax_by_formula(const std::vector<double>& z) {
    std::vector<double> p;
    double sum = 0;
    for (double logit : z) sum += std::exp(logit);
    for (double logit : z) p.push_back(std::exp(logit) / sum);
    return p;
}

//! Only differences of logits count, because $p_j$ and $p_k$ have the same denominator: $p_j / p_k
//! = e^{z_j - z_k}$. So we may add the same number to all of them: 12, 11 and 10 give the same
//! probabilities. For two logits $z$ and 0 the first probability is $1 / (1 + e^{-z})$, the sigmoid
//! of lesson {learning}.
void by_hand(Lesson& lesson) {
    lesson.heading("Softmax");
    const std::vector<double> p = softmax_by_formula(example);
    lesson.show("softmax", from_logits_to_loss(words, example, p, 2),
                "The lesson in one picture: three numbers become three probabilities. If the right "
                "word is \"saw\", its probability becomes the loss.");
    lesson.claim("softmax-by-hand",
                 "identity: softmax of (2, 1, 0) by the formula against the numbers worked by hand",
                 largest_gap(p, {0.665, 0.245, 0.090}), at_most(0.0005));
    lesson.claim("softmax-library", "identity: softmax by the formula against the library",
                 largest_gap(p, softmax(tensor(example, f64)).to_vector()), at_most(1e-12));
    lesson.claim("softmax-shift", "identity: softmax of (12, 11, 10) against that of (2, 1, 0)",
                 largest_gap(p, softmax_by_formula({12, 11, 10})), at_most(1e-12));
}

//! ## Temperature
//!
//! The *temperature* is a positive number $\tau$ by which all logits are divided before the
//! softmax:
//!
//! $$ p_j = \frac{e^{z_j / \tau}}{\sum_k e^{z_k / \tau}} . $$
//!
//! {no results} With $\tau = 2$ the logits 2, 1 and 0 become 1, 0.5 and 0, and the probabilities
//! 0.506, 0.307 and 0.186. The order is the same, but the network sounds less sure. The larger
//! $\tau$, the closer all come to $1/C$. The closer $\tau$ comes to 0, the closer the largest comes
//! to 1: softmax is a soft choice of the maximum, hence its name.
//!
//! ![Raise one logit and watch the others lose probability. Raise all three by 1: nothing changes. Then move the temperature. ](live:softmax)
void temperatures(Lesson& lesson) {
    lesson.heading("Temperature");
    const Prediction guess = lesson.predict(
        "The logits 2, 1, 0 give am a probability of 0.665. All logits are now multiplied by 2: "
        "4, 2, 0. What is the probability of am?",
        within(0.05).from(0, 1));
    show_temperatures(lesson, words, example);
    const double doubled = softmax_by_formula({4, 2, 0})[0];
    lesson.reveal(guess, doubled);
    lesson.say("Multiplying by 2 is a temperature of 0.5. The probability of am becomes {:.3f}.",
               doubled);
    lesson.claim(
        "temperature-by-hand", "identity: softmax at τ = 2 against the numbers worked by hand",
        largest_gap(softmax_by_formula({1, 0.5, 0}), {0.506, 0.307, 0.186}), at_most(0.0005));
}

//! ## Large logits, and log-sum-exp
//!
//! {no results} In float32 the largest number is about $3.4 \cdot 10^{38}$, and $e^{89}$ is larger.
//! It is stored as infinity; this is called *overflow*. Infinity divided by infinity is stored as
//! *NaN*, "not a number", and one NaN soon makes all numbers of a network NaN.
//!
//! The remedy is to subtract the largest logit, $m$:
//!
//! $$ p_j = \frac{e^{z_j - m}}{\sum_k e^{z_k - m}}, \qquad m = \max_k z_k . $$
//!
//! Now no exponential is larger than 1, and the sum is at least $e^0 = 1$. From 1000, 999 and 998
//! we get 0, -1 and -2, and the old probabilities.
std::vector<double> softmax_shifted(std::vector<double> z) {
    const double m = *std::max_element(z.begin(), z.end());
    for (double& logit : z) logit -= m;
    return softmax_by_formula(z);
}

//! Often we need the logarithm of a probability:
//!
//! $$ \ln p_j = z_j - \ln \sum_k e^{z_k}, \qquad
//!    \ln \sum_k e^{z_k} = m + \ln \sum_k e^{z_k - m} . $$
//!
//! {no results} The *log-sum-exp* of the logits is the logarithm of the sum of their exponentials,
//! shifted in the same way. For 2, 1 and 0 it is $\ln 11.107 = 2.4076$.
double log_sum_exp(const std::vector<double>& z) {
    const double m = *std::max_element(z.begin(), z.end());
    double sum = 0;
    for (double logit : z) sum += std::exp(logit - m);
    return m + std::log(sum);
}

//! It would be a mistake to take the logarithm of a softmax: for the logits 1000 and 0 the second
//! probability is rounded to 0, and $\ln 0$ is minus infinity. The right answer is -1000.
void overflow(Lesson& lesson) {
    lesson.heading("Large logits, and log-sum-exp");
    const std::vector<double> large{1000, 999, 998};
    show_overflow(lesson, softmax_by_formula(large), softmax_shifted(large));
    const Tensor e = exp(tensor({88, 89}));  // float32
    lesson.say("In float32, the exponential of 88 is {:.3g} and that of 89 is {}.", e.at({0}),
               e.at({1}));
    lesson.say(
        "The logarithm of the second probability for the logits 1000 and 0: {} by softmax and "
        "logarithm, {} by log-sum-exp.",
        std::log(softmax_shifted({1000, 0})[1]), 0 - log_sum_exp({1000, 0}));
    lesson.claim("large-scores",
                 "identity: softmax of (1000, 999, 998), shifted, against that of (2, 1, 0)",
                 largest_gap(softmax_shifted(large), softmax_by_formula(example)), at_most(1e-12));
    lesson.claim("log-sum-exp", "identity: log-sum-exp of (1000, 999, 998) against the library",
                 std::abs(log_sum_exp(large) - logsumexp(tensor(large, f64)).item()),
                 at_most(1e-9));
}

//! ## The loss: how surprised was the network?
//!
//! {no results} Take three sentences that begin with "I", with the same forecast, and go on with
//! "am", "am" and "saw". To all that happened the network gave the probability $0.665 \cdot 0.665
//! \cdot 0.090 = 0.0398$, called the *likelihood* of what was observed. It is natural to look for
//! weights that make it large. But a product over a thousand words would be rounded to 0. The
//! logarithm turns it into a sum, and a minus sign turns large into small. If word $k$ came, the
//! loss is
//!
//! $$ L = -\ln p_k = \ln \sum_i e^{z_i} - z_k . $$
//!
//! This is the *negative log-likelihood*. Think of it as the surprise of the network: 0 if it was
//! certain and right, and without limit the smaller $p_k$ is.
void draw_the_surprise(Lesson& lesson) {
    lesson.heading("The loss: how surprised was the network?");
    lesson.show(
        "surprise", curve_of_surprise(words, softmax_by_formula(example)),
        "The loss against the probability of the word that came. The two points are those of "
        "the example.");
}

//! {no results} **By hand.** For "saw", $L = 2.408 - 0 = 2.408$; for "am", $2.408 - 2 = 0.408$.
double loss_by_formula(const std::vector<double>& z, int k) { return log_sum_exp(z) - z[k]; }

//! {no results} The mean of "am", "am" and "saw" is $(3 \cdot 2.4076 - 4) / 3 = 1.074$. The *nat* is
//! the unit of a loss that is computed with the natural logarithm, as ours is. The *perplexity* is
//! the exponential of the mean loss, $e^{1.074} = 2.93$: the network was as surprised as by a choice
//! among 2.93 equally likely words. Knowing nothing would give 3.
void surprise(Lesson& lesson) {
    const std::vector<int> came{0, 0, 2};
    double mine = 0;
    for (int k : came) mine += loss_by_formula(example, k) / 3;
    const Tensor logits = tensor({2, 1, 0, 2, 1, 0, 2, 1, 0}, {3, 3}, f64);
    lesson.say("The mean loss of am, am and saw is {:.3f} nats, a perplexity of {:.2f}.", mine,
               metrics::perplexity(mine));
    lesson.claim("loss-by-hand",
                 "identity: mean loss of three words against the number worked by hand, 1.074",
                 mine, between(1.0735, 1.0745));
    lesson.claim("loss-library",
                 "identity: mean loss by the formula against the library's cross_entropy",
                 std::abs(mine - cross_entropy(logits, came).item()), at_most(1e-12));
}

//! ## Cross-entropy, entropy, and what lies between
//!
//! {no results} No network can avoid all of the loss. Say that of all sentences with "I", half go
//! on with "am", 30 % with "read" and 20 % with "saw": $q = (0.5, 0.3, 0.2)$. If the network says
//! $p$ each time, its mean loss approaches the *cross-entropy* of $q$ and $p$, the loss of each
//! word weighted by how often the word comes:
//!
//! $$ H(q, p) = -\sum_j q_j \ln p_j . $$
//!
//! {no results} By hand: $0.5 \cdot 0.408 + 0.3 \cdot 1.408 + 0.2 \cdot 2.408 = 1.108$. The
//! loss is smallest if the forecast is $q$ itself. This loss is the *entropy* of $q$:
//!
//! $$ H(q) = -\sum_j q_j \ln q_j . $$
//!
//! {no results} Here it is 1.030. What is left, 0.078, is the fault of the network. It is the
//! *Kullback-Leibler divergence* of the truth $q$ and the forecast $p$, in short KL:
//!
//! $$ \operatorname{KL}(q \| p) = \sum_j q_j \ln (q_j / p_j) = H(q, p) - H(q) . $$
//!
//! It is never negative, and 0 only for $p = q$. Training does not know $q$ and need not: a smaller
//! mean loss brings $p$ closer to $q$, because $H(q)$ does not depend on the weights.
double cross_entropy_of(const std::vector<double>& q, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t j = 0; j < q.size(); ++j)
        if (q[j] > 0) sum -= q[j] * std::log(p[j]);
    return sum;
}

//! For a single word $q$ is 1 for the word that came and 0 for the others, a *one-hot* vector. Its
//! entropy is 0, and cross-entropy and negative log-likelihood are the same.
void divergence(Lesson& lesson) {
    lesson.heading("Cross-entropy, entropy, and what lies between");
    const std::vector<double> q{0.5, 0.3, 0.2}, p = softmax_by_formula(example);
    const double both = cross_entropy_of(q, p), own = cross_entropy_of(q, q);
    lesson.show("parts",
                BarChart{.value_label = "nats",
                         .labels = {"cross-entropy", "= entropy of q", "+ divergence"},
                         .sets = {{"", {both, own, both - own}}}},
                "What of the loss nobody can avoid, and what is the fault of the network.");
    lesson.claim("kl-by-hand", "identity: KL divergence against the number worked by hand, 0.078",
                 both - own, between(0.0775, 0.0785));
    lesson.claim(
        "kl-library", "identity: cross-entropy minus entropy against the library's kl_divergence",
        std::abs(both - own -
                 kl_divergence(log_softmax(tensor(example, {1, 3}, f64)), tensor(q, {1, 3}, f64))
                     .item()),
        at_most(1e-12));
}

//! ## The gradient: what the network said, minus what happened
//!
//! Learning needs the derivative of $L = \ln \sum_i e^{z_i} - z_k$ with respect to each logit. By
//! the chain rule the first term gives $e^{z_j} / \sum_i e^{z_i}$, which is $p_j$. The second gives
//! $-1$ for the word that came, $j = k$. With its one-hot vector $y$:
//!
//! $$ \frac{\partial L}{\partial z_j} = p_j - y_j . $$
//!
//! {no results} **By hand.** If "saw" came, $y = (0, 0, 1)$ and the gradient is $(0.665, 0.245,
//! -0.910)$. A step against it raises the logit of "saw" and lowers the others.
//!
//! ![Choose the word that came, and watch loss and gradient.](live:surprise)
std::vector<double> gradient_by_hand(const std::vector<double>& z, int k) {
    std::vector<double> g = softmax_shifted(z);
    g[k] -= 1;
    return g;
}

//! Three other ways have to agree: the tape of lesson {autograd}; the finite differences of lesson
//! {gradient_check}; and the library's own rule.
std::vector<double> gradient_by_tape(const std::vector<double>& z, int k) {
    Tape tape;
    std::vector<Taped> logits;
    for (double logit : z) logits.push_back({&tape, logit, tape.write()});
    Taped sum = exp(logits[0]);
    for (std::size_t i = 1; i < z.size(); ++i) sum = sum + exp(logits[i]);
    const Taped loss = ln(sum) - logits[k];
    std::vector<double> g = tape.backward(loss.line);
    g.resize(z.size());  // the first lines of the tape are the logits
    return g;
}

std::vector<double> gradient_by_differences(std::vector<double> z, int k) {
    const double h = 1e-5;
    std::vector<double> g;
    for (double& logit : z) {
        const double here = logit;
        logit = here + h;
        const double above = loss_by_formula(z, k);
        logit = here - h;
        g.push_back((above - loss_by_formula(z, k)) / (2 * h));
        logit = here;
    }
    return g;
}

//! For any other loss, let $g_i$ be its derivative with respect to $p_i$. Since $\partial
//! p_i/\partial z_j$ is $p_j(1 - p_j)$ for $i = j$ and $-p_jp_i$ otherwise,
//!
//! $$ \frac{\partial L}{\partial z_j} = p_j \Big(g_j - \sum_i p_i g_i\Big). $$
//!
//! {no results} For $g = (1, 2, 0)$: $(-0.103, 0.207, -0.104)$ (lesson {gradient_check}).
//!
//! The *squared error* $\sum_j (p_j - y_j)^2$ is the sum of the squared differences between what is
//! predicted and what is true. Why not take that? Let a network be sure and wrong: logits 10, 0, 0,
//! and "saw" comes. The gradient of the cross-entropy is about $(1, 0, -1)$, as large as it can be.
//! That of the squared error, by the formula above, almost vanishes where there is most to learn.
void four_gradients(Lesson& lesson) {
    lesson.heading("The gradient: what the network said, minus what happened");
    const std::vector<double> by_hand = gradient_by_hand(example, 2),
                              by_tape = gradient_by_tape(example, 2),
                              by_differences = gradient_by_differences(example, 2);
    const Tensor z = tensor(example, {1, 3}, f64).set_requires_grad();
    const std::vector<double> library = grad(cross_entropy(z, {2}), {z})[0].to_vector();
    show_gradients(lesson, words, {by_hand, by_tape, by_differences, library});
    lesson.claim("gradient-tape", "identity: gradient p - y against the tape",
                 largest_gap(by_hand, by_tape), at_most(1e-12));
    lesson.claim("gradient-differences", "identity: gradient p - y against finite differences",
                 largest_gap(by_hand, by_differences), at_most(1e-8));
    lesson.claim("gradient-library", "identity: gradient p - y against the library",
                 largest_gap(by_hand, library), at_most(1e-12));

    const Tensor wrong = tensor({10, 0, 0}, {1, 3}, f64).set_requires_grad();
    const Tensor saw = tensor({0, 0, 1}, {1, 3}, f64);
    const double of_cross_entropy = max(abs(grad(cross_entropy(wrong, {2}), {wrong})[0])).item();
    const double of_squares = max(abs(grad(sum(square(softmax(wrong) - saw)), {wrong})[0])).item();
    lesson.say(
        "Logits 10, 0, 0 and saw: the largest derivative is {:.3f} for the cross-entropy and "
        "{:.5f} for the squared error.",
        of_cross_entropy, of_squares);
}

}  // namespace

}  // namespace heed::lesson05

//! ## What this does not show
//!
//! When a network is nine tenths sure, is it right nine times out of ten? Trained networks are
//! usually too sure. Workshop {calibration} measures by how much, and repairs it with a
//! temperature.
//!
//! Sources: Bridle, "Probabilistic interpretation of feedforward classification network outputs"
//! (1990), for the name of softmax; Shannon, "A Mathematical Theory of Communication" (1948), for
//! entropy; Kullback and Leibler, "On Information and Sufficiency" (1951).
//!
//! ## Summary
//!
//! 1. Softmax turns any numbers, the logits, into probabilities. Only their differences matter.
//! 2. So the largest logit is subtracted first, and nothing overflows. A temperature changes how
//!    sure the result is, not its order.
//! 3. The loss is $-\ln$ of the probability of what happened: the surprise.
//! 4. Its mean, the cross-entropy, is the entropy of the world plus the KL divergence of truth and
//!    forecast.
//! 5. Its gradient with respect to the logits is $p - y$: what the network said minus what
//!    happened.
//!
//! ## Try this next
//!
//! 1. In the last figure, choose a word and find the temperature with the smallest loss.
//! 2. On paper: which logits give the three words the probabilities $q$ of this lesson?
using namespace heed;
using namespace heed::lesson05;

int main(int argc, char** argv) {
    Lesson lesson({.number = 5,
                   .name = "probabilities",
                   .title = "How does a network say what it believes?",
                   .question =
                       "How do arbitrary numbers become probabilities, and how wrong were they "
                       "when the right word is known?",
                   .own_data = "three words on paper",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        opening(lesson);
        by_hand(lesson);
        temperatures(lesson);
        overflow(lesson);
        draw_the_surprise(lesson);
        surprise(lesson);
        divergence(lesson);
        four_gradients(lesson);
    });
}
