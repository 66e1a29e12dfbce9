//! # How a network finds its weights
//!
//! A network is a function with many numbers that can be chosen, its *parameters*. Learning means
//! choosing them. What we have for this is a single number that says how wrong the answers are, the
//! *loss*, and its gradient (lesson 02). The gradient points in the direction in which the loss
//! grows fastest. So we take a small step in the opposite direction, and repeat. This lesson is
//! about two questions: how large should the steps be, and with which parameters should we start?

#include <cmath>

#include "lessons/04_learning/training.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A network of one hidden layer
//!
//! Two spirals are wound into each other. Given a point $x$ of the plane, on which spiral does it
//! lie? A *linear* model takes a weighted sum of the two coordinates, $z = w \cdot x + b$, and its
//! answer changes along a straight line. A *hidden layer* computes many such sums at once and
//! applies $\tanh$ to each; each of its elements is a *unit*. The output is a weighted sum of the
//! units:
//!
//! $$ h = \tanh(W x + b), \qquad z = w \cdot h + b', \qquad p = \frac{1}{1 + e^{-z}} . $$
//!
//! The last formula, the *sigmoid*, turns the *logit* $z$ into a probability. The loss is the
//! *cross-entropy*: $-\ln p$ for a point of class $t = 1$ and $-\ln (1 - p)$ for one of class
//! $t = 0$, averaged over all points.
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

//! ## Three optimisers
//!
//! With $g$ the gradient of a parameter $\theta$ (`p` below) and $\eta$ the *learning rate*,
//! *gradient descent* is $\theta \leftarrow \theta - \eta g$. In a narrow valley of the loss, its
//! steps go from one side to the other and back. *Momentum* adds up the gradients of past steps,
//! $v \leftarrow 0.9 v + g$ and $\theta \leftarrow \theta - \eta v$: components that always have
//! the same sign add up, components that change sign cancel (Polyak 1964). *Adam* also divides each
//! component by its usual size, the root of a moving average of $g^2$ (Kingma and Ba 2015,
//! algorithm 1):
//!
//! $$ m \leftarrow 0.9 m + 0.1 g, \quad s \leftarrow 0.999 s + 0.001 g^2, \quad
//!    \theta \leftarrow \theta - \eta \frac{m / (1 - 0.9^n)}{\sqrt{s / (1 - 0.999^n)} + 10^{-8}} $$
//!
//! The divisors correct for the fact that $m$ and $s$ were 0 before the first step; $n$ counts the
//! steps.
enum class Rule { descent, momentum, adam };

