//! # How a network finds its weights
//!
//! Two spirals, one inside the other. For 400 points we are told the spiral. Then a new point
//! comes. Which spiral?
//!
//! Our translator has hundreds of thousands of numbers to find, from examples alone. Here there are
//! a few hundred, and you can watch.

#include <cmath>

#include "lessons/04_learning/experiment.h"
#include "lessons/04_learning/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/spirals.h"

namespace heed::lesson04 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    Rng rng(lesson.seed());
    lesson.show("spirals", points_alone(two_spirals(400, rng), 72),
                "The 400 points: spiral 1 is orange, spiral 0 blue.");
}

//! ## A straight line
//!
//! The simplest rule for a point with the coordinates $x_1$ and $x_2$ is a sum:
//!
//! $$ z = w_1 x_1 + w_2 x_2 + b . $$
//!
//! If $z$ is positive the answer is spiral 1, otherwise spiral 0. $w_1$, $w_2$ and $b$ are
//! *parameters*, the numbers in a function that training may change. The *bias term*, in
//! code `bias`, is the one that is added; those that multiply an input are called weights. A
//! function of this kind is *linear*: it only multiplies its inputs by weights and adds.
struct Line {
    Linear output;  // the weights w and the number b

    explicit Line(Rng& rng) : output(2, 1, rng) {}
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const { return reshape(output(x), {-1}); }  // [B, 2] -> [B]
};

//! The points with $z = 0$ form a straight line, with one answer on each side. Spirals do not lie
//! like that: with a trained line the accuracy, the share of new points with the right answer, is
//! {linear-accuracy:%}. Guessing gets half.
void draw_the_line(Lesson& lesson, int steps) {
    lesson.heading("A straight line");
    std::vector<double> reached;
    for (int i : {0, 1, 2, 3, 4}) {
        Rng rng(lesson.seed() + i);
        const Sets sets(rng);
        const Line line(rng);
        Adam adam(parameters(line), {.lr = 0.03});  // an optimiser, explained below
        train_with(adam, line, sets.training, steps);
        reached.push_back(accuracy_on(sets.test, line));
        if (i == 0)
            lesson.show(
                "line", boundary("a straight line", line, sets.training, 72),
                "The answers of a linear model after training: the stronger the orange, the "
                "surer it is of spiral 1, the stronger the blue, of spiral 0.");
    }
    lesson.claim("linear-accuracy", "finding: accuracy of a linear model, mean of five",
                 summarise(reached).mean, at_most(0.7));
}

//! Claims of a run are *identities*, where two computations have to agree up to rounding, or
//! *findings*, where an experiment could have come out otherwise.
//!
//! ## A hidden layer
//!
//! So take many lines. A *hidden layer* computes many weighted sums of the same inputs and applies
//! a function to each. A *unit* is one of these sums together with its function. The *activation
//! function* is the function that a unit applies to its sum, and the result is its *activation*.
//! Ours is $\tanh$ (lesson {autograd}). It rises steeply only near 0, so each unit draws a soft
//! step along a line of its own:
void draw_the_units(Lesson& lesson) {
    lesson.heading("A hidden layer");
    lesson.show(
        "units", two_units_and_a_band(),
        "Orange is positive, blue negative, white 0. The difference of two steps is a band.");
}

//! Enough steps make almost any shape.
//!
//! $$ h = \tanh(W x + b), \qquad z = w \cdot h + b', \qquad p = \frac{1}{1 + e^{-z}} . $$
//!
//! $W$ has a row of two weights for each unit, $b$ the biases, $h$ the activations, $w$ the output
//! weights, and $b'$ is one more bias. The *sigmoid* is the function $1 / (1 + e^{-z})$, which
//! turns any number into one between 0 and 1. We read $p$ as the probability of spiral 1. Without
//! $\tanh$ the layer would be useless: weighted sums of weighted sums are weighted sums again.
//!
//! {no results} **By hand,** for the point $(0.5, \; 0.2)$. Unit 1 has the weights 1 and 2: its sum
//! is 0.9, and $\tanh$ of it 0.716. Unit 2 has the weights -1 and 1 and the bias 0.5: 0.2, and
//! 0.197. With the output weights 2 and -1, $z = 1.235$ and $p = 0.775$.
struct Network {
    Linear hidden, output;  // W and b, w and b'

