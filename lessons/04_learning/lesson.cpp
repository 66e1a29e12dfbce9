//! # How a network finds its weights
//!
//! Two spirals are wound into each other in the plane (Lang and Witbrock 1988). We are given 400
//! points, and for each point we are told on which of the two spirals it lies. Then a new point
//! comes. On which spiral is it?
//!
//! Nobody writes down a rule for this. Instead we take a function with many numbers that can be
//! chosen, and let the program choose them by looking at the 400 points. This is what learning
//! means for a network. But what function? How are its numbers found, and with which do we begin?
//! And how do we know that the result is good for points that were not among the 400?

#include <cmath>

#include "lessons/04_learning/data.h"
#include "lessons/04_learning/experiment.h"
#include "lessons/04_learning/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson04 {

using namespace course;

namespace {

//! ## A straight line
//!
//! Let the coordinates of a point be $x_1$ and $x_2$, and number the spirals 0 and 1. The simplest
//! function is
//!
//! $$ z = w_1 x_1 + w_2 x_2 + b . $$
//!
//! If $z$ is positive the answer is spiral 1, otherwise spiral 0. The three numbers $w_1$, $w_2$
//! and $b$ are the *parameters* of this function, the numbers in a function that training may
//! change. Those that are multiplied by an input are called weights, and the one that is added is
//! the *bias term*, in code `bias`. A function of this kind is *linear*: it only multiplies its
//! inputs by weights and adds.
//!
//! The points with $z = 0$ form a straight line, whatever the three numbers are. On one side of it
//! the answer is always 0, on the other side always 1. How far does that get with two spirals? The
//! run trains the three numbers with the method that is explained below and draws the answers. The
//! accuracy is the share of new points for which the answer is right; guessing is right for half of
//! them.
struct Line {
    Linear output;  // the weights w and the number b

    explicit Line(Rng& rng) : output(2, 1, rng) {}
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const { return reshape(output(x), {-1}); }  // [B, 2] -> [B]
};

void draw_the_line(Lesson& lesson, int steps) {
    lesson.heading("A straight line");
    std::vector<double> reached;
    for (int i : {0, 1, 2, 3, 4}) {
        Rng rng(lesson.seed() + i);
        const Sets sets(rng);
        const Line line(rng);
        Adam adam(parameters(line), {.lr = 0.03});
        train_with(adam, line, sets.training, steps);
        reached.push_back(accuracy_on(sets.test, line));
        if (i == 0)
            lesson.show(
                "line", boundary("a straight line", line, sets.training, 72),
                "The answers of a linear model after training: light for spiral 1, dark for "
                "spiral 0. The training points of spiral 1 are white, those of spiral 0 "
                "black. Without colours, the characters .:-=+*#%@ go from dark to light, "
                "and a blank is darkest.");
    }
    lesson.claim("linear-accuracy", "finding: accuracy of a linear model, mean of five",
                 summarise(reached).mean, at_most(0.7));
}

//! ## A hidden layer
//!
//! One straight line is not enough, so take many. A *hidden layer* computes many weighted sums of
//! the same inputs, each with weights of its own, and applies a function to each of them. A *unit*
//! is one of these sums together with the function applied to it. The *activation function* is the
//! function that a unit applies to its weighted sum, and the result is the *activation* of the
//! unit. We use $\tanh$ of lesson {autograd}, which goes from -1 to 1, and rises steeply only where
//! the sum is near 0. So each unit draws a soft step along a straight line of its own. With enough
//! steps in different directions, almost any shape can be put together.
//!
//! $$ h = \tanh(W x + b), \qquad z = w \cdot h + b', \qquad p = \frac{1}{1 + e^{-z}} . $$
//!
//! $x$ is the point, a vector of two numbers. $W$ is a matrix with a row of two weights for each
//! unit, $b$ has a bias for each unit, and $h$ has the activations of all units. The vector $w$ has
//! the weights of the output, $w \cdot h$ is the sum of their products with the activations, and
//! $b'$ is one more bias. With 64 units there are $64 \cdot 2 + 64 + 64 + 1 = 257$ parameters. The
//! *sigmoid* is the function $1 / (1 + e^{-z})$, which turns any number $z$ into a number between 0
//! and 1. We read $p$ as the probability that the point lies on spiral 1.
//!
//! Without the activation function, the hidden layer would be useless: weighted sums of weighted
//! sums are weighted sums again, and we would be back at the straight line.
//!
//! {no results} **By hand,** with two units and the point $(0.5, \; 0.2)$. Let unit 1 have the
//! weights 1 and 2 and $b = 0$. Its sum is $0.5 + 0.4 = 0.9$, and $\tanh$ of it is 0.716. Let unit
//! 2 have the weights -1 and 1 and $b = 0.5$. Its sum is $-0.5 + 0.2 + 0.5 = 0.2$, and $\tanh$ of
//! it is 0.197. With the output weights 2 and -1 and $b' = 0$, $z = 1.4326 - 0.1974 = 1.2352$, and
//! $p = 0.775$.
struct Network {
    Linear hidden, output;  // W and b, w and b'

