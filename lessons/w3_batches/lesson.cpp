//! # Batches, dropout, and the first weights
//!
//! The training loop of lesson {learning} is a few lines long. Take it to a real problem, and it
//! asks three questions at once. There are 10,000 examples: should a step use all of them? There
//! are only 200: what keeps the network from learning them by heart? And the first weights are
//! random: how random must they be?
//!
//! Each question has a usual answer, which most programs contain and few explain: minibatches of 32
//! or 64, dropout of a half, initial weights from a formula. This is a workshop. Read it after
//! lesson {learning}, or when one of these settings stands in a later lesson and you want to know
//! what it does.

#include <algorithm>
#include <numeric>

#include "lessons/course/course.h"
#include "lessons/material/corpora/spirals.h"
#include "lessons/material/training/next_checkpoint.h"
#include "lessons/w3_batches/data.h"
#include "lessons/w3_batches/experiment.h"
#include "nn/nn.h"

namespace heed::workshop3 {

using namespace course;

namespace {

//! The network is that of lesson {learning}, a hidden layer of $\tanh$ units and one output, and
//! the optimiser is the library's Adam. Most of this workshop happens on its two spirals. One
//! function of the network, `with_dropout`, is explained further below.
struct Network {
    Linear hidden, output;

    Network(int inputs, int width, Rng& rng) : hidden(inputs, width, rng), output(width, 1, rng) {}
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const {  // [B, inputs] -> z [B]
        return reshape(output(tanh(hidden(x))), {-1});
    }
    Tensor with_dropout(const Tensor& x, double dropped, Rng& rng) const {
        const Tensor h = tanh(hidden(x)), kept = bernoulli(h.shape(), 1 - dropped, rng);
        return reshape(output(h * kept / (1 - dropped)), {-1});
    }
};

//! ## Minibatches
//!
//! With a million points, a single step that uses them all would take very long. But the mean of a
//! million gradients can be estimated from a few of them, just as an opinion poll asks a thousand
//! people and not all. That is the idea of a minibatch (lesson {learning}).
//!
//! Which points does a step get? One might draw them at random each time. Then in an epoch some
//! points would be used twice and others, by chance, not at all. It is better to deal the points
//! like cards: shuffle all of them, take the next few at each step, and shuffle again when the pack
//! is used up. So each epoch uses each point once.
class Batches {
  public:
    Batches(const Points& points, int size, Rng rng)  // size 0: always all points
        : points_(points), size_(size), rng_(rng), order_(points.t.numel()) {
        std::iota(order_.begin(), order_.end(), 0);
        at_ = order_.size();
    }
    Points next() {
        if (size_ == 0) return points_;
        if (at_ + size_ > order_.size()) {
            rng_.shuffle(order_);
            at_ = 0;
        }
        const Indices ids(std::vector<int>(order_.begin() + at_, order_.begin() + at_ + size_));
        at_ += size_;
        return {points_.x[ids], points_.t[ids]};
    }
    template <class F>
    void visit_state(F&& f) {  // for a checkpoint
        f("at", at_), f("rng", rng_), f("order", order_);
    }