    Network(int width, Rng& rng) : hidden(2, width, rng), output(width, 1, rng) {}
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const {  // [B, 2] -> z [B]
        return reshape(output(tanh(hidden(x))), {-1});
    }
};

//! ## The loss
//!
//! The *loss* is a number that says how wrong the answers of a network are, and training tries to
//! make it small. For a point of spiral 1 we take $-\ln p$, for one of spiral 0 $-\ln(1-p)$: large
//! if the network is sure and wrong (lesson {probabilities} says why). {no results} If the point
//! above lies on spiral 1, its loss is $-\ln 0.7747 = 0.255$; if on spiral 0, $-\ln 0.2253 =
//! 1.490$.
void one_point(Lesson& lesson) {
    lesson.heading("The loss");
    lesson.show(
        "network", network_diagram(),
        "The numbers worked by hand: each unit multiplies its inputs by weights of its own.");
    Rng rng(1);
    Network two(2, rng);
    two.hidden.weight.assign(tensor({1, 2, -1, 1}, {2, 2}));
    two.hidden.bias.assign(tensor({0., 0.5}));
    two.output.weight.assign(tensor({2, -1}, {1, 2}));
    two.output.bias.assign(tensor({0.}));
    const Tensor z = two(tensor({0.5, 0.2}, {1, 2}));
    lesson.claim("forward-by-hand",
                 "identity: p of the network with two units, worked by hand as 0.775",
                 sigmoid(z).item(), between(0.7745, 0.7755));
    lesson.claim("loss-by-hand", "identity: its loss on spiral 0, worked by hand as 1.490",
                 binary_cross_entropy_with_logits(z, tensor({0.})).item(), between(1.489, 1.491));
}

//! ## Down the slope
//!
//! The gradient (lesson {autograd}) says how fast the loss grows with each parameter. *Gradient
//! descent* goes the other way: it subtracts from each parameter its derivative times a small
//! number.
void roll(Lesson& lesson) {
    lesson.heading("Down the slope");
    lesson.show("hills", hills({0.1, 0.9, 1.1}),
                "Three steps of a ball on a hill, with three sizes of steps: it creeps down, jumps "
                "from side to side, or is thrown out.");
}

//! $$ \theta \leftarrow \theta - \eta \, g . $$
//!
//! $\theta$ (theta) is a parameter, $g$ its derivative, and $\eta$ (eta) the *learning rate*, the
//! factor that decides how large the steps are.
//!
//! {no results} **By hand.** The loss $\theta^2$ has the derivative $2\theta$. From $\theta = 1$
//! the rate 0.1 leads to $1 - 0.1 \cdot 2 = 0.8$, 0.64, 0.512: down to the minimum. The rate 1.1
//! leads to -1.2, 1.44, -1.728.
Tensor descent_step(const Tensor& theta, const Tensor& g, double eta) { return theta - eta * g; }

std::vector<double> descend(double eta) {
    Tensor theta = tensor({1.}, {1}, Dtype::float64);
    std::vector<double> path{1};
    for (int n = 0; n < 3; ++n) {
        theta = descent_step(theta, 2 * theta, eta);
        path.push_back(theta.item());
    }
    return path;
}