    Network(int width, Rng& rng, int inputs = 2)
        : hidden(inputs, width, rng), output(width, 1, rng) {}
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const {  // [B, 2] -> z [B]
        return reshape(output(tanh(hidden(x))), {-1});
    }
    Tensor with_dropout(const Tensor& x, double dropped, Rng& rng) const {  // explained below
        const Tensor h = tanh(hidden(x)), kept = bernoulli(h.shape(), 1 - dropped, rng);
        return reshape(output(h * kept / (1 - dropped)), {-1});
    }
};

//! ## The loss
//!
//! The *loss* is a number that says how wrong the answers of a network are, and training tries to
//! make it small. For a point of spiral 1 we take $-\ln p$, and for a point of spiral 0 we take
//! $-\ln (1 - p)$. Both are 0 if the network is sure and right, and grow without limit if it is
//! sure and wrong. The loss of many points is the mean of their losses. (Lesson {probabilities}
//! explains this formula, the cross-entropy.)
//!
//! {no results} **By hand.** The network above said $p = 0.7747$. If the point lies on spiral 1,
//! its loss is $-\ln 0.7747 = 0.255$. If it lies on spiral 0, the loss is $-\ln (1 - 0.7747) = -\ln
//! 0.2253 = 1.490$.
void one_point(Lesson& lesson) {
    lesson.heading("The loss");
    lesson.show("network", network_diagram(), "The numbers worked by hand.");
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
//! The gradient of the loss (lesson {autograd}) says for each parameter how fast the loss grows
//! when this parameter grows. So a small step in the opposite direction makes the loss smaller.
//! This is *gradient descent*: subtract from each parameter its derivative, multiplied by a small
//! number $\eta$, and repeat.
//!
//! $$ \theta \leftarrow \theta - \eta \, g . $$
//!
//! $\theta$ (theta) is a parameter, $g$ is the derivative of the loss with respect to it, and
//! $\eta$ (eta) is the *learning rate*, the factor that decides how large the steps are. An
//! *optimiser* is a rule, like this one, by which parameters are changed by their gradients.
//!
//! {no results} **By hand.** Take the loss $L = \theta^2$, with the derivative $2 \theta$ and the
//! minimum at 0. We begin at $\theta = 1$. With $\eta = 0.1$ the first step leads to $1 - 0.1 \cdot
//! 2 = 0.8$, the second to 0.64, the third to 0.512. Each step multiplies $\theta$ by 0.8, and it
//! approaches 0. With $\eta = 1.1$ the first step leads to $1 - 1.1 \cdot 2 = -1.2$: it goes over
//! the minimum and ends further away on the other side. The next ones lead to 1.44 and -1.728. The
//! steps are too large, and the loss grows.
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

void too_large_a_step(Lesson& lesson) {
    lesson.heading("Down the slope");
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

//! With two parameters something new happens. Let $L = \tfrac12 (\theta_1^2 + 25 \, \theta_2^2)$.
//! This is a narrow valley: in the direction of $\theta_2$ the loss is 25 times as steep as in the
//! direction of $\theta_1$. The steep direction forces the rate to be small, and then the steps
//! along the valley are tiny. If it is a little larger, the path jumps from one side of the valley
//! to the other. The losses of networks are full of such valleys. Two improvements are in common
//! use.
//!
//! *Momentum* is an optimiser that adds up the gradients of past steps, so that directions which
//! always have the same sign grow, and directions which change their sign cancel (Polyak 1964):
//!
//! $$ v \leftarrow 0.9 \, v + g, \qquad \theta \leftarrow \theta - \eta \, v . $$
//!
//! $v$, the velocity, begins with 0. A ball that rolls down the valley does the same.
Tensor momentum_step(Tensor& v, const Tensor& theta, const Tensor& g, double eta) {
    v = 0.9 * v + g;
    return theta - eta * v;
}

//! *Adam* is an optimiser that divides each step by the usual size of the gradient of this
//! parameter, so that steep and flat directions get steps of similar size (Kingma and Ba 2015):
//!
//! $$ m \leftarrow 0.9 m + 0.1 g, \quad s \leftarrow 0.999 s + 0.001 g^2, \quad
//!    \theta \leftarrow \theta - \eta \frac{m / (1 - 0.9^n)}{\sqrt{s / (1 - 0.999^n)} + 10^{-8}} .
//!    $$
//!
//! {no results} $m$ is a moving average of the gradients: a mean in which the newest gradient has
//! the weight 0.1, and each older one counts 0.9 times as much as the next newer one. $s$ is a
//! slower moving average, of their squares, and its root is the usual size of the gradient. Both
//! begin with 0, which is not a gradient, and $n$ counts the steps. After $n$ steps, the gradients
//! in $m$ have the weights $1 - 0.9^n$ in all, and the rest of the mean is that 0. Dividing by $1 -
//! 0.9^n$ takes it out, and in the same way for $s$. The $10^{-8}$ prevents a division by 0.
//!
//! {no results} **By hand,** the first step of Adam with $g = 2$: $m = 0.1 \cdot 2 = 0.2$ and $s =
//! 0.001 \cdot 4 = 0.004$. After the correction, with $n = 1$, they are $0.2 / 0.1 = 2$ and $0.004
//! / 0.001 = 4$. The step is $\eta \cdot 2 / \sqrt 4 = \eta$. With $g = 0.002$ it is $\eta \cdot
//! 0.002 / 0.002 = \eta$, too. **The first step of Adam has the same size for every gradient.** So
//! the learning rate of Adam is roughly the distance that a parameter moves in one step.
Tensor adam_step(Tensor& m, Tensor& s, const Tensor& theta, const Tensor& g, double eta, int n) {
    m = 0.9 * m + 0.1 * g;
    s = 0.999 * s + 0.001 * g * g;
    const Tensor m_full = m / (1 - std::pow(0.9, n)), s_full = s / (1 - std::pow(0.999, n));
    return theta - eta * m_full / (sqrt(s_full) + 1e-8);
}

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

Series path_in_the_valley(const char* name, Optimisation step) {
    Tensor theta = tensor({-2, 0.8});
    Series path{.name = name};
    for (int n = 1; n <= 30; ++n) {
        path.x.push_back(theta.at({0}));
        path.y.push_back(theta.at({1}));
        step(0, theta, theta * tensor({1, 25}), n);
    }
    return path;
}

//! The library has the same optimisers. The last claim trains two equal networks for ten steps, one
//! by our code and one by the library. They must then have the same weights.
void three_paths(Lesson& lesson) {
    LinePlot plot{.x_label = "θ1", .y_label = "θ2"};
    plot.series = {path_in_the_valley("gradient descent, rate 0.07", {Rule::descent, 0.07}),
                   path_in_the_valley("momentum, rate 0.02", {Rule::momentum, 0.02}),
                   path_in_the_valley("Adam, rate 0.2", {Rule::adam, 0.2})};
    lesson.show(
        "valley", plot,
        "Thirty steps in a narrow valley. They start at the left; the minimum is at (0, 0).");

    double first = 0, gap = 0;
    for (const double g : {2., 0.002}) {
        Tensor theta = tensor({0.});
        Optimisation{Rule::adam, 0.1}(0, theta, tensor({g}), 1);
        first = std::max(first, std::abs(-theta.item() / 0.1 - 1));
    }
    lesson.claim("adam-first-step",
                 "identity: first step of Adam over the learning rate: largest distance from 1",
                 first, at_most(1e-4));
    Rng rng(lesson.seed());
    for (Rule rule : {Rule::descent, Rule::momentum, Rule::adam}) {
        const Network ours(8, rng), theirs = copy_model(ours);
        Rng copy = rng;  // for the points of train()
        train(ours, Optimisation{rule, 0.1}, {.steps = 10}, rng);
        const double momentum = rule == Rule::momentum ? 0.9 : 0;
        Sgd sgd(parameters(theirs), {.lr = 0.1, .momentum = momentum});
        Adam adam(parameters(theirs), {.lr = 0.1});
        train_with(rule == Rule::adam ? static_cast<Optimiser&>(adam) : sgd, theirs,
                   Sets(copy).training, 10);
        gap = std::max(gap, max(abs(ours.hidden.weight - theirs.hidden.weight)).item());
    }
    lesson.claim("optimisers-library", "identity: weights after ten steps against the library's",
                 gap, at_most(1e-4));
}

//! ## A network learns the spirals
//!
//! Now a network with 64 units gets as many steps of Adam as the straight line had. At first the
//! units together draw little more than a straight line. Then the boundary bends, step by step,
//! around the arms of the spirals.
//!
//! ![Press **Train** and watch the boundary bend, on other spirals than in the run above. Then choose gradient descent, or a learning rate of 1, or four hidden units, and press **Start again**.](live:spirals)
constexpr int width = 64;

Reached train_at(Rule rule, double rate, const Plan& plan, std::uint64_t seed) {
    Rng rng(seed);
    const Network network(width, rng);
    const auto run = train(network, Optimisation{rule, rate}, plan, rng);
    return {run.validation, run.accuracy};
}

void watch_it_learn(Lesson& lesson, int steps) {
    lesson.heading("A network learns the spirals");
    Rng rng(lesson.seed()), copy = rng, weights = Rng(lesson.seed() + 1);
    const Points points = Sets(copy).training;  // those of train()
    Pictures pictures;
    const auto watch = [&](int n, const Network& now) {
        if (n == std::max(steps / 30, 1) || n == steps / 10 || n == steps / 3 || n == steps)
            pictures.all.push_back(boundary(fmt::format("after {} steps", n), now, points, 72));
    };
    const auto run = train<Network>(Network(width, weights), Optimisation{Rule::adam, 0.03},
                                    {.steps = steps}, rng, watch, {pictures});
    lesson.show("training", pictures.all, "The answers of the network during training.");
    lesson.say("Its accuracy on new points is {:.3f}.", run.accuracy);
}

//! ## Three sets of points
//!
//! On which points should we measure the accuracy? Not on the 400 of the training: a network with
//! many parameters can learn them by heart and still be wrong on all others. We need points that
//! the training has not seen, and we need them twice:
//!
//! - The *training set* is the data by which the parameters are changed: our 400 points.
//! - The *validation set* is the data by which everything else is chosen, such as the learning
//!   rate: 1,000 more points.
//! - The *test set* is the data that is used once, at the end, for the result that one reports:
//!   1,000 more points.
//!
//! Why is the validation set not enough? The best of ten learning rates is good, but it was also
//! lucky with just the points by which it was chosen. A result is honest only on points that had no
//! influence on any choice.
//!
//! ## A fair comparison
//!
//! Which of the three optimisers is best? A learning rate that is small for one is large for
//! another. So each tries the same ten rates with the same number of steps, and the validation set
//! decides. Then each runs at its best rate with new weights and new points, and the test set gives
//! the result. The table shows the mean over several such runs and, behind the sign ±, the standard
//! deviation, which is the typical distance of a single run from the mean.
void compare_optimisers(Lesson& lesson, int steps) {
    lesson.heading("A fair comparison");
    const Prediction guess = lesson.predict(
        "Ten learning rates from 0.001 to 30, each about three times the last. With how many does "
        "Adam reach an accuracy of 0.95?",
        within(1));
    const auto contestant = [&](const char* name, Rule rule) {
        return Contestant{name, [=](double rate, std::uint64_t seed) {
                              return train_at(rule, rate, {.steps = steps}, seed);
                          }};
    };
    const std::vector<double> rates{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
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

//! {if all momentum-accuracy > descent-accuracy} At their best rates, Adam and momentum are right
//! about nearly all points, and gradient descent about {descent-accuracy:%}.
//! {if all adam-more-rates > 1} The larger advantage of Adam is another one: it succeeds at
//! {adam-more-rates:0} more of the ten learning rates than momentum. It is easier to use.
//!
//! ## Minibatches
//!
//! So far every step has used all training points. With a million points, a single step would take
//! very long. But the mean of a million gradients can be estimated from a few of them, just as an
//! opinion poll asks a thousand people and not all. A *minibatch* is the small part of the training
//! set that one step uses, often 32 or 64 examples. An *epoch* is one pass through the whole
//! training set. *Stochastic gradient descent*, or SGD, is gradient descent in which each step uses
//! another, randomly chosen minibatch. Momentum and Adam can do the same.
//!
//! The estimate is noisy, so a single step is worse. But there are more steps for the same work: of
//! 10,000 points, minibatches of 100 make $100$ steps an epoch instead of one. Which size learns
//! more? Each gets the same number of epochs, and has its learning rate chosen by the validation
//! set. The last column has the other comparison: equally many steps.
void compare_batches(Lesson& lesson, int epochs) {
    lesson.heading("Minibatches");
    constexpr int points = 10000;
    const Prediction guess = lesson.predict(
        "Three networks see 10,000 points equally often: in steps of all points, of 1,000, or of "
        "100. Which reaches the best accuracy?",
        {"10000", "1000", "100"});
    const std::vector<int> sizes{points, 1000, 100};
    const std::vector<double> means = show_batches(
        lesson, points, epochs, sizes, {0.003, 0.01, 0.03},
        [](int size, int steps, double rate, std::uint64_t seed) {
            return train_at(Rule::adam, rate, {steps, size == points ? 0 : size, 0, points}, seed);
        });
    const auto best = std::max_element(means.begin(), means.end()) - means.begin();
    lesson.reveal(guess, std::to_string(sizes[best]));
    lesson.claim(
        "small-batch-gain",
        "finding: accuracy in steps of 100 points minus that in steps of 10,000, equal epochs",
        means[2] - means[0], lesson.quick() ? more_than(0) : at_least(0.3));
}

//! {if all small-batch-gain > 0.3} For equal work, minibatches of 100 win by
//! {small-batch-gain * 100:0} points. But look at the last column. After equally many steps, all
//! sizes are about equally bad: a hundred steps draw little more than a straight line. Small
//! minibatches win because the same work buys a hundred times as many steps, each nearly as good.
//!
//! ## Overfitting, and dropout
//!
//! Real data are not as clean as our spirals. Now each example has 20 measurements, random numbers.
//! Whether it belongs to class 1 or 0 depends on the sum of the first two of them, and a little on
//! chance. The other 18 have nothing to do with it, but nobody tells the network. It has 128 units,
//! which makes 2,817 parameters, and only 200 examples to learn from. Among so few, some useless
//! measurements go together with the class by chance. The network uses them, and becomes right on
//! all training examples. On new examples these rules are wrong. *Overfitting* means that a model
//! learns what is true of its training examples only, so that the loss on them goes on falling
//! while the loss on new examples rises.
//!
//! {no results} There are two usual remedies. The first is to stop early: to keep the parameters of
//! the step at which the loss on the validation set was smallest. The second is *dropout*, a change
//! of the training in which each hidden unit is set to 0 with a given probability, here 0.5, anew
//! for each example and each step (Srivastava et al. 2014). So no unit can rely on another one. The
//! activations that are kept are divided by 0.5, so that their sum is on average the same as
//! without dropout. After training, all units are used. In `with_dropout` of the network, `kept` is
//! a tensor of random zeros and ones.
Course train_on_few(int steps, double dropped, std::uint64_t seed) {
    Rng rng(seed);
    const Points training = measurements(200, rng), validation = measurements(2000, rng),
                 test = measurements(2000, rng);
    const Network network(128, rng, measured);
    Course course;
    const auto watch = [&](int n, const Network& now) {
        if (n % (n <= 100 ? 5 : 20) != 0 && n != steps) return;
        course.step.push_back(n);
        course.training_loss.push_back(loss_on(training, now));
        course.validation_loss.push_back(loss_on(validation, now));
        course.test_loss.push_back(loss_on(test, now));
        course.training.push_back(accuracy_on(training, now));
        course.test.push_back(accuracy_on(test, now));
    };
    fit<Network>(network, Optimisation{Rule::adam, 0.01}, training,
                 {.steps = steps, .dropped = dropped}, rng, watch, {course});
    return course;
}

void overfit(Lesson& lesson, int steps) {
    lesson.heading("Overfitting, and dropout");
    const Prediction guess = lesson.predict(
        "A network is right on all of its 200 training examples. What is its accuracy on new "
        "examples? (Nobody can be right on more than about 0.9 of them.)",
        within(0.03));
    const Overfitting found = show_overfitting(lesson, [=](double dropped, std::uint64_t seed) {
        return train_on_few(steps, dropped, seed);
    });
    lesson.reveal(guess, found.test[0]);
    lesson.claim("overfit-gap", "finding: training accuracy minus test accuracy, at the end",
                 found.training - found.test[0], at_least(0.12));
    lesson.claim("overfit-loss",
                 "finding: test loss at the end over that at the smallest validation loss",
                 found.loss[0] / found.loss[1], at_least(1.5));
    lesson.claim("dropout-loss",
                 "finding: test loss at the smallest validation loss: with dropout over without",
                 found.loss[3] / found.loss[1], between(0.9, 1.1));
}

//! {if all overfit-loss > 1.7} Stopping early helps, and it costs nothing but a validation set:
//! without it the test loss becomes {overfit-loss:1} times as large. Dropout changes little if one
//! stops early. Its test loss is then {dropout-loss:range 2} of that without, and below 1 for
//! {count dropout-loss < 1} seeds. So dropout has not helped here. Nor does it stop the loss from
//! rising. Srivastava et al. report that it helps large networks that read pictures and speech.
//! Ours is small.
//!
//! ## Initial weights
//!
//! {no results} With which weights should training begin? All zero seems the most neutral choice.
//! But then every sum is 0 and every activation is $\tanh 0 = 0$. By the chain rule, the gradient
//! of the output weights $w$ is multiplied by the activations, which are 0. The gradient of $W$ is
//! multiplied by the output weights, which are 0. So no weight ever changes.
//!
//! {no results} Then let all weights be 0.5. Now all units compute the same activation, receive the
//! same gradient and take the same step, and they are equal again after it. The network has 64
//! units and works as if it had one. So the units have to be different from the beginning. The
//! simplest way is chance: the initial weights are random numbers (Rumelhart, Hinton and Williams
//! 1986; their choice is called the *initialisation*).
//!
//! {no results} How different must they be? Two units that differ by a millionth have gradients
//! that differ by about a millionth. The difference grows, but it has a long way to go before the
//! two units do different things. Below, the initial weights of $W$ are 0.5 plus random noise of a
//! given standard deviation, and everything else is equal.
void compare_initial_weights(Lesson& lesson, int steps) {
    lesson.heading("Initial weights");
    const Prediction guess = lesson.predict(
        "The initial weights of 64 units differ by only a millionth. In what share of the runs, "
        "from 0 to 1, does training still reach an accuracy of 0.95?",
        within(0.2));
    double difference = 0;  // between units, after the last run
    const auto found = show_initial_weights(
        lesson, {1., 0.1, 0.01, 1e-6, 0.}, [&](double noise, std::uint64_t seed) {
            Rng rng(seed);
            const Network network = nearly_equal_units<Network>(width, noise, rng);
            const auto run = train(network, Optimisation{Rule::adam, 0.03}, {.steps = steps}, rng);
            difference = between_units(network.hidden.weight);
            return run.accuracy;
        });
    lesson.reveal(guess, found.successes[3] / found.runs);
    Rng rng(lesson.seed());
    Network zero(width, rng);
    replace_parameters(zero, [](const Tensor& x) { return zeros_like(x); });
    train(zero, Optimisation{Rule::adam, 0.03}, {.steps = steps}, rng);
    lesson.claim("tiny-noise-accuracy", "finding: mean accuracy with noise of one millionth",
                 found.accuracy[3], less_than(found.accuracy[0]));
    lesson.claim("equal-units-accuracy", "finding: mean accuracy with equal units",
                 found.accuracy[4], at_most(0.75));
    lesson.claim("equal-units-apart", "identity: equal units: largest difference after training",
                 difference, equals(0));
    lesson.claim("zero-weights", "identity: all weights zero: largest hidden weight after training",
                 max(abs(zero.hidden.weight)).item(), equals(0));
}

}  // namespace

}  // namespace heed::lesson04

//! ## What this does not show
//!
//! Two coordinates and 400 points are a toy. That Adam works at many learning rates here does not
//! make it the best optimiser for every problem; for pictures, SGD with momentum is often as good
//! or better. Nothing in this lesson says why a network does well on new points at all, although it
//! has enough parameters to learn the old ones by heart; that is still a matter of research. And in
//! deep networks, with many layers, the size of the initial weights matters much more than here.
//!
//! Sources: Lang and Witbrock, "Learning to Tell Two Spirals Apart" (1988); Polyak (1964),
//! momentum; Rumelhart, Hinton and Williams, "Learning Representations by Back-propagating Errors"
//! (1986), where small random weights break the symmetry; Srivastava et al., "Dropout" (2014);
//! Kingma and Ba, "Adam" (2015), algorithm 1.
//!
//! ## Summary
//!
//! 1. A hidden layer bends many weighted sums. It can separate what no straight line can.
//! 2. Learning means making the loss small: repeated small steps against the gradient. Steps that
//!    are too large make the loss grow.
//! 3. Momentum adds up the gradients of past steps, and Adam gives all parameters steps of similar
//!    size. A comparison of optimisers is fair only if each may choose its learning rate.
//! 4. The training set changes the parameters, the validation set makes all other choices, and the
//!    test set is used once. A falling training loss with a rising validation loss is overfitting.
//!    To stop early helped here, and dropout did not.
//! 5. Equal units stay equal for ever, so initial weights must be random.
//!
//! ## Try this next
//!
//! 1. `--steps 10000`: does gradient descent catch up, and at which rate?
//! 2. `constexpr int width = 8`: how few units are enough? What does a picture with 3 units look
//!    like?
//! 3. In `Network`, replace both `tanh` by nothing, so that the hidden layer has no activation
//!    function. What can the network do now?
//! 4. In `train_on_few`, use 2,000 training examples. What becomes of overfitting, and what does
//!    dropout do then? And on the spirals, with `.dropped = 0.5` in `watch_it_learn`?
//! 5. In `nearly_equal_units` (`experiment.h`), write `normal({1, width}, 0, 0.1, rng)` instead of
//!    `full`: is that enough to make equal units different?
using namespace heed;
using namespace heed::lesson04;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 4,
         .name = "learning",
         .title = "How a network finds its weights",
         .question =
             "How does a network find its weights, and does it matter with which it starts?",
         .own_data = "two spirals, and examples of twenty measurements"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 600)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 600 : 3000;
        draw_the_line(lesson, steps);
        one_point(lesson);
        too_large_a_step(lesson);
        three_paths(lesson);
        watch_it_learn(lesson, steps);
        compare_optimisers(lesson, steps);
        compare_batches(lesson, std::max(steps / 30, 1));
        overfit(lesson, std::min(steps, 400));
        compare_initial_weights(lesson, steps);
    });
}
