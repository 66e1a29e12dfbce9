//! # How a network finds its weights
//!
//! A network is a function with many numbers left open, its *parameters*. Learning is choosing
//! them, and all one is told is how wrong the answers are: a single number, the *loss*, and, since
//! lesson 02, its gradient. The gradient points where the loss grows fastest. So go the other way,
//! a little, and again. This lesson is about what that leaves open: how far is a little, and where
//! to begin?

#include <cmath>

#include "lessons/04_learning/training.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A network of one hidden layer
//!
//! Two spirals are wound into each other. Given a point $x$ of the plane, on which does it lie? A
//! *linear* model weighs the two coordinates, $z = w \cdot x + b$, and its answer changes along a
//! straight line. A *hidden layer* draws many such lines at once, bends each with $\tanh$, and
//! weighs what comes out; each of its elements is a *unit*:
//!
//! $$ h = \tanh(W x + b), \qquad z = w \cdot h + b', \qquad p = \frac{1}{1 + e^{-z}} . $$
//!
//! The last squeezes the *logit* $z$ into a probability. The loss is how surprised $p$ is by the
//! truth $t$, on average over all points: $-\ln p$ where $t = 1$, and $-\ln (1 - p)$ where $t = 0$.
struct Network {
    Linear hidden, output;  // a linear model has no hidden layer

    Network(int width, Rng& rng) {
        if (width > 0) hidden = Linear(2, width, rng);
        output = Linear(width > 0 ? width : 2, 1, rng);
    }
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const {  // [B, 2] -> [B]
        return reshape(output(hidden.weight.defined() ? tanh(hidden(x)) : x), {-1});
    }
};

//! ## Three ways downhill
//!
//! With $g$ the gradient of a parameter $\theta$ (`p` below) and $\eta$ the *learning rate*,
//! *gradient descent* is $\theta \leftarrow \theta - \eta g$. In a narrow valley it staggers from
//! side to side. *Momentum* keeps rolling, $v \leftarrow 0.9 v + g$ and
//! $\theta \leftarrow \theta - \eta v$: what points the same way every time adds up, staggering
//! cancels (Polyak 1964). *Adam* also measures how large the gradient of each single number usually
//! is, and divides by that (Kingma and Ba 2015, algorithm 1):
//!
//! $$ m \leftarrow 0.9 m + 0.1 g, \quad s \leftarrow 0.999 s + 0.001 g^2, \quad
//!    \theta \leftarrow \theta - \eta \frac{m / (1 - 0.9^n)}{\sqrt{s / (1 - 0.999^n)} + 10^{-8}} $$
//!
//! The divisors make up for $m$ and $s$ having begun at 0, $n$ steps ago.
enum class Rule { descent, momentum, adam };

struct Steps {
    Rule rule;
    double rate;
    std::vector<Tensor> ms{}, ss{};  // of each parameter; m also serves as v

    void operator()(std::size_t i, Tensor p, const Tensor& g, int n) {
        if (n == 1) ms.push_back(zeros_like(p)), ss.push_back(zeros_like(p));
        Tensor &m = ms[i], &s = ss[i];
        if (rule == Rule::descent) return p.assign(p - rate * g);
        m = 0.9 * m + (rule == Rule::adam ? 0.1 : 1.0) * g;
        if (rule == Rule::momentum) return p.assign(p - rate * m);
        s = 0.999 * s + 0.001 * g * g;
        const Tensor m_full = m / (1 - std::pow(0.9, n)), s_full = s / (1 - std::pow(0.999, n));
        p.assign(p - rate * m_full / (sqrt(s_full) + 1e-8));
    }
};

//! The library's optimisers do the same with less memory. After ten steps from one beginning they
//! should stand at the same place.
void check_against_the_library(Lesson& lesson) {
    Rng rng(lesson.seed());
    double gap = 0;
    for (Rule rule : {Rule::descent, Rule::momentum, Rule::adam}) {
        const Network ours(8, rng), theirs = copy_model(ours);
        train(ours, Steps{rule, 0.1}, 10, rng);
        const double momentum = rule == Rule::momentum ? 0.9 : 0;
        Sgd sgd(parameters(theirs), {.lr = 0.1, .momentum = momentum});
        Adam adam(parameters(theirs), {.lr = 0.1});
        train_with(rule == Rule::adam ? static_cast<Optimiser&>(adam) : sgd, theirs, 10, rng);
        gap = std::max(gap, max(abs(ours.hidden.weight - theirs.hidden.weight)).item());
    }
    lesson.claim("weights after ten steps against the library's", gap, at_most(1e-4));
}