//! With the largest rate each step lands further away:
void too_large_a_step(Lesson& lesson) {
    Table table({"learning rate", "start", "step 1", "step 2", "step 3"});
    for (const double eta : {0.1, 0.9, 1.1}) {
        const std::vector<double> path = descend(eta);
        table.row(number(eta), number(path[0]), number(path[1], 4), number(path[2], 4),
                  number(path[3], 4));
    }
    lesson.table(table, "Gradient descent on the loss θ².");
    lesson.claim("third-step-by-hand",
                 "identity: third step with 0.1 and 1.1, largest difference from 0.512 and -1.728",
                 std::max(std::abs(descend(0.1)[3] - 0.512), std::abs(descend(1.1)[3] + 1.728)),
                 at_most(1e-12));
}

//! ## A narrow valley
//!
//! The loss $\tfrac12(\theta_1^2 + 60\theta_2^2)$ is 60 times as steep in one direction as in the
//! other. The steep one forces the rate to be small, and then the steps along the valley are tiny.
//! An *optimiser* is a rule by which gradients change
//! parameters, and there are better ones than descent.
//!
//! *Momentum* is an optimiser that adds up the gradients of past steps, like a ball that rolls down
//! the valley: what keeps its sign grows, what changes its sign cancels.
//!
//! $$ v \leftarrow 0.9v + g, \qquad \theta \leftarrow \theta - \eta v . $$
Tensor momentum_step(Tensor& v, const Tensor& theta, const Tensor& g, double eta) {
    v = 0.9 * v + g;  // the velocity, 0 before the first step
    return theta - eta * v;
}

//! *Adam* is an optimiser that divides each step by the usual size of the gradient of this
//! parameter, so that steep and flat directions get steps of similar size:
//!
//! $$ m \leftarrow 0.9m + 0.1g, \quad s \leftarrow 0.999s + 0.001g^2, \quad
//!    \theta \leftarrow \theta - \eta \frac{m / (1-0.9^n)}{\sqrt{s / (1-0.999^n)} + 10^{-8}} . $$
//!
//! {no results} $m$ is a *moving average* of the gradients: the newest counts most, one step older
//! counts 0.9 times as much. $s$ is the same for their squares. Both begin at 0, so at first they
//! are too small; in step $n$ the divisors correct that. The $10^{-8}$ prevents a division by 0.
//!
//! **By hand,** the first step: $m = 0.1g$ and $s = 0.001g^2$. The divisors make them $g$ and
//! $g^2$, so the step is $\eta g / \sqrt{g^2}$: $\eta$ long unless $g$ is 0. The learning rate of
//! Adam is roughly how far a parameter moves in one step.
Tensor adam_step(Tensor& m, Tensor& s, const Tensor& theta, const Tensor& g, double eta, int n) {
    m = 0.9 * m + 0.1 * g;
    s = 0.999 * s + 0.001 * g * g;
    const Tensor m_full = m / (1 - std::pow(0.9, n)), s_full = s / (1 - std::pow(0.999, n));
    return theta - eta * m_full / (sqrt(s_full) + 1e-8);
}

//! Fifty steps of each, from $(-2, 0.8)$:
enum class Rule { descent, momentum, adam };

struct Optimisation {
    Rule rule;
    double rate;
    std::vector<Tensor> ms{}, ss{};  // v or m, and s, of each parameter

    // Updates the parameter with index i by its gradient g in step n = 1, 2, ...
    void operator()(std::size_t i, Tensor theta, const Tensor& g, int n) {
        if (n == 1) ms.push_back(zeros_like(theta)), ss.push_back(zeros_like(theta));
        theta.assign(rule == Rule::descent    ? descent_step(theta, g, rate)
                     : rule == Rule::momentum ? momentum_step(ms[i], theta, g, rate)
                                              : adam_step(ms[i], ss[i], theta, g, rate, n));
    }
};

const std::vector<double> rates{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};