struct Optimisation {
    Rule rule;
    double rate;
    std::vector<Tensor> ms{}, ss{};  // m and s of each parameter; m also serves as v

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

//! The library's optimisers do the same with less memory. After ten steps from the same weights
//! they should have the same result.
void check_against_the_library(Lesson& lesson) {
    Rng rng(lesson.seed());
    double gap = 0;
    for (Rule rule : {Rule::descent, Rule::momentum, Rule::adam}) {
        const Network ours(8, rng), theirs = copy_model(ours);
        train(ours, Optimisation{rule, 0.1}, 10, rng);
        const double momentum = rule == Rule::momentum ? 0.9 : 0;
        Sgd sgd(parameters(theirs), {.lr = 0.1, .momentum = momentum});
        Adam adam(parameters(theirs), {.lr = 0.1});
        train_with(rule == Rule::adam ? static_cast<Optimiser&>(adam) : sgd, theirs, 10, rng);
        gap = std::max(gap, max(abs(ours.hidden.weight - theirs.hidden.weight)).item());
    }
    lesson.claim("weights after ten steps against the library's", gap, at_most(1e-4));
}

//! ## A fair comparison
//!
//! It would be unfair to compare the optimisers at one learning rate, because a rate that is small
//! for one is large for another. So we try the same ten rates with each, on three data sets used
//! for nothing else. Then each optimiser runs at its best rate with five new seeds for weights and
//! points. (In quick mode one data set and two seeds.)
constexpr int width = 64;
const std::vector<double> rates{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};

double accuracy(int units, Rule rule, double rate, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const Network network(units, rng);
    return train(network, Optimisation{rule, rate}, steps, rng).accuracy;
}

void compare_optimisers(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("A fair comparison");
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
    lesson.show("rates", plot, "Accuracy on test points, by learning rate.");
    lesson.table(table, "Each at its best rate: mean and standard deviation over new seeds.");
    lesson.reveal(guess, successes[2]);
    lesson.claim("accuracy of Adam", means[2], at_least(lesson.quick() ? 0.9 : 0.97));
    lesson.claim("accuracy of momentum", means[1], at_least(lesson.quick() ? 0.85 : 0.9));
    lesson.claim("accuracy of gradient descent, compared with Adam's", means[0],
                 less_than(means[2]));
    lesson.claim("rates that reach 0.95 with Adam, minus those with momentum",
                 successes[2] - successes[1], at_least(1));
}

//! ## What a linear model cannot do
//!
//! The grey level of a pixel is the probability that the network gives it; the training points are
//! black and white.
void draw_boundaries(Lesson& lesson, int steps) {
    lesson.heading("What a linear model cannot do");
    Rng rng(lesson.seed()), copy = rng;
    const Points points = two_spirals(400, copy);  // the training points of train()
    std::vector<Picture> pictures;
    const auto watch = [&](int n, const Network& now) {
        if (n == std::max(steps / 30, 1) || n == steps / 10 || n == steps / 3)
            pictures.push_back(boundary(fmt::format("after {} steps", n), now, points, 84));
    };
    Rng weights = copy.split();
    const Trained<Network> run =
        train<Network>(Network(width, weights), Optimisation{Rule::adam, 0.03}, steps, rng, watch);
    lesson.keep("training", pictures, "The boundary during training, with Adam at 0.03.");
    lesson.show("boundary", boundary(fmt::format("after {} steps", steps), run.model, points, 72),
                "The boundary after training.");

    std::vector<double> linear;
    for (int i : {0, 1, 2, 3, 4})
        linear.push_back(accuracy(0, Rule::adam, 0.03, steps, lesson.seed() + i));
    lesson.claim("accuracy of a linear model, mean of five", summarise(linear).mean, at_most(0.7));
}

//! ## Initial weights
//!
//! Which weights should training start with (their *initialisation*)? Suppose all are equal. Then
//! all units compute the same $h$, receive the same gradient, and are equal again after the step:
//! 64 units do the work of one. If all weights are exactly zero, no weight of a layer ever changes,
//! because the gradient of $W$ is multiplied by $w = 0$ and that of $w$ by $h = \tanh 0 = 0$. How
//! different must the units be? The gradients of two nearly equal units differ in proportion to the
//! difference of their weights, so it may take many steps until they do different things. Below,
//! the initial weights of $W$ are 0.5 plus noise of a given standard deviation; all else is equal.
void compare_initial_weights(Lesson& lesson, int steps, Prediction guess) {
    lesson.heading("Initial weights");
    Table table({"noise on the weights", "accuracy", "reached 0.95"});
    std::vector<double> means, found;
    double runs = lesson.quick() ? 2 : 5, difference = 0;  // between units, after the last run
    for (double noise : {1., 0.1, 0.01, 1e-6, 0.}) {
        std::vector<double> reached;
        for (int i = 0; i < runs; ++i) {
            Rng rng(100 * lesson.seed() + i);
            const Network network = nearly_equal_units<Network>(width, noise, rng);
            reached.push_back(train(network, Optimisation{Rule::adam, 0.03}, steps, rng).accuracy);
            difference = between_units(network.hidden.weight);
        }
        means.push_back(summarise(reached).mean);
        found.push_back(std::count_if(reached.begin(), reached.end(), is_success));
        table.row(noise == 0 ? "none" : number(noise), mean_and_spread(reached),
                  fmt::format("{} of {}", found.back(), runs));
    }
    lesson.table(table, "The same training, with less and less noise on the initial weights.");
    lesson.reveal(guess, found[3] * 5 / runs);
    Rng rng(lesson.seed());
    Network zero(width, rng);
    replace_parameters(zero, [](const Tensor& x) { return zeros_like(x); });
    train(zero, Optimisation{Rule::adam, 0.03}, steps, rng);
    lesson.claim("mean accuracy with noise of one millionth", means[3], less_than(means[0]));
    lesson.claim("mean accuracy with equal units", means[4], at_most(0.75));
    lesson.claim("equal units: largest difference after training", difference, equals(0));
    lesson.claim("all weights zero: largest hidden weight after training",
                 max(abs(zero.hidden.weight)).item(), equals(0));
}

}  // namespace

//! ## What this does not show
//!
//! Here every step used all points. With millions of them, each step uses only a few, a *batch*
//! (*stochastic* gradient descent, SGD), and the gradient is noisy. This noise does not make equal
//! units different either, because all units receive the same noise. And although Adam works at
//! many learning rates here, it is not the best optimiser for every problem.
//!
//! Sources: Lang and Witbrock, "Learning to Tell Two Spirals Apart" (1988); Polyak (1964),
//! momentum; Rumelhart, Hinton and Williams, "Learning representations by back-propagating errors"
//! (1986), where small random weights break symmetry; Kingma and Ba, "Adam" (2015), section 2.
//!
//! ## Try this next
//!
//! 1. `--steps 10000`: does gradient descent catch up, and at which rate?
//! 2. `constexpr int width = 8`: how few units are enough?
//! 3. In `nearly_equal_units` (`training.h`), write `normal({1, width}, 0, 0.1, rng)` instead of
//!    `full`: is that enough to make equal units different?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 4,
         .name = "learning",
         .title = "How a network finds its weights",
         .question =
             "How does a network find its weights, and does it matter with which it starts?",
         .own_data = "two spirals, 400 training points and 1,000 test points"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 600)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 600 : 3000;
        const Prediction rates_of_adam = lesson.predict(
            "Ten learning rates from 0.001 to 30, each about three times the last. With how many "
            "does Adam reach an accuracy of 0.95?",
            within(1));
        const Prediction successes = lesson.predict(
            "The initial weights of 64 units differ by only a millionth. In how many of five runs "
            "does training still reach an accuracy of 0.95?",
            within(1));
        check_against_the_library(lesson);
        compare_optimisers(lesson, steps, rates_of_adam);
        draw_boundaries(lesson, steps);
        compare_initial_weights(lesson, steps, successes);
    });
}