//! ## A fair race
//!
//! To compare the rules at one rate would be unfair: a small step for one is a leap for another. So
//! each tries the same ten rates, on three pairs of spirals used for nothing else, and then runs at
//! its best one from five new beginnings, with new points. (In quick mode on one, from two.)
constexpr int width = 64;
const std::vector<double> rates{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};

double accuracy(int units, Rule rule, double rate, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const Network network(units, rng);
    return train(network, Steps{rule, rate}, steps, rng).accuracy;
}

void race(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("A fair race");
    const std::uint64_t first = 1000 * lesson.seed();
    LinePlot plot{
        .x_label = "learning rate", .y_label = "accuracy", .log_x = true, .y_range = {0.4, 1}};
    Table table({"rule", "best rate", "accuracy", "rates that reach 0.95"});
    std::vector<double> means, successes;
    for (const auto& [rule, name] :
         {std::pair(Rule::descent, "gradient descent"), std::pair(Rule::momentum, "momentum"),
          std::pair(Rule::adam, "Adam")}) {
        std::vector<std::vector<double>> tried(lesson.quick() ? 1 : 3);
        for (std::size_t i = 0; i < tried.size(); ++i)
            for (double rate : rates)
                tried[i].push_back(accuracy(width, rule, rate, steps, first + i));
        plot.series.push_back(over_seeds(name, rates, tried));
        const std::vector<double>& y = plot.series.back().y;
        const double best = rates[std::max_element(y.begin(), y.end()) - y.begin()];
        successes.push_back(std::count_if(y.begin(), y.end(), is_success));
        std::vector<double> reached;
        for (int i = 0; i < (lesson.quick() ? 2 : 5); ++i)
            reached.push_back(accuracy(width, rule, best, steps, first + 100 + i));
        means.push_back(summarise(reached).mean);
        table.row(name, best, mean_and_spread(reached),
                  fmt::format("{} of {}", successes.back(), rates.size()));
    }
    lesson.show("rates", plot, "Accuracy on unseen points, by learning rate.");
    lesson.table(table, "Each at its best rate: mean and deviation over new beginnings.");
    lesson.reveal(guess, successes[2]);
    lesson.claim("accuracy of Adam", means[2], at_least(lesson.quick() ? 0.9 : 0.97));
    lesson.claim("accuracy of momentum", means[1], at_least(lesson.quick() ? 0.85 : 0.9));
    lesson.claim("accuracy of gradient descent, against Adam's", means[0], less_than(means[2]));
    lesson.claim("rates at which Adam succeeds, beyond those of momentum",
                 successes[2] - successes[1], at_least(1));
}

//! ## What one line cannot
//!
//! Grey says how sure the network is at each place; black and white are the points it was given.
void draw_boundaries(Lesson& lesson, int steps) {
    lesson.heading("What one line cannot");
    Rng rng(lesson.seed()), same = rng;
    const Points points = two_spirals(400, same);  // those of train()
    std::vector<Picture> pictures;
    const auto watch = [&](int n, const Network& now) {
        if (n == std::max(steps / 30, 1) || n == steps / 10 || n == steps / 3)
            pictures.push_back(boundary(fmt::format("after {} steps", n), now, points, 84));
    };
    Rng weights = same.split();
    const Trained<Network> run =
        train<Network>(Network(width, weights), Steps{Rule::adam, 0.03}, steps, rng, watch);
    lesson.keep("training", pictures, "The boundary on its way, with Adam at 0.03.");
    lesson.show("boundary", boundary(fmt::format("after {} steps", steps), run.model, points, 72),
                "The boundary it found.");

    std::vector<double> linear;
    for (int i : {0, 1, 2, 3, 4})
        linear.push_back(accuracy(0, Rule::adam, 0.03, steps, lesson.seed() + i));
    lesson.claim("accuracy of a linear model, mean of five", summarise(linear).mean, at_most(0.7));
}