ValleyPath path_in_the_valley(const char* name, Rule rule, double rate) {
    Optimisation step{rule, rate};
    const Tensor steepness = tensor({1, 60});
    Tensor theta = tensor({-2, 0.8});
    ValleyPath path{.name = name, .rate = rate};
    for (int n = 1; n <= 50; ++n) {
        path.add(theta);
        step(0, theta, theta * steepness, n);
    }
    path.add(theta);
    path.loss = 0.5 * sum(steepness * theta * theta).item();
    return path;
}

void three_paths(Lesson& lesson) {
    lesson.heading("A narrow valley");
    const auto best = [](const char* name, Rule rule) {
        ValleyPath found = path_in_the_valley(name, rule, rates[0]);
        for (const double rate : rates)
            if (ValleyPath path = path_in_the_valley(name, rule, rate); path.loss < found.loss)
                found = std::move(path);
        return found;
    };
    lesson.show(
        "valley",
        valleys({best("gradient descent", Rule::descent), best("momentum", Rule::momentum),
                 best("Adam", Rule::adam)}),
        "Fifty steps in a narrow valley, each rule with the best of ten rates from 0.001 to "
        "30; the orange ball is the end. On a dashed curve the loss is the same. It is 21 at "
        "the start and 0 in the middle.");

    double first = 0;
    for (const double g : {2., 0.002}) {
        Tensor theta = tensor({0.});
        Optimisation{Rule::adam, 0.1}(0, theta, tensor({g}), 1);
        first = std::max(first, std::abs(-theta.item() / 0.1 - 1));
    }
    lesson.claim("adam-first-step",
                 "identity: first step of Adam over the learning rate: largest distance from 1",
                 first, at_most(1e-4));
}

//! ## The training loop
//!
//! This is all of learning: the loss, its gradient, a step of each parameter, and again.
using Watch = std::function<void(int n, const Network&)>;

void train(const Network& network, Optimisation rule, const Points& points, int steps,
           const Watch& watch = {}, const std::vector<SavedState>& watched = {}) {
    std::vector<Tensor> theta = tensors_of(network);
    Steps<Optimisation> counted(theta, rule, watched);  // a stopped run goes on
    for (const std::int64_t step : counted.of(steps)) {
        const int n = static_cast<int>(step);
        const Tensor loss = binary_cross_entropy_with_logits(network(points.x), points.t);
        const std::vector<Tensor> g = grad(loss, theta);
        const NoGrad no_grad;
        for (std::size_t i = 0; i < theta.size(); ++i) rule(i, theta[i], g[i], n);
        if (watch) watch(n, network);
    }
}

//! Against the library's optimisers:
void against_the_library(Lesson& lesson) {
    lesson.heading("The training loop");
    Rng rng(lesson.seed());
    double gap = 0;
    for (Rule rule : {Rule::descent, Rule::momentum, Rule::adam}) {
        const Network ours(8, rng), theirs = copy_model(ours);
        Rng copy = rng;
        const Points points = Sets(copy).training;
        train(ours, {rule, 0.1}, points, 10);
        const double momentum = rule == Rule::momentum ? 0.9 : 0;
        Sgd sgd(parameters(theirs), {.lr = 0.1, .momentum = momentum});
        Adam adam(parameters(theirs), {.lr = 0.1});
        train_with(rule == Rule::adam ? static_cast<Optimiser&>(adam) : sgd, theirs, points, 10);
        gap = std::max(gap, max(abs(ours.hidden.weight - theirs.hidden.weight)).item());
    }
    lesson.claim("optimisers-library", "identity: weights after ten steps against the library's",
                 gap, at_most(1e-4));
}

//! Now 64 units learn the spirals. The boundary begins as a line and bends around the arms.
//!
//! ![Press **Train** and watch the boundary bend. Then choose a learning rate of 1, or four hidden units, and **Start again**.](live:spirals)
constexpr int width = 64;

