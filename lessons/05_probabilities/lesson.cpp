//! # How does a network say what it believes?
//!
//! What will the weather be tomorrow? A network reads today's air pressure, wind and a few more
//! numbers. It computes one number for each possible outcome: 2 for sun, 1 for clouds, 0 for rain.
//! A larger number means that the network holds this outcome to be more likely.
//!
//! {no results} But how likely? Somebody who plans a wedding wants to know whether the risk of rain
//! is one percent or thirty. The numbers 2, 1 and 0 do not say. So three questions arise:
//!
//! * How do three arbitrary numbers become three probabilities?
//! * When the next day has come, how do we measure how good the probabilities were, so that the
//!   network can learn from it?
//! * {no results} A network says "rain, 90 %". Does it rain on nine of ten such days?
//!
//! Nearly every network of this course ends with the answer to the first question and is trained
//! with the answer to the second. The weights of attention (lesson {attention_pooling}) are made in
//! the same way as the probabilities here.

#include <algorithm>
#include <cmath>
#include <map>

#include "lessons/05_probabilities/data.h"
#include "lessons/05_probabilities/experiment.h"
#include "lessons/05_probabilities/tape.h"
#include "lessons/course/course.h"

namespace heed::lesson05 {

using namespace course;

namespace {

constexpr Dtype f64 = Dtype::float64;

//! ## The naive attempt: divide by the sum
//!
//! {no results}
//!
//! Probabilities are not negative, and the probabilities of all outcomes sum to 1. The simplest way
//! to get there is to divide each number by the sum of all. From 2, 1 and 0, whose sum is 3, we get
//! 0.667, 0.333 and 0. This fails in three ways.
//!
//! * Rain gets the probability 0. The network did not mean that rain is impossible; 0 is a number
//!   like any other.
//! * A network may just as well compute 1, 0 and -1. We cannot divide by their sum,
//! 0. Other negative numbers would give negative "probabilities".
//! * The result changes when we add the same number to all three. The numbers 12, 11 and 10 have
//!   the same distances as 2, 1 and 0, but the division turns them into nearly equal probabilities:
//!   0.364, 0.333 and 0.303.
//!
//! It is better to accept any numbers and to make them positive ourselves.
//!
//! ## Softmax
//!
//! {no results}
//!
//! The exponential function $e^z$ is positive for every $z$, and a larger $z$ has a larger $e^z$.
//! So take the exponential of each number first, and then divide by the sum. This is the softmax of
//! lesson {attention}. It turns any numbers into probabilities. For $C$ outcomes with the numbers
//! $z_1, \dots, z_C$, outcome $j$ gets the probability
//!
//! $$ p_j = \frac{e^{z_j}}{\sum_{k=1}^{C} e^{z_k}} . $$
//!
//! The numbers $z_j$ before the softmax are called *logits* or scores. A logit may be any number.
//!
//! **By hand.** The exponentials of 2, 1 and 0 are 7.389, 2.718 and 1. Their sum is 11.107. Divided
//! by the sum they are
//!
//! $$ p = (0.665, \; 0.245, \; 0.090) . $$
//!
//! The network says "sun" with the probability 0.665 and "rain" with 0.090.
std::vector<double> softmax_by_formula(const std::vector<double>& z) {
    std::vector<double> p;
    double sum = 0;
    for (double logit : z) sum += std::exp(logit);
    for (double logit : z) p.push_back(std::exp(logit) / sum);
    return p;
}

//! What does a single logit mean? On its own nothing: only differences of logits have a meaning.
//! Divide two probabilities, and the sum cancels:
//!
//! $$ \frac{p_j}{p_k} = \frac{e^{z_j}}{e^{z_k}} = e^{z_j - z_k} . $$
//!
//! A logit that is larger by 1 makes its outcome $e \approx 2.718$ times as likely as the other
//! one. It follows that we may add the same number to all logits, and the probabilities stay the
//! same: 12, 11 and 10 give the same as 2, 1 and 0. The third failure of the naive attempt is gone,
//! too.
//!
//! With two outcomes and the logits $z$ and 0, the first probability is $e^z / (e^z + 1) = 1 / (1 +
//! e^{-z})$. This is the sigmoid of lesson {learning}.
//!
//! A word on claims. Some are *identities*: two computations of the same thing, which have to agree
//! up to rounding. The others are *findings*: an experiment came out so, and it could have come out
//! otherwise.
double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
    double gap = 0;
    for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
    return gap;
}

const std::vector<double> example{2, 1, 0};  // sun, clouds, rain

void from_logits_to_probabilities(Lesson& lesson) {
    lesson.heading("Softmax");
    const std::vector<double> p = softmax_by_formula(example);
    Diagram diagram{.title = "From logits to probabilities and to the loss"};
    double sum = 0;
    for (int j = 0; j < outcomes; ++j) {
        const double e = std::exp(example[j]);
        diagram.boxes.push_back(
            {outcome_names[j], {fmt::format("logit {}", example[j])}, 0, double(j), true});
        diagram.boxes.push_back({"exp", {fmt::format("{:.3f}", e)}, 1, double(j)});
        diagram.boxes.push_back({"divide", {fmt::format("p = {:.3f}", p[j])}, 3, double(j)});
        sum += e;
    }
    diagram.boxes.push_back({"sum", {fmt::format("{:.3f}", sum)}, 2, 1});
    diagram.boxes.push_back(
        {"-ln p", {fmt::format("{:.3f}", -std::log(p[2])), "if it rains"}, 4, 2});
    for (int j = 0; j < outcomes; ++j)
        for (auto [from, to] :
             {std::pair(3 * j, 3 * j + 1), std::pair(3 * j + 1, 9), std::pair(9, 3 * j + 2)})
            diagram.arrows.push_back({from, to});
    diagram.arrows.push_back({8, 10});
    lesson.show("softmax", diagram,
                "Softmax of the logits 2, 1 and 0. Each exponential is divided by the sum of all. "
                "The last box is the loss, which comes further below.");
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
//! Suppose we divide all logits by a positive number $T$ before the softmax:
//!
//! $$ p_j = \frac{e^{z_j / T}}{\sum_k e^{z_k / T}} . $$
//!
//! {no results} The *temperature* is this number $T$, by which all logits are divided before the
//! softmax. With $T = 2$ the logits 2, 1 and 0 become 1, 0.5 and 0. Their exponentials are 2.718,
//! 1.649 and 1, with the sum 5.367, and the probabilities are 0.506, 0.307 and 0.186. The order is
//! the same, but the network sounds less sure. The larger $T$ is, the closer all probabilities come
//! to $1/C$. The closer $T$ comes to 0, the closer the largest probability comes to 1. This limit
//! has given softmax its name: it is a soft version of the function that gives 1 to the largest
//! number and 0 to all others.
//!
//! Division by a positive number keeps the order. So temperature never changes which outcome is the
//! most likely one, only how sure the network sounds. We shall need this at the end of the lesson.
//!
//! ![Raise one logit and watch the others lose probability. Raise all three by 1: nothing changes. Then move the temperature. The numbers below say how surprised the network is by what happened, which is explained in the next sections.](live:softmax)
void temperatures(Lesson& lesson) {
    lesson.heading("Temperature");
    const Prediction guess = lesson.predict(
        "The logits 2, 1, 0 give sun a probability of 0.665. All logits are now multiplied by 2: "
        "4, "
        "2, 0. What is the probability of sun?",
        within(0.05));
    BarChart chart{.title = "Softmax of 2, 1, 0", .value_label = "probability", .high = 1};
    for (const std::string& name : outcome_names) chart.sets.push_back({name});
    for (double T : {0.25, 0.5, 1.0, 2.0, 5.0, 20.0}) {
        chart.labels.push_back(fmt::format("T = {}", T));
        const std::vector<double> p = softmax(tensor(example, f64) / T).to_vector();
        for (int j = 0; j < outcomes; ++j) chart.sets[j].values.push_back(p[j]);
    }
    lesson.show("temperature", chart,
                "The same logits at six temperatures: from almost certain to almost equal.");
    const double doubled = softmax_by_formula({4, 2, 0})[0];
    lesson.reveal(guess, doubled);
    lesson.say("Multiplying by 2 is a temperature of 0.5. The probability of sun becomes {:.3f}.",
               doubled);
    lesson.claim(
        "temperature-by-hand", "identity: softmax at T = 2 against the numbers worked by hand",
        largest_gap(softmax_by_formula({1, 0.5, 0}), {0.506, 0.307, 0.186}), at_most(0.0005));
}

//! ## Large logits, and log-sum-exp
//!
//! {no results}
//!
//! The formula of the softmax has a flaw on a computer. In float32, the format in which networks
//! are usually trained, the largest number is about $3.4 \cdot 10^{38}$. $e^{88}$ is still smaller
//! than that, $e^{89}$ is not. The result is then stored as infinity; this is called *overflow*.
//! Infinity divided by infinity is stored as *NaN*, "not a number", and one NaN soon makes all
//! numbers of a network NaN. In float64 the same happens above $e^{709}$. Let us see it with the
//! logits 1000, 999 and 998.
//!
//! The remedy costs one line. We may add any number to all logits, so we subtract the largest logit
//! $m$ from each:
//!
//! $$ p_j = \frac{e^{z_j - m}}{\sum_k e^{z_k - m}}, \qquad m = \max_k z_k . $$
//!
//! Now the largest exponent is 0, and no exponential is larger than 1. From 1000, 999 and 998 we
//! get 0, -1 and -2, and the probabilities 0.665, 0.245 and 0.090 once more. Very negative
//! exponents do no harm: $e^{-1000}$ is rounded to 0, which is nearly right. And the sum is at
//! least $e^0 = 1$, so we never divide by 0.
std::vector<double> softmax_shifted(std::vector<double> z) {
    const double m = *std::max_element(z.begin(), z.end());
    for (double& logit : z) logit -= m;
    return softmax_by_formula(z);
}

//! Often we need the logarithm of a probability. From the formula of the softmax,
//!
//! $$ \ln p_j = z_j - \ln \sum_k e^{z_k} . $$
//!
//! The last term is the *log-sum-exp* of the logits, the logarithm of the sum of their
//! exponentials. It is shifted in the same way:
//!
//! $$ \ln \sum_k e^{z_k} = m + \ln \sum_k e^{z_k - m} . $$
//!
//! For 2, 1 and 0 it is $\ln 11.107 = 2.408$, a little above the largest logit: a soft version of
//! the maximum. It would be a mistake to compute the softmax first and to take the logarithm
//! afterwards. With the logits 1000 and 0 the second probability is rounded to 0, and the logarithm
//! of 0 is minus infinity. Log-sum-exp gives the right answer, $0 - 1000 = -1000$.
double log_sum_exp(const std::vector<double>& z) {
    const double m = *std::max_element(z.begin(), z.end());
    double sum = 0;
    for (double logit : z) sum += std::exp(logit - m);
    return m + std::log(sum);
}

void overflow(Lesson& lesson) {
    lesson.heading("Large logits, and log-sum-exp");
    const std::vector<double> large{1000, 999, 998};
    const auto list = [](const std::vector<double>& p) {
        std::string text;
        for (double x : p) text += (text.empty() ? "" : ", ") + number(x, 3);
        return text;
    };
    const Tensor e = exp(tensor({88, 89}));  // float32
    Table table({"softmax of 1000, 999, 998", "probabilities"});
    table.row("by the formula", list(softmax_by_formula(large)));
    table.row("the largest subtracted first", list(softmax_shifted(large)));
    lesson.table(table, "Mathematically the two lines are the same.");
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
//! {no results}
//!
//! The next day comes, and it rains. The network had given this outcome the probability 0.090. How
//! bad was the forecast? We want one number, a loss, that training can make small.
//!
//! Take three days in a row with the same forecast, on which the weather was sun, sun, rain. The
//! probability that the network gave to all that happened is the product $0.665 \cdot 0.665 \cdot
//! 0.090 = 0.0398$. This probability of everything that was observed is called the *likelihood*. A
//! network for which it is larger expected the real weather more. So it is natural to look for the
//! weights with the largest likelihood.
//!
//! A product over a thousand days would be rounded to 0. The logarithm turns it into a sum, and a
//! minus sign turns the search for the largest value into one for the smallest. On a day with the
//! outcome $y$ the loss is
//!
//! $$ L = -\ln p_y = \ln \sum_k e^{z_k} - z_y . $$
//!
//! This is the *negative log-likelihood*. For a network that was certain and right, $p_y = 1$ and
//! $L = 0$. The smaller $p_y$ is, the larger is the loss, without limit. Think of it as the
//! surprise of the network.
//!
//! **By hand.** For logits 2, 1, 0 and rain, $L = 2.408 - 0 = 2.408$. For sun, $L = 2.408 - 2 =
//! 0.408$. With one more digit, the mean over sun, sun and rain is $(0.4076 + 0.4076 + 2.4076) / 3
//! = 1.0743$, in short 1.074.
//!
//! The *nat* is the unit of a loss that is computed with the natural logarithm, as ours is. To get
//! a feeling for a loss, take its exponential, $e^{1.074} = 2.93$, the *perplexity*: the network
//! was as surprised, on average, as somebody who has to choose between 2.93 equally likely
//! outcomes. A network that gives three outcomes the same probability has the perplexity 3, so this
//! one was hardly better.
double loss_by_formula(const std::vector<double>& z, int y) { return log_sum_exp(z) - z[y]; }

void surprise(Lesson& lesson) {
    lesson.heading("The loss: how surprised was the network?");
    const std::vector<int> happened{0, 0, 2};
    double mine = 0;
    for (int y : happened) mine += loss_by_formula(example, y) / 3;
    const Tensor logits = tensor({2, 1, 0, 2, 1, 0, 2, 1, 0}, {3, 3}, f64);
    lesson.say("The mean loss of sun, sun and rain is {:.3f} nats, a perplexity of {:.2f}.", mine,
               metrics::perplexity(mine));
    lesson.claim("loss-by-hand",
                 "identity: mean loss of three days against the number worked by hand, 1.074", mine,
                 between(1.0735, 1.0745));
    lesson.claim("loss-library",
                 "identity: mean loss by the formula against the library's cross_entropy",
                 std::abs(mine - cross_entropy(logits, happened).item()), at_most(1e-12));
}

//! ## Cross-entropy, entropy, and what lies between
//!
//! {no results}
//!
//! The *cross-entropy* of a forecast is the mean of minus the logarithm of the probability that it
//! gave to what happened: it is another name for our loss. Part of it no forecaster can avoid; for
//! the rest the network is to blame. Consider all days on which the measurements are like today's.
//! Say that in truth half of these days are followed by sun, 30 % by clouds, and 20 % by rain: $q =
//! (0.5, 0.3, 0.2)$. The network says $p = (0.665, 0.245, 0.090)$ on all of them. Its mean loss is
//! the loss of each outcome, weighted by how often the outcome comes. This is the cross-entropy of
//! $q$ and $p$:
//!
//! $$ H(q, p) = -\sum_j q_j \ln p_j . $$
//!
//! By hand: $0.5 \cdot 0.408 + 0.3 \cdot 1.408 + 0.2 \cdot 2.408 = 1.108$. Could another forecast
//! have a smaller loss on these days? The *entropy* of $q$ is the smallest loss that a forecast can
//! have, that of the truth itself:
//!
//! $$ H(q) = -\sum_j q_j \ln q_j . $$
//!
//! By hand: $0.347 + 0.361 + 0.322 = 1.030$. No forecaster gets below this, because the weather
//! itself is uncertain. What is left, $1.108 - 1.030 = 0.078$, is the fault of the network. It is
//! called the *Kullback-Leibler divergence* of $p$ from $q$, in short KL:
//!
//! $$ \operatorname{KL}(q \| p) = \sum_j q_j \ln (q_j / p_j), \qquad
//!    H(q, p) = H(q) + \operatorname{KL}(q \| p) . $$
//!
//! The KL divergence is never negative, and it is 0 only for $p = q$. So it measures how far a
//! forecast is from the truth. Training does not know $q$. It sees one outcome a day, and that is
//! enough: the mean loss over many days approaches $H(q, p)$, and the entropy in it does not depend
//! on the weights. So making the cross-entropy smaller brings the forecast closer to the true
//! probabilities. A single day is the special case in which $q$ is 1 for the outcome that came and
//! 0 for the others, a *one-hot* vector. Its entropy is 0, and cross-entropy, KL divergence and
//! negative log-likelihood are the same.
double cross_entropy_of(const std::vector<double>& q, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t j = 0; j < q.size(); ++j)
        if (q[j] > 0) sum -= q[j] * std::log(p[j]);
    return sum;
}

void divergence(Lesson& lesson) {
    lesson.heading("Cross-entropy, entropy, and what lies between");
    const std::vector<double> q{0.5, 0.3, 0.2}, p = softmax_by_formula(example);
    const double both = cross_entropy_of(q, p), own = cross_entropy_of(q, q);
    lesson.say("Cross-entropy {:.3f} = entropy {:.3f} + KL divergence {:.3f}.", both, own,
               both - own);
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
//! {no results}
//!
//! To learn, the network needs the derivative of the loss $L = \ln \sum_k e^{z_k} - z_y$ with
//! respect to each logit. The derivative of the logarithm is one divided by the sum, times the
//! derivative of the sum, which is $e^{z_j}$. Together this is the softmax:
//!
//! $$ \frac{\partial}{\partial z_j} \ln \sum_k e^{z_k} = \frac{e^{z_j}}{\sum_k e^{z_k}} = p_j . $$
//!
//! The term $-z_y$ contributes $-1$ for $j = y$ and 0 otherwise. With the one-hot vector $y_j$ of
//! the outcome, both terms together are
//!
//! $$ \frac{\partial L}{\partial z_j} = p_j - y_j . $$
//!
//! **By hand.** It rained, so $y = (0, 0, 1)$. The gradient is $(0.665, 0.245, -0.910)$. A step
//! against the gradient raises the logit of rain and lowers the other two, most of all that of sun.
//! The gradient is 0 only when $p = y$: when the network is completely sure of what happened. We
//! shall come back to this.
std::vector<double> gradient_by_hand(const std::vector<double>& z, int y) {
    std::vector<double> g = softmax_shifted(z);
    g[y] -= 1;
    return g;
}

//! We check it in three other ways. The tape of lesson {autograd} knows nothing about softmax; it
//! records exponentials, additions, a logarithm and a subtraction. Finite differences change one
//! logit by $\pm h$. The library has a rule of its own.
std::vector<double> gradient_by_tape(const std::vector<double>& z, int y) {
    Tape tape;
    std::vector<Taped> logits;
    for (double logit : z) logits.push_back({&tape, logit, tape.write()});
    Taped sum = exp(logits[0]);
    for (std::size_t k = 1; k < z.size(); ++k) sum = sum + exp(logits[k]);
    const Taped loss = ln(sum) - logits[y];
    std::vector<double> g = tape.backward(loss.line);
    g.resize(z.size());  // the first lines of the tape are the logits
    return g;
}

std::vector<double> gradient_by_differences(std::vector<double> z, int y) {
    const double h = 1e-5;
    std::vector<double> g;
    for (double& logit : z) {
        const double here = logit;
        logit = here + h;
        const double above = loss_by_formula(z, y);
        logit = here - h;
        g.push_back((above - loss_by_formula(z, y)) / (2 * h));
        logit = here;
    }
    return g;
}

//! The *squared error* $\sum_j (p_j - y_j)^2$ is the sum of the squared differences between what is
//! predicted and what is true. Why not take that? Consider a network that is sure and wrong: logits
//! 10, 0, 0, and it rains. The gradient of the cross-entropy is about $(1, 0, -1)$, as large as it
//! can be. The chain rule multiplies the gradient of the squared error by the derivative of the
//! softmax, and that is close to 0 wherever a probability is close to 0 or to 1. So its gradient
//! almost vanishes just when the network has most to learn.
void four_gradients(Lesson& lesson) {
    lesson.heading("The gradient: what the network said, minus what happened");
    const std::vector<double> by_hand = gradient_by_hand(example, 2),
                              by_tape = gradient_by_tape(example, 2),
                              by_differences = gradient_by_differences(example, 2);
    const Tensor z = tensor(example, {1, 3}, f64).set_requires_grad();
    const std::vector<double> library = grad(cross_entropy(z, {2}), {z})[0].to_vector();
    Table table({"logit of", "p - y", "tape", "differences", "library"});
    for (int j = 0; j < outcomes; ++j)
        table.row(outcome_names[j], number(by_hand[j], 6), number(by_tape[j], 6),
                  number(by_differences[j], 6), number(library[j], 6));
    lesson.table(table, "The gradient of the loss for the logits 2, 1, 0 on a day with rain.");
    lesson.claim("gradient-tape", "identity: gradient p - y against the tape",
                 largest_gap(by_hand, by_tape), at_most(1e-12));
    lesson.claim("gradient-differences", "identity: gradient p - y against finite differences",
                 largest_gap(by_hand, by_differences), at_most(1e-8));
    lesson.claim("gradient-library", "identity: gradient p - y against the library",
                 largest_gap(by_hand, library), at_most(1e-12));

    const Tensor wrong = tensor({10, 0, 0}, {1, 3}, f64).set_requires_grad();
    const Tensor rain = tensor({0, 0, 1}, {1, 3}, f64);
    const double of_cross_entropy = max(abs(grad(cross_entropy(wrong, {2}), {wrong})[0])).item();
    const double of_squares = max(abs(grad(sum(square(softmax(wrong) - rain)), {wrong})[0])).item();
    lesson.say(
        "Logits 10, 0, 0 and rain: the largest derivative is {:.3f} for the cross-entropy and "
        "{:.5f} for the squared error.",
        of_cross_entropy, of_squares);
}

//! ## Why a trained network is too sure
//!
//! {no results} Now we train. The weather is generated: six measurements a day, and the outcomes
//! sun, clouds and rain, which come with the probabilities 0.5, 0.3 and 0.2. Each outcome has two
//! typical patterns of measurements, to which noise is added. Patterns of different outcomes
//! overlap, so nobody can always be right. A set of patterns is called a climate below. Because we
//! made the weather, we know the true probabilities of each day, which no real forecaster ever
//! does.
//!
//! The forecaster is the network of lesson {learning}: a hidden layer of 64 units with tanh, then
//! three logits. It is trained on 300 days. We judge it on 4,000 test days that it has not seen.
//!
//! What will it learn? A network with enough units can learn so few days by heart. Once it is right
//! on all of them, there is still one way to make the loss smaller: multiply all logits by a number
//! above 1. That is a lower temperature, and it makes the network more sure. On the training days
//! it always pays to be more sure. On new days the network is not right every time, but it sounds
//! as sure as on the old ones.
//!
//! The *confidence* of a forecast is its largest probability. Its *accuracy* is the share of days
//! on which the outcome with the largest probability came.
struct Training {
    int days;  // for training
    double smoothing;
    int steps;
};

void training_makes_sure(Lesson& lesson, const Training& how) {
    lesson.heading("Why a trained network is too sure");
    const Prediction guess = lesson.predict(
        "The network is trained until it is right on nearly all of its 300 days. On new days, by "
        "how "
        "much does its mean confidence exceed its accuracy? (0: it is as sure as it should be.)",
        within(0.05));
    Rng rng(1000 * lesson.seed());
    const World world(rng);
    LinePlot plot{.x_label = "training steps", .y_label = "share of days", .y_range = {0.3, 1}};
    LinePlot losses{.x_label = "training steps", .y_label = "loss, in nats"};
    plot.series = {{"confidence, test days"}, {"accuracy, test days"}};
    losses.series = {{"training days"}, {"test days"}, {"the true probabilities, test days"}};
    const double best =
        cross_entropy(world.climate.logits(world.test.x), world.test.outcome).item();
    const Tensor seen = slice(world.train.x, 0, 0, how.days);
    const Indices came(
        std::vector<int>(world.train.outcome.begin(), world.train.outcome.begin() + how.days));
    double excess = 0, right = 0;
    const auto watch = [&](int step, const Forecaster& model) {
        if (step % 20 != 0 && step != how.steps && step != 5) return;
        const Tensor old = logits_of(model, seen), fresh = logits_of(model, world.test.x);
        const Sureness sure = sureness(softmax(fresh), world.test.outcome);
        const double y[] = {sure.mean_confidence(), sure.accuracy()};
        const double l[] = {cross_entropy(old, came).item(),
                            cross_entropy(fresh, world.test.outcome).item(), best};
        for (int i : {0, 1}) plot.series[i].x.push_back(step), plot.series[i].y.push_back(y[i]);
        for (int i : {0, 1, 2})
            losses.series[i].x.push_back(step), losses.series[i].y.push_back(l[i]);
        excess = y[0] - y[1];
        right = metrics::accuracy(old, came);
    };
    trained(world, how.days, 0, how.steps, lesson.seed(), watch, {plot, losses, excess, right});
    lesson.show("confidence", plot, "Confidence and accuracy on new days during training.");
    lesson.show("losses", losses,
                "The loss during training. Below the loss of the true "
                "probabilities, a network has learned days by heart.");
    lesson.say(
        "At the end the network is right on {:.1f} % of the training days. On test days its "
        "mean confidence exceeds its accuracy by {:.3f}.",
        100 * right, excess);
    lesson.reveal(guess, excess);
}

//! The two plots belong together. After about a hundred steps the accuracy on test days changes
//! little, but the confidence goes on growing, and so does the loss on test days. The network still
//! guesses nearly as well as before, but its probabilities become worse and worse.
//!
//! ## Calibration
//!
//! {no results} Forecasts are *calibrated* if they mean what they say: of all days on which the
//! forecaster said "70 %", the outcome comes on 70 %. How can we measure it? A confidence of
//! exactly 0.7 may occur only once. So we sort the $N$ forecasts into bins, here ten: confidence 0
//! to 0.1, 0.1 to 0.2, and so on. Bin $b$ has $n_b$ forecasts, with a mean confidence, and a share
//! of them was right. In a calibrated bin the two are equal. The *expected calibration error* is
//! the mean of their differences:
//!
//! $$ \operatorname{ECE} = \sum_b \frac{n_b}{N} \,
//!    \big| \operatorname{right}_b - \operatorname{confidence}_b \big| . $$
//!
//! {no results} The factor $n_b / N$ gives a bin with many forecasts more weight. An ECE of 0.1
//! says that the confidence is off by ten percentage points on average. A plot of the share that
//! was right against the confidence, with one point for each bin, is a *reliability diagram*. The
//! points of a calibrated forecaster lie on the diagonal; those of a forecaster who is too sure lie
//! below it.
//!
//! {no results} **By hand,** with six forecasts and five bins. Confidences 0.95 (right), 0.90
//! (right) and 0.85 (wrong) fall into the bin from 0.8 to 1: mean confidence 0.9, share right
//! 0.667, difference 0.233. Confidences 0.75 (right), 0.70 (wrong) and 0.65 (right) fall into the
//! bin from 0.6 to 0.8: mean confidence 0.7, share right 0.667, difference 0.033. Each bin has half
//! of the forecasts, so $\operatorname{ECE} = 0.5 \cdot 0.233 + 0.5 \cdot 0.033 = 0.133$.
struct Bin {
    double confidence = 0, right = 0;  // sums
    int forecasts = 0;
};

std::vector<Bin> bins_of(const Sureness& sure, int count) {
    std::vector<Bin> bins(count);
    for (std::size_t i = 0; i < sure.right.size(); ++i) {
        Bin& bin = bins[std::min(static_cast<int>(sure.confidence[i] * count), count - 1)];
        bin.confidence += sure.confidence[i];
        bin.right += sure.right[i];
        ++bin.forecasts;
    }
    return bins;
}

double calibration_error(const Sureness& sure, int count = 10) {
    double sum = 0;
    for (const Bin& bin : bins_of(sure, count)) sum += std::abs(bin.right - bin.confidence);
    return sum / static_cast<double>(sure.right.size());
}

//!
//!
//! {no results} Two warnings. The ECE is not exactly 0 even for the true probabilities, because in
//! each bin the share that is right varies by chance. And calibration is not everything. A
//! forecaster who says "sun 50 %, clouds 30 %, rain 20 %" every day is perfectly calibrated and
//! tells us nothing about tomorrow. The loss punishes both faults: bad calibration, and forecasts
//! that do not tell the days apart.
//!
//! By the way, this course measures your calibration. It asks how sure you are of each
//! prediction, and `./heed` compares your mean confidence with the share that was right.
void measure_calibration(Lesson& lesson) {
    lesson.heading("Calibration");
    const Sureness six{{0.95, 0.90, 0.85, 0.75, 0.70, 0.65},
                       {true, true, false, true, false, true}};
    lesson.claim("ece-by-hand",
                 "identity: ECE of six forecasts in five bins, worked by hand as 0.133",
                 calibration_error(six, 5), between(0.1328, 0.1338));
}

//! ## Two remedies
//!
//! **Label smoothing** changes the training (Szegedy et al. 2016). The target that is subtracted in
//! the gradient is no longer one-hot. A share $s$ of the probability is spread evenly over all
//! outcomes:
//!
//! $$ q_j = (1 - s) \, y_j + \frac{s}{C} . $$
//!
//! {no results} With $s = 0.1$, three outcomes and rain, $q = (0.033, 0.033, 0.933)$. Now the loss
//! on the training days has a minimum: it is smallest for $p = q$. There rain is $0.9333 / 0.0333 =
//! 28$ times as likely as each other outcome, so its logit exceeds the others by $\ln 28 = 3.33$,
//! and there is no reason to enlarge it further. The gradient is $p - q$.
//!
//! **Temperature** changes nothing in the training (Guo et al. 2017). Afterwards, all logits are
//! divided by one number $T$: the one with the smallest loss on 300 more days that were not used
//! for training, the validation days. (The test days may not choose it, see lesson {learning}.)
//!
//! To find $T$, write $\beta = 1/T$. The loss of the logits $\beta z$ is a function of one number,
//! and its derivative follows from $p - y$ by the chain rule. It is the mean over all days of
//!
//! $$ \sum_j (p_j - y_j) \, z_j = \sum_j p_j z_j - z_y . $$
//!
//! If this mean is positive, $\beta$ is too large, otherwise too small. (It grows with $\beta$: the
//! first term does, because a larger $\beta$ moves the probabilities towards the larger logits, and
//! $z_y$ stays the same. So there is only one zero.) We halve the interval in which the zero lies
//! until it is short enough; this is called bisection.
double best_temperature(const Tensor& logits, const Indices& outcome) {
    const Tensor came = one_hot(outcome, logits.size(1), f64);
    double low = 0.01, high = 100;  // of β
    for (int i = 0; i < 40; ++i) {
        const double beta = std::sqrt(low * high);
        const double slope = sum((softmax(beta * logits) - came) * logits).item();
        (slope > 0 ? high : low) = beta;
    }
    return 1 / low;
}

//! We compare the network without a remedy, label smoothing with a share of one tenth, temperature,
//! and both together. Beside them stand two forecasters who do not learn: the one who says the same
//! every day, and the one who knows the true probabilities. KL is the mean divergence from the true
//! probabilities, which only generated weather allows us to compute. All numbers are means over
//! several climates, each with new days and new initial weights.
struct Record {  // one number for each climate
    std::vector<double> accuracy, confidence, error, loss, kl;
    Sureness all;  // the days of all climates

    void add(const Tensor& logits, const World& world) {
        const Sureness sure = sureness(softmax(logits), world.test.outcome);
        accuracy.push_back(sure.accuracy());
        confidence.push_back(sure.mean_confidence());
        error.push_back(calibration_error(sure));
        loss.push_back(cross_entropy(logits, world.test.outcome).item());
        kl.push_back(kl_divergence(log_softmax(logits), world.truth).item());
        all.append(sure);
    }
    double excess() const { return summarise(confidence).mean - summarise(accuracy).mean; }
};

struct Findings {
    Record plain, cooled, smoothed, both;  // cooled: with the chosen temperature
    std::vector<double> temperature, temperature_smoothed;
};

void add_trainings(Findings& found, const World& world, const Training& how, uint64_t seed) {
    for (double smoothing : {0.0, how.smoothing}) {
        const bool smooth = smoothing > 0;
        const Forecaster model = trained(world, how.days, smoothing, how.steps, seed);
        const double T = best_temperature(logits_of(model, world.valid.x), world.valid.outcome);
        const Tensor test = logits_of(model, world.test.x);
        (smooth ? found.smoothed : found.plain).add(test, world);
        (smooth ? found.both : found.cooled).add(test / T, world);
        (smooth ? found.temperature_smoothed : found.temperature).push_back(T);
    }
}

Findings trainings(Lesson& lesson, const Training& how, int climates) {
    Findings found;
    ProgressLine progress = lesson.progress(fmt::format("{} days", how.days), climates);
    for (int i = 0; i < climates; ++i) {
        Rng rng(1000 * lesson.seed() + i);
        add_trainings(found, World(rng), how, 1000 * lesson.seed() + i);
        progress.update(i + 1);
    }
    return found;
}

Series reliability(const std::string& name, const Sureness& sure) {
    Series line{.name = name};
    for (const Bin& bin : bins_of(sure, 10)) {
        if (bin.forecasts < 20) continue;  // too few for a share
        line.x.push_back(bin.confidence / bin.forecasts);
        line.y.push_back(bin.right / bin.forecasts);
    }
    return line;
}

Findings two_remedies(Lesson& lesson, const Training& how, int climates) {
    lesson.heading("Two remedies");
    const Findings found = trainings(lesson, how, climates);
    const Record &plain = found.plain, &cooled = found.cooled, &smoothed = found.smoothed;
    Record base, truth;
    for (int i = 0; i < climates; ++i) {
        Rng rng(1000 * lesson.seed() + i);
        const World world(rng);
        std::vector<double> prior;
        for (double p : how_often) prior.push_back(std::log(p));
        base.add(expand(tensor(prior, f64), {world.test.x.size(0), outcomes}), world);
        truth.add(world.climate.logits(world.test.x), world);
    }
    Table table({"forecaster", "accuracy", "confidence", "ECE", "loss", "KL"});
    const auto row = [&](const char* name, const Record& r) {
        table.row(name, fmt::format("{:.3f}", summarise(r.accuracy).mean),
                  fmt::format("{:.3f}", summarise(r.confidence).mean), mean_and_spread(r.error),
                  fmt::format("{:.3f}", summarise(r.loss).mean),
                  fmt::format("{:.3f}", summarise(r.kl).mean));
    };
    row("always 50, 30, 20 %", base);
    row("network", plain);
    row("label smoothing", smoothed);
    row("temperature", cooled);
    row("both", found.both);
    row("true probabilities", truth);
    lesson.table(table, fmt::format("Forecasts for test days after training on {} days: {}.",
                                    how.days, averaged_over(climates, "climate")));
    lesson.say("The chosen temperature is {} for the network, and {} after label smoothing.",
               mean_and_spread(found.temperature, 2),
               mean_and_spread(found.temperature_smoothed, 2));

    LinePlot plot{.title = "Reliability diagram",
                  .x_label = "confidence",
                  .y_label = "share that was right",
                  .y_range = {0.2, 1}};
    plot.series = {{"calibrated", {0.35, 1}, {0.35, 1}},
                   reliability("network", plain.all),
                   reliability("label smoothing", smoothed.all),
                   reliability("temperature", cooled.all)};
    lesson.show(
        "reliability", plot,
        "Each point is a bin: its mean confidence, and the share of its forecasts that were "
        "right. Below the line of the calibrated forecaster a network is too sure.");

    lesson.claim("overconfidence", "finding: network: mean confidence minus accuracy",
                 plain.excess(), at_least(0.14));
    lesson.measured("confidence", "network: mean confidence", summarise(plain.confidence).mean);
    lesson.measured("accuracy", "network: accuracy", summarise(plain.accuracy).mean);
    lesson.measured("loss-network", "network: loss", summarise(plain.loss).mean);
    lesson.measured("loss-always", "loss of saying the same every day", summarise(base.loss).mean);
    lesson.claim("loss-over-always",
                 "finding: loss of the network minus that of saying the same every day",
                 summarise(plain.loss).mean - summarise(base.loss).mean, more_than(0));
    lesson.measured("temperature", "the chosen temperature", summarise(found.temperature).mean);
    lesson.measured("ece-truth", "ECE of the true probabilities", summarise(truth.error).mean);
    lesson.claim("smoothing-accuracy-loss",
                 "finding: accuracy of the network minus that with label smoothing",
                 summarise(plain.accuracy).mean - summarise(smoothed.accuracy).mean, more_than(0));
    lesson.claim("ece-temperature-gain",
                 "finding: ECE of the network minus ECE with the chosen temperature",
                 summarise(plain.error).mean - summarise(cooled.error).mean, at_least(0.12));
    lesson.claim("ece-temperature", "finding: ECE with the chosen temperature",
                 summarise(cooled.error).mean, at_most(0.035));
    lesson.claim("ece-smoothing-gain", "finding: ECE of the network minus ECE with label smoothing",
                 summarise(plain.error).mean - summarise(smoothed.error).mean, at_least(0.055));
    lesson.claim("loss-temperature-gain",
                 "finding: loss of the network minus loss with the chosen temperature",
                 summarise(plain.loss).mean - summarise(cooled.loss).mean, at_least(0.5));
    lesson.claim("kl-smoothing-ratio",
                 "finding: KL with smoothing and temperature, divided by KL with temperature alone",
                 summarise(found.both.kl).mean / summarise(cooled.kl).mean, at_least(1.5));
    return found;
}

//!
//!
//! {if all overconfidence > 0.15 and loss-network > loss-always + 0.1} **Look at the row of the
//! network first.** It says {confidence:%} and is right on {accuracy:%} of the test days. Its loss
//! is even larger than that of the forecaster who says the same every day, {loss-network:2} against
//! {loss-always:2}, and that is so with {count loss-network > loss-always} seeds. A network that
//! knows much about the weather gives worse probabilities than somebody who knows nothing about the
//! day.
//!
//! {if all loss-temperature-gain > 0.7 and ece-temperature-gain > 0.15} **One number repairs it.**
//! Dividing all logits by {temperature:1} brings the loss down to
//! {loss-network - loss-temperature-gain:2}, and the ECE from
//! {ece-temperature + ece-temperature-gain:2} to {ece-temperature:2}, where the true probabilities
//! have {ece-truth:2} by chance alone. The guesses are the same as before. So the logits had
//! contained the knowledge, and only their scale was wrong.
//!
//! {if all ece-smoothing-gain > 0.06 and smoothing-accuracy-loss > 0.03 and kl-smoothing-ratio > 1.7}
//! **Label smoothing** lowers the ECE as well, but less, and it makes a worse forecaster: the
//! accuracy falls by {smoothing-accuracy-loss * 100:0} points. A temperature does not bring back
//! what is lost. With one, the smoothed network is still {kl-smoothing-ratio:1} times as far from
//! the truth, in KL divergence, as the plain one. Müller et al. (2019) saw something related:
//! smoothing removes information from the logits. Why the accuracy falls here we have not examined.
//!
//! ## More days
//!
//! {no results} Label smoothing asks for the same confidence, 0.933, whether the network is too
//! sure or not. The temperature is chosen by what happens on new days. To see the difference we
//! need a network that is not too sure. We get it from more data. Each step uses at most 300 days.
//! With 300 training days, 600 steps use every day 600 times. With 10,000 training days, they use
//! every day only 18 times ($600 \cdot 300 / 10000$), and the network does not learn single days by
//! heart. What does label smoothing do to the calibration of such a network?
void more_days(Lesson& lesson, Training how, const Findings& first, int climates) {
    lesson.heading("More days");
    const Prediction guess = lesson.predict(
        "With 10,000 training days, label smoothing makes the calibration of the network ...",
        {"better", "about the same", "worse"});
    std::map<int, Findings> found{{how.days, first}};
    for (int days : lesson.quick() ? std::vector{10000} : std::vector{100, 300, 1000, 3000, 10000})
        if (!found.count(days)) how.days = days, found[days] = trainings(lesson, how, climates);

    LinePlot plot{.x_label = "training days", .y_label = "ECE", .log_x = true};
    Table table({"days", "network", "smoothing", "temperature", "T"});
    LinePlot excess{
        .x_label = "training days", .y_label = "confidence minus accuracy", .log_x = true};
    plot.series = {{"network"}, {"label smoothing"}, {"temperature"}};
    excess.series = plot.series;
    for (const auto& [days, f] : found) {
        const Record* records[] = {&f.plain, &f.smoothed, &f.cooled};
        for (int i : {0, 1, 2}) {
            const Summary s = summarise(records[i]->error);
            Series& line = plot.series[i];
            line.x.push_back(days), line.y.push_back(s.mean);
            line.low.push_back(s.mean - s.deviation), line.high.push_back(s.mean + s.deviation);
            excess.series[i].x.push_back(days);
            excess.series[i].y.push_back(records[i]->excess());
        }
        table.row(number(days), mean_and_spread(f.plain.error), mean_and_spread(f.smoothed.error),
                  mean_and_spread(f.cooled.error), mean_and_spread(f.temperature, 2));
    }
    lesson.show("days", plot,
                fmt::format("The mean expected calibration error over {} climates, by the number "
                            "of training days. The table below has the standard deviations.",
                            climates));
    lesson.show("excess", excess,
                "Mean confidence minus accuracy: above 0 a network is too sure, below 0 it is not "
                "sure enough.");
    lesson.table(table,
                 "ECE by the number of training days, and the temperature T that was chosen for "
                 "the network without smoothing.");
    const Findings& last = found.rbegin()->second;
    const double worse = summarise(last.smoothed.error).mean - summarise(last.plain.error).mean;
    lesson.reveal(guess, worse > 0.01 ? "worse" : worse < -0.01 ? "better" : "about the same");
    lesson.say(
        "With {} training days, the chosen temperature is {} for the network, and {} after "
        "label smoothing.",
        number(found.rbegin()->first), mean_and_spread(last.temperature, 2),
        mean_and_spread(last.temperature_smoothed, 2));
    lesson.claim("ece-smoothing-many-days",
                 "finding: most training days: ECE with label smoothing minus ECE of the network",
                 worse, at_least(0.012));
    lesson.claim("smoothing-underconfidence",
                 "finding: most training days: label smoothing, mean confidence minus accuracy",
                 last.smoothed.excess(), at_most(-0.03));
    lesson.measured("temperature-many-days", "most training days: the chosen temperature",
                    summarise(last.temperature).mean);
    lesson.claim("temperature-after-smoothing",
                 "finding: most training days: temperature chosen after label smoothing",
                 summarise(last.temperature_smoothed).mean, at_most(0.84));
}

}  // namespace

}  // namespace heed::lesson05

//! The more days the network has, the smaller its excess of confidence.
//! {if all temperature-many-days < 1.1 and temperature-many-days > 0.95} With 10,000 days it is
//! calibrated without any remedy: the temperature chosen for it is {temperature-many-days:2}, and a
//! temperature of 1 changes nothing.
//!
//! {if all ece-smoothing-many-days > 0.03 and smoothing-underconfidence < -0.04} Label smoothing
//! goes on lowering the confidence all the same. With 10,000 days it is
//! {smoothing-underconfidence * -100:0} points below the accuracy: the network is no longer sure
//! enough. {if all temperature-after-smoothing < 0.8} The temperature chosen for its logits is
//! {temperature-after-smoothing:2}. This is below 1, so it makes the network surer and takes the
//! smoothing back.
//!
//! So is a forecast of 90 % right nine times out of ten? {no results} Not because a network says
//! so. A temperature, which is chosen by measuring, corrects the network in both directions. It
//! costs the validation days, which cannot be used for training.
//!
//! ## What this does not show
//!
//! The weather is simple: three outcomes, six measurements, and the new days come from the same
//! climate as the old ones. When the world changes after training, the temperature no longer fits,
//! and nothing in this lesson helps. Other means against overconfidence, such as stopping the
//! training early, dropout, weight decay (making all weights a little smaller at each step) and the
//! mean of several networks, are not compared. The ECE looks at the largest probability only, and
//! it depends on the number of bins; a network may be calibrated on average and still be too sure
//! on one kind of day. And we kept one share of smoothing for all sizes on purpose: Müller et al.
//! found that on pictures and translation a well-chosen share calibrates about as well as a
//! temperature.
//!
//! Sources: Bridle, "Probabilistic interpretation of feedforward classification network outputs"
//! (1990), for softmax and its name; Shannon, "A mathematical theory of communication" (1948), for
//! entropy; Kullback and Leibler, "On information and sufficiency" (1951); Murphy and Winkler,
//! "Reliability of subjective probability forecasts of precipitation and temperature" (1977), for
//! reliability diagrams, which come from the weather service; Naeini, Cooper and Hauskrecht,
//! "Obtaining well calibrated probabilities using Bayesian binning" (2015), for the ECE; Guo,
//! Pleiss, Sun and Weinberger, "On calibration of modern neural networks" (2017), for
//! overconfidence and temperature; Szegedy et al., "Rethinking the Inception architecture for
//! computer vision" (2016), section 7, for label smoothing; Müller, Kornblith and Hinton, "When
//! does label smoothing help?" (2019).
//!
//! ## Summary
//!
//! 1. Softmax turns any numbers, the logits, into probabilities. Only differences of logits matter,
//!    so the largest is subtracted first and nothing overflows. A temperature changes how sure the
//!    result is, not its order.
//! 2. The loss is $-\ln$ of the probability of what happened. Its mean is the cross-entropy: the
//!    entropy of the world, which nobody can lower, plus the KL divergence of the forecast from the
//!    truth.
//! 3. The gradient with respect to the logits is $p - y$: what the network said minus what
//!    happened.
//! 4. On training days more confidence always makes the loss smaller, so a network that is trained
//!    for long on few days is too sure. The expected calibration error measures by how much.
//! 5. A temperature chosen on validation days repairs this, whichever way the network errs. Label
//!    smoothing lowers the confidence always: it improves the calibration of a network that is too
//!    sure and spoils that of one that is not.
//!
//! ## Try this next
//!
//! 1. `--steps 60`: the training stops early. Is the network still too sure, and what does label
//!    smoothing do then?
//! 2. `--smoothing 0.3` and `--smoothing 0.02`: which share suits 300 days, and which 10,000?
//! 3. In `Record::add`, write `calibration_error(sure, 100)`. Why does the ECE of the true
//!    probabilities grow with the number of bins?
//! 4. On paper: show that the derivative of $\ln \sum_k e^{\beta z_k}$ with respect to $\beta$ is
//!    the mean of the logits, weighted by the probabilities.
using namespace heed;
using namespace heed::lesson05;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 5,
         .name = "probabilities",
         .title = "How does a network say what it believes?",
         .question = "A network says 90 %. How does it come to this number, and is it right "
                     "nine times out of ten?",
         .own_data = "generated weather: six measurements and an outcome of three a day"});
    Training how{.days = 300, .smoothing = 0.1, .steps = 600};
    int climates = 0;
    lesson.option("--days", how.days, "training days of the first comparison, up to 10000 (300)");
    lesson.option("--smoothing", how.smoothing, "share of the probability that is spread (0.1)");
    lesson.option("--steps", how.steps, "steps of training (600)");
    lesson.option("--climates", climates, "climates to average over (20; quick 5)");
    return lesson.run(argc, argv, [&] {
        check(how.days <= 10000, "--days: expected at most 10000, got {}", how.days);
        check(how.smoothing > 0 && how.smoothing < 1,
              "--smoothing: expected a number between 0 and 1, got {}", how.smoothing);
        if (climates == 0) climates = lesson.quick() ? 5 : 20;
        from_logits_to_probabilities(lesson);
        temperatures(lesson);
        overflow(lesson);
        surprise(lesson);
        divergence(lesson);
        four_gradients(lesson);
        training_makes_sure(lesson, how);
        measure_calibration(lesson);
        const Findings first = two_remedies(lesson, how, climates);
        more_days(lesson, how, first, climates);
    });
}