  private:
    Points points_;
    std::size_t size_, at_;
    Rng rng_;
    std::vector<int> order_;
};

//! The loop is the old one, with the next few points in place of all of them.
struct Plan {
    int steps;
    double rate;
    int batch = 0;       // points a step; 0: all of them
    double dropped = 0;  // the share of hidden units that dropout sets to 0
};
using Watch = std::function<void(int n, const Network&)>;

void train(const Network& network, const Plan& plan, const Points& points, Rng rng,
           const Watch& watch = {}, std::vector<SavedState> watched = {}) {
    Adam adam(parameters(network), {.lr = plan.rate});
    Batches batches(points, plan.batch, rng.split());
    watched.insert(watched.end(), {adam, batches, rng});
    Checkpoint checkpoint(next_checkpoint(std::move(watched)));
    for (const std::int64_t n : checkpoint.steps(plan.steps)) {
        const Points few = batches.next();
        const Tensor z =
            plan.dropped > 0 ? network.with_dropout(few.x, plan.dropped, rng) : network(few.x);
        backward(binary_cross_entropy_with_logits(z, few.t));
        adam.step();
        adam.zero_grad();
        if (watch) watch(static_cast<int>(n), network);
    }
}

constexpr int width = 64;

Reached train_on_spirals(const Plan& plan, int count, std::uint64_t seed) {
    Rng rng(seed);
    const Network network(2, width, rng);
    const Sets sets(rng, count);
    train(network, plan, sets.training, rng);
    return {accuracy_on(sets.validation, network), accuracy_on(sets.test, network)};
}

//! A gradient from few points is noisy, so a single step is worse. But there are more steps for the
//! same work: of 10,000 points, minibatches of 100 make 100 steps an epoch instead of one. Which
//! size learns more? Each gets the same number of epochs, and has its learning rate chosen by the
//! validation set. The last column has the other comparison: equally many steps.
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
            return train_on_spirals({steps, rate, size == points ? 0 : size}, points, seed);
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
//! all training examples. On new examples these rules are wrong. This is overfitting (lesson
//! {learning}): the loss on the training examples goes on falling while the loss on new ones rises.
//!
//! {no results} There are two usual remedies. The first is *early stopping*, to keep the parameters
//! of the step at which the loss on the validation set was smallest. The second is *dropout*, a
//! change of the training in which each hidden unit is set to 0 with a given probability, here 0.5,
//! anew for each example and each step (Srivastava et al. 2014). So no unit can rely on another
//! one. The activations $h$ that are kept are divided by the probability of keeping them:
//!
//! $$ h' = \frac{h \, k}{1 - p}, \qquad k = 1 \text{ with probability } 1 - p, \text{ otherwise } 0 . $$
//!
//! {no results} $p$ is the probability of a zero, and $k$ is drawn anew for each unit. **By hand,**
//! with $p = 0.5$ an activation of 0.7 becomes 0 or 1.4, and its mean is
//! $\tfrac12 \cdot 0 + \tfrac12 \cdot 1.4 = 0.7$, as without dropout. That is why after the
//! training all units can be used as they are. The code is `with_dropout` at the top, and exercise
//! {batches.1} is about it.
//!
//! ![One step switches half of the units off. Raise the number of steps, and the mean comes back. What if nothing is divided?](live:dropout_mean)
Course train_on_few(int steps, double dropped, std::uint64_t seed) {
    Rng rng(seed);
    const Points training = measurements(200, rng), validation = measurements(2000, rng),
                 test = measurements(2000, rng);
    const Network network(measured, 128, rng);
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
    train(network, {.steps = steps, .rate = 0.01, .dropped = dropped}, training, rng, watch,
          {course});
    return course;
}

void overfit(Lesson& lesson, int steps) {
    lesson.heading("Overfitting, and dropout");
    const Prediction guess = lesson.predict(
        "A network is right on all of its 200 training examples. What is its accuracy on new "
        "examples? (Nobody can be right on more than about 0.9 of them.)",
        within(0.03).from(0, 1));
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
//! ## How random must the first weights be?
//!
//! Units that begin equal stay equal for ever (lesson {learning}). So the initial weights are
//! random. But how different do they have to be? Two units that differ by a millionth have
//! gradients that differ by about a millionth. The difference grows, but it has a long way to go
//! before the two units do different things. {no results} Below, the initial weights of all units
//! are 0.5 plus random noise of a given standard deviation, and everything else is equal.
Network units_apart(double noise, Rng& rng) {
    Network network(2, width, rng);
    network.hidden.weight.assign(0.5 + noise * normal({width, 2}, 0, 1, rng));
    network.hidden.bias.assign(zeros({width}));
    network.output.weight.assign(full({1, width}, 0.1));
    return network;
}

void compare_initial_weights(Lesson& lesson, int steps) {
    lesson.heading("How random must the first weights be?");
    const Prediction guess = lesson.predict(
        "The initial weights of 64 units differ by only a millionth. In what share of the runs, "
        "from 0 to 1, does training still reach an accuracy of 0.95?",
        within(0.2).from(0, 1));
    const InitialWeights found = show_initial_weights(
        lesson, {1., 0.1, 0.01, 1e-6, 0.}, [&](double noise, std::uint64_t seed) {
            Rng rng(seed);
            const Network network = units_apart(noise, rng);
            const Sets sets(rng);
            train(network, {.steps = steps, .rate = 0.03}, sets.training, rng);
            return accuracy_on(sets.test, network);
        });
    lesson.reveal(guess, found.successes[3] / found.runs);
    lesson.claim("tiny-noise-accuracy", "finding: mean accuracy with noise of one millionth",
                 found.accuracy[3], less_than(found.accuracy[0]));
}

}  // namespace

}  // namespace heed::workshop3

//! {if tiny-noise-accuracy < 0.9} With a millionth the mean accuracy is {tiny-noise-accuracy:%},
//! and it differs much from seed to seed: {tiny-noise-accuracy:range %}. Some runs have pulled
//! their units apart within the given steps, others have not. So even the smallest noise breaks the
//! symmetry, but it costs the steps in which the units drift apart.
//!
//! ## What this does not show
//!
//! All of this is a toy: two coordinates, or twenty measurements, and one hidden layer. Where every
//! processor does many multiplications at once, a minibatch of 64 takes hardly longer than one of
//! 1, and then small batches lose some of their advantage; we have counted points and not seconds.
//! Dropout was tried at one probability and on one data set. And in deep networks, with many
//! layers, the size of the initial weights matters much more than here: if each layer makes its
//! numbers a little larger or smaller, many layers make them huge or tiny. Glorot and Bengio (2010)
//! choose the size so that each layer leaves it about as it is.
//!
//! Sources: Robbins and Monro, "A Stochastic Approximation Method" (1951), the idea of steps along
//! noisy estimates; Srivastava et al., "Dropout" (2014), section 4 and the comparisons of section
//! 6; Rumelhart, Hinton and Williams, "Learning Representations by Back-propagating Errors" (1986),
//! where small random weights break the symmetry; Glorot and Bengio, "Understanding the Difficulty
//! of Training Deep Feedforward Neural Networks" (2010), section 4.2; Lang and Witbrock, "Learning
//! to Tell Two Spirals Apart" (1988).
//!
//! ## Summary
//!
//! 1. A minibatch gives a noisy gradient for a fraction of the work. For the same work it makes
//!    many more steps, and that is its whole advantage.
//! 2. A falling training loss with a rising validation loss is overfitting.
//! 3. Early stopping keeps the parameters with the smallest validation loss. It helped here.
//! 4. Dropout switches units off at random in training, and divides the others so that the mean
//!    stays. It did not help here.
//! 5. Units must begin differently. A tiny difference costs the steps in which it grows.
//!
//! ## Try this next
//!
//! 1. In `train_on_few`, use 2,000 training examples. What becomes of overfitting, and what does
//!    dropout do then?
//! 2. In `units_apart`, write `normal({1, width}, 0, 0.1, rng)` instead of `full`: is that enough
//!    to make equal units different?
using namespace heed;
using namespace heed::workshop3;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 3,
                   .name = "batches",
                   .title = "Batches, dropout, and the first weights",
                   .question =
                       "How many examples does a step need, does it help to switch units off, "
                       "and how random must the first weights be?",
                   .own_data = "two spirals, and examples of twenty measurements"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 600)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 600 : 3000;
        compare_batches(lesson, std::max(steps / 30, 1));
        overfit(lesson, std::min(steps, 400));
        compare_initial_weights(lesson, steps);
    });
}