void watch_it_learn(Lesson& lesson, int steps) {
    Rng rng(lesson.seed()), weights(lesson.seed() + 1);
    const Sets sets(rng);
    const Network network(width, weights);
    Pictures pictures;
    const auto watch = [&](int n, const Network& now) {
        if (n == std::max(steps / 30, 1) || n == steps / 10 || n == steps / 3 || n == steps)
            pictures.all.push_back(
                boundary(fmt::format("after {} steps", n), now, sets.training, 72));
    };
    train(network, {Rule::adam, 0.03}, sets.training, steps, watch, {pictures});
    lesson.show("training", pictures.all, "The answers of the network during training.");
    lesson.say("Its accuracy on new points is {:.3f}.", accuracy_on(sets.test, network));
}

//! The mean gradient of a million points can be estimated from a few. A *minibatch* is the small
//! part of the training set that one step uses, often 32 or 64 examples, drawn at random. An
//! *epoch* is one pass through the whole training set. *Stochastic gradient descent*, or SGD, is
//! gradient descent with minibatches. What they gain is measured in workshop {batches}.
//!
//! ## Three sets of points
//!
//! A network can learn its 400 points by heart. *Overfitting* means that a model gets better on its
//! training examples while it gets worse on new ones. So we need new points, twice:
//!
//! - The *training set* is the data by which the parameters are changed: our 400 points.
//! - The *validation set* is the data by which everything else is chosen, such as the learning
//!   rate: 1,000 points.
//! - The *test set* is the data that is used once, for the result: 1,000 more.
//!
//! Why two? The best of ten rates was also lucky with the points by which it was chosen.
//!
//! ## A fair comparison
//!
//! A rate that is small for one optimiser is large for another. So each tries the same ten on the
//! validation set, then runs at its best with new weights and points.
Reached train_at(Rule rule, double rate, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const Network network(width, rng);
    const Sets sets(rng);
    train(network, {rule, rate}, sets.training, steps);
    return {accuracy_on(sets.validation, network), accuracy_on(sets.test, network)};
}

//! The number after ± is the standard deviation, the typical distance of a single run from the mean.
void compare_optimisers(Lesson& lesson, int steps) {
    lesson.heading("A fair comparison");
    const Prediction guess = lesson.predict(
        "Ten learning rates from 0.001 to 30, each about three times the last. With how many does "
        "Adam reach an accuracy of 0.95?",
        within(1).from(0, 10));
    const auto contestant = [&](const char* name, Rule rule) {
        return Contestant{name, [=](double rate, std::uint64_t seed) {
                              return train_at(rule, rate, steps, seed);
                          }};
    };
    const Comparison found =
        show_optimisers(lesson, rates,
                        {contestant("gradient descent", Rule::descent),
                         contestant("momentum", Rule::momentum), contestant("Adam", Rule::adam)});
    const std::vector<double>&accuracy = found.accuracy, &successes = found.successes;
    lesson.reveal(guess, successes[2]);
    lesson.claim("adam-accuracy", "finding: accuracy of Adam", accuracy[2],
                 at_least(lesson.quick() ? 0.9 : 0.97));
    lesson.claim("momentum-accuracy", "finding: accuracy of momentum", accuracy[1],
                 at_least(lesson.quick() ? 0.65 : 0.9));
    lesson.claim("descent-accuracy", "finding: accuracy of gradient descent, compared with Adam's",
                 accuracy[0], less_than(accuracy[2]));
    lesson.claim("adam-more-rates",
                 "finding: rates that reach 0.95 with Adam, minus those with momentum",
                 successes[2] - successes[1], at_least(1));
}