//! ## Where to begin
//!
//! Which first weights (their *initialisation*)? Suppose all are equal. Then all units compute the
//! same $h$, receive the same gradient, and are equal again after the step: 64 units are one. At
//! exactly zero not even that one moves, since its gradient is multiplied by $w = 0$ and that of
//! $w$ by $h = \tanh 0 = 0$. How much difference does it take? What parts two units that are nearly
//! equal is in proportion to how far apart they are, so it may take long to begin. Below, the
//! weights of $W$ begin at 0.5 and differ by a given standard deviation; all else is equal.
void begin_alike(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Where to begin");
    Table table({"weights begin", "accuracy", "found the spirals"});
    std::vector<double> means, found;
    double runs = lesson.quick() ? 2 : 5, difference = 0;  // between units, after the last run
    for (double apart : {1., 0.1, 0.01, 1e-6, 0.}) {
        std::vector<double> reached;
        for (int i = 0; i < runs; ++i) {
            Rng rng(100 * lesson.seed() + i);
            const Network network = begun_alike<Network>(width, apart, rng);
            reached.push_back(train(network, Steps{Rule::adam, 0.03}, steps, rng).accuracy);
            difference = between_units(network.hidden.weight);
        }
        means.push_back(summarise(reached).mean);
        found.push_back(std::count_if(reached.begin(), reached.end(), is_success));
        table.row(apart == 0 ? "equal" : number(apart) + " apart", mean_and_spread(reached),
                  fmt::format("{} of {}", found.back(), runs));
    }
    lesson.table(table, "The same training, from units that begin more and more alike.");
    lesson.reveal(guess, found[3] * 5 / runs);
    Rng rng(lesson.seed());
    Network zero(width, rng);
    replace_parameters(zero, [](const Tensor& x) { return zeros_like(x); });
    train(zero, Steps{Rule::adam, 0.03}, steps, rng);
    lesson.claim("accuracy from units a millionth apart, mean", means[3], less_than(means[0]));
    lesson.claim("units that began equal: their accuracy, mean", means[4], at_most(0.75));
    lesson.claim("units that began equal: largest difference at the end", difference, equals(0));
    lesson.claim("all weights zero: the largest hidden one at the end",
                 max(abs(zero.hidden.weight)).item(), equals(0));
}

}  // namespace

//! ## What this does not show
//!
//! Noisy gradients. All points took part in every step; of millions one takes a few at a time, a
//! *batch* (*stochastic* gradient descent, SGD). That breaks no symmetry either, for equal units
//! see the same noise. And that Adam is forgiving here does not make it the best everywhere.
//!
//! Sources: Lang and Witbrock, "Learning to Tell Two Spirals Apart" (1988); Polyak (1964),
//! momentum; Rumelhart, Hinton and Williams, "Learning representations by back-propagating errors"
//! (1986), where small random weights break symmetry; Kingma and Ba, "Adam" (2015), section 2.
//!
//! ## Try this next
//!
//! 1. `--steps 10000`: does gradient descent catch up, and at which rate?
//! 2. `constexpr int width = 8`: how few units will do?
//! 3. In `begun_alike` (`training.h`), `normal({1, width}, 0, 0.1, rng)` for `full`: will that do?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 4,
         .name = "learning",
         .title = "How a network finds its weights",
         .question = "How does a network find its weights, and can it find them from anywhere?",
         .own_data = "two spirals, 400 points to train and 1,000 to test"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 600)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 600 : 3000;
        const Prediction rates_of_adam = lesson.predict(
            "Ten learning rates, from 0.001 to 30, threefold each. With how many does Adam "
            "succeed?",
            within(1));
        const Prediction apart = lesson.predict(
            "The 64 units of a layer begin a millionth apart. In how many of five beginnings does "
            "training still find the spirals?",
            within(1));
        check_against_the_library(lesson);
        race(lesson, steps, rates_of_adam);
        draw_boundaries(lesson, steps);
        begin_alike(lesson, steps, apart);
    });
}