//! {if all momentum-accuracy > descent-accuracy} At their best, Adam and momentum are right about
//! nearly all points, gradient descent about {descent-accuracy:%}. {if all adam-more-rates > 1} But
//! Adam succeeds at {adam-more-rates:0} more of the ten rates than momentum. It is easier to use.
//!
//! ## Initial weights
//!
//! If all weights begin with zero, every activation is $\tanh 0 = 0$. The gradient of $w$ has the
//! activations as a factor, and that of $W$ has $w$. All are 0, so no weight ever changes.
//!
//! {no results} Then let all hidden weights be 0.5 and all output weights 0.1. Now all units
//! compute the same, get the same gradient and are equal again after the step: 64 units work like
//! one. So they have to differ, and the simplest way is chance.
Network units_apart(double noise, Rng& rng) {  // by noise of this standard deviation
    Network network(width, rng);
    network.hidden.weight.assign(0.5 + noise * normal({width, 2}, 0, 1, rng));
    network.hidden.bias.assign(zeros({width}));
    network.output.weight.assign(full({1, width}, 0.1));
    return network;
}

//! The choice of the initial weights is called the *initialisation*; how different they must be is
//! measured in workshop {batches}.
void compare_initial_weights(Lesson& lesson, int steps) {
    lesson.heading("Initial weights");
    double difference = 0;  // between units, after the last run
    const auto trained_on_spirals = [&](const Network& network, Rng rng) {
        const Sets sets(rng);
        train(network, {Rule::adam, 0.03}, sets.training, steps);
        return accuracy_on(sets.test, network);
    };
    const std::vector<double> accuracy =
        show_initial_weights(lesson, {1., 0.}, [&](double noise, std::uint64_t seed) {
            Rng rng(seed);
            const Network network = units_apart(noise, rng);
            const double reached = trained_on_spirals(network, rng);
            difference = between_units(network.hidden.weight);
            return reached;
        });
    Rng rng(lesson.seed());
    Network zero(width, rng);
    replace_parameters(zero, [](const Tensor& x) { return zeros_like(x); });
    trained_on_spirals(zero, rng);
    lesson.claim("equal-units-accuracy", "finding: mean accuracy with equal units", accuracy[1],
                 at_most(0.75));
    lesson.claim("equal-units-apart", "identity: equal units: largest difference after training",
                 difference, equals(0));
    lesson.claim("zero-weights", "identity: all weights zero: largest hidden weight after training",
                 max(abs(zero.hidden.weight)).item(), equals(0));
}

}  // namespace

}  // namespace heed::lesson04

//! ## What this does not show
//!
//! Why a network does well on new points, although it could learn the old ones by heart, is still
//! researched.
//!
//! Sources: Lang and Witbrock, "Learning to Tell Two Spirals Apart" (1988); Robbins and Monro, "A
//! Stochastic Approximation Method" (1951); Polyak, "Some Methods of Speeding Up the Convergence of
//! Iteration Methods" (1964), momentum; Rumelhart, Hinton and Williams, "Learning Representations
//! by Back-Propagating Errors" (1986); Kingma and Ba, "Adam" (2015), algorithm 1.
//!
//! ## Summary
//!
//! 1. A hidden layer separates what no straight line can.
//! 2. Learning is many small steps against the gradient.
//! 3. Momentum adds up gradients; Adam gives all parameters steps of similar size.
//! 4. The training set changes the parameters, the validation set makes the other choices, and the
//!    test set is used once.
//! 5. Equal units stay equal for ever, so initial weights are random.
//!
//! ## Try this next
//!
//! 1. `constexpr int width = 8`: how few units are enough?
//! 2. In `Network`, leave out `tanh`. What can it do now?
using namespace heed;
using namespace heed::lesson04;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 4,
         .name = "learning",
         .title = "How a network finds its weights",
         .question =
             "How does a network find its weights, and does it matter with which it starts?",
         .own_data = "two spirals"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 600)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 600 : 3000;
        opening(lesson);
        draw_the_line(lesson, steps);
        draw_the_units(lesson);
        one_point(lesson);
        roll(lesson);
        too_large_a_step(lesson);
        three_paths(lesson);
        against_the_library(lesson);
        watch_it_learn(lesson, steps);
        compare_optimisers(lesson, steps);
        compare_initial_weights(lesson, steps);
    });
}
