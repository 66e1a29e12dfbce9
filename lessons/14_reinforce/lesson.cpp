//! # How do you differentiate a choice?
//!
//! {no results} Two cameras watch the same bus stop. A network has to read the number of the bus,
//! and it has time to load only one of the two pictures. With the picture of camera A its loss is
//! 2, with that of camera B it is 6. The network does not know this. It has one parameter, $x$, the
//! score of camera A; the score of camera B is always 0. At present $x = \ln 4 = 1.386$, so softmax
//! gives A the probability $4 / (4 + 1) = 0.8$ and B 0.2. The network draws a camera.
//!
//! All attention so far was *soft attention*: it reads all positions and takes their weighted mean.
//! Our network uses *hard attention*: it takes the weights as probabilities, draws one position,
//! and reads this one only. Of a hundred cameras it still loads one picture.
//!
//! Camera A is better, so training should make $x$ larger. But between $x$ and the loss there is a
//! random draw. What is the derivative of a draw?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/14_reinforce/experiment.h"
#include "lessons/14_reinforce/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/two_cameras.h"

namespace heed::lesson14 {

using namespace course;
using namespace three_looks;
using namespace two_cameras;

namespace {

//! ## Differentiate what happened
//!
//! {no results}
//!
//! A computer makes such a draw with a random number $u$ between 0 and 1: it takes A if $u < 0.8$,
//! and B otherwise. One result of a draw is called a *sample*.
double probability_of_a(double x) { return 1 / (1 + std::exp(-x)); }  // softmax of x and 0
double sampled_loss(double x, double u) { return u < probability_of_a(x) ? 2 : 6; }

//! The simplest idea is to differentiate the loss of this sample. Suppose that $u = 0.35$, so A is
//! drawn, and the loss is 2. Now make $x$ larger by 0.001. The probability of A grows from 0.8 to
//! 0.80016, A is drawn again, and the loss stays 2. The derivative is 0.
//!
//! Only a $u$ between 0.8 and 0.80016 gives another result. Then the loss falls by 4, which is a
//! slope of -4,000. This happens once in 6,250 draws. A program that differentiates reports 0 even
//! then, and would never change $x$.
void differentiate_what_happened(Lesson& lesson, double x) {
    lesson.heading("Differentiate what happened");
    show_changes(lesson, x, sampled_loss);
    show_steps(lesson, sampled_loss);
    lesson.show("choice", choice_diagrams(),
                "In soft attention every step has a derivative. In hard attention the draw has the "
                "derivative 0. The third diagram is explained two sections below.");
}

//! ## The expectation is smooth
//!
//! {no results}
//!
//! But when $x$ grows, A is drawn a little more often, and the mean loss of many draws falls a
//! little: the steps of the picture add up to a smooth hill, and a hill has a slope. The
//! *expectation* of a random number is the mean of its possible values, each weighted by its
//! probability; the mean of many samples comes close to it. For the loss of a choice $a$, with the
//! probability $p(a)$ and the loss $L(a)$, it is
//!
//! $$ E[L] = \sum_a p(a) \, L(a) . $$
//!
//! By hand: $0.8 \cdot 2 + 0.2 \cdot 6 = 2.8$. If $p$ is the probability of A, then
//! $E[L] = 2 p + 6 (1 - p) = 6 - 4 p$. The derivative of $p$ with respect to $x$ is $p (1 - p)$
//! (lesson {scores}), here 0.16. So the derivative of the expectation is $-4 \cdot 0.16 = -0.64$.
//! It is negative, so gradient descent makes $x$ larger, as it should.
//!
//! So we want **not the derivative of one loss, but the derivative of the expected loss**. But the
//! formula needs the losses of all choices, so both pictures.
double expected_loss(double x) {
    const double p = probability_of_a(x);
    return p * 2 + (1 - p) * 6;
}

//! ## The score-function estimator
//!
//! {no results}
//!
//! An *estimator* is a rule that computes an approximate value from samples. We look for one of the
//! gradient $\nabla$ with respect to all parameters; here there is only $x$. The gradient of the
//! sum is
//!
//! $$ \nabla E[L] = \sum_a L(a) \, \nabla p(a) . $$
//!
//! An expectation has the factor $p(a)$ in each term. So we multiply and divide by it. By the chain
//! rule, $\nabla p / p$ is $\nabla \ln p$:
//!
//! $$ \nabla E[L] = \sum_a p(a) \, L(a) \, \frac{\nabla p(a)}{p(a)}
//!    = E\big[ L \, \nabla \ln p \big] . $$
//!
//! Samples can estimate an expectation: **draw a choice, look at its loss, and multiply the loss by
//! the gradient of the log-probability of this choice.** This rule is the *score-function
//! estimator*, because statistics calls $\nabla \ln p$ the score. (It is no score of attention.) It
//! is also called *REINFORCE* (Williams 1992), from reinforcement learning. There, the rule that
//! chooses the actions is the *policy*, and what it is to make large, here the negative loss, the
//! *reward*.
//!
//! **By hand.** The derivative of $\ln p$ is $1 - p = 0.2$ for camera A and $-p = -0.8$ for camera
//! B. So the estimate is $2 \cdot 0.2 = 0.4$ if A is drawn, and $6 \cdot (-0.8) = -4.8$ if B is
//! drawn. Their expectation is $0.8 \cdot 0.4 + 0.2 \cdot (-4.8) = -0.64$, exactly the derivative.
//!
//! The estimator needs only the value of the loss. So it works for any loss that can be measured,
//! such as "the answer was wrong".
double estimate(double x, double u, double baseline) {  // without a baseline: baseline = 0
    const double p = probability_of_a(x);
    const double gradient_of_ln_p = u < p ? 1 - p : -p;
    return (sampled_loss(x, u) - baseline) * gradient_of_ln_p;
}

//! To call `backward` as usual, we write down a number whose gradient is the estimate: $L \ln p$,
//! with the loss detached. To *detach* a tensor means to keep its values and to forget how they
//! were computed: the backward pass (lesson {autograd}) treats it as a constant. If the loss itself
//! depends on parameters, such as those of a classifier, its ordinary gradient is added:
//!
//! $$ \nabla E[L] = E\big[ \nabla L + L \, \nabla \ln p \big] . $$
//!
//! When several choices are made one after another, $\ln p$ is the sum of their log-probabilities.
Tensor reinforce_by_hand(const Path& path) {      // of N samples, with 3 choices each
    const Tensor log_p = sum(path.log_prob, -1);  // [N, 3] -> [N]
    return mean(path.loss) + mean(detach(path.loss) * log_p);
}

void check_by_hand(Lesson& lesson, double x) {
    lesson.heading("The score-function estimator");
    const double h = 1e-5;
    const double exact = (expected_loss(x + h) - expected_loss(x - h)) / (2 * h);
    lesson.say("Derivative of the expected loss: {:.4f}. Expectation of the estimate: {:.4f}.",
               exact, spread(estimate, x, 0).mean);
    lesson.claim("unbiased",
                 "identity: two cameras: expectation of the estimate, minus the derivative",
                 std::abs(spread(estimate, x, 0).mean - exact), at_most(1e-8));
    Rng rng(lesson.seed());
    const Tensor all = repeated(1000);
    const Path path = draw(all, rng);
    const Tensor mine = grad(reinforce_by_hand(path), {all})[0];
    const Tensor library = grad(reinforce(path.loss, path.log_prob), {all})[0];
    lesson.claim("library",
                 "identity: the code above against the library's `reinforce`, largest difference",
                 max(abs(mine - library)).item(), at_most(1e-12));
}

//! ## Right on average, wrong most of the time
//!
//! {no results}
//!
//! The *bias* of an estimator is its expectation minus the value it should have. With the bias 0 it
//! is called *unbiased*. REINFORCE is unbiased. But look at the two estimates again. The derivative
//! is -0.64. Four draws of five are A, and the estimate +0.4 has the wrong sign. The network looked
//! at the better camera and learns to look there less often. The fifth draw, -4.8, corrects this
//! with a step that is far too large.
//!
//! The *variance of an estimator* is the expectation of the squared distance from its mean. Here it
//! is $0.8 \cdot (0.4 + 0.64)^2 + 0.2 \cdot (-4.8 + 0.64)^2 = 4.33$. Its root, the standard
//! deviation, is 2.08, more than three times the derivative.
//!
//! The mean of $n$ independent estimates has a smaller standard deviation, $2.08 / \sqrt n$. The
//! standard deviation of a mean is called its *standard error*. To get it down to a tenth of the
//! derivative, we need $(2.08 / 0.064)^2 = 1056$ samples for a single step. Can we have the same
//! mean with less variance?
//!
//! ## Baselines
//!
//! {no results}
//!
//! Why the wrong sign? The loss of A is a positive number, so the estimator makes A less probable.
//! It does not know that the other camera is worse. So let us subtract a number $b$ from every
//! loss:
//!
//! $$ (L - b) \, \nabla \ln p . $$
//!
//! A *baseline* is a number that is subtracted from the loss to make the variance of the estimate
//! smaller. It leaves the mean as it is, because all probabilities sum to 1, and the gradient of 1
//! is 0:
//!
//! $$ E[b \, \nabla \ln p] = b \sum_a p(a) \, \frac{\nabla p(a)}{p(a)} = b \, \nabla \sum_a p(a)
//!    = b \, \nabla 1 = 0 . $$
//!
//! **By hand:** $b \cdot (0.8 \cdot 0.2 - 0.2 \cdot 0.8) = 0$. But $b$ was taken out of the sum.
//! This is right only if $b$ **does not depend on the choice** $a$.
//!
//! A natural baseline is the mean loss, 2.8. With it, the estimates are
//! $(2 - 2.8) \cdot 0.2 = -0.16$ and $(6 - 2.8) \cdot (-0.8) = -2.56$. Now both have the right
//! sign. The variance is 0.92 instead of 4.33. There is an even better number, with which it is 0:
//! workshop {variance} derives the best constants.
//!
//! ![Every line is one estimate of the gradient from a few sampled actions. Add a number to all three losses: the exact gradient stays, the estimates scatter more. Which is cheaper against it, a baseline or more samples?](live:reinforce)
void subtract_the_mean(Lesson& lesson, double x) {
    lesson.heading("Baselines");
    const std::vector<double> v = show_outcomes(lesson, estimate, x, {0, expected_loss(x)});
    lesson.claim("variances-by-hand",
                 "identity: two cameras: the variances against 4.3264 and 0.9216, worked by hand",
                 std::max(std::abs(v[0] - 4.3264), std::abs(v[1] - 0.9216)), at_most(1e-9));
    show_scatter(lesson, estimate, x, expected_loss(x));
}

//! ## Three looks at six positions
//!
//! To compare estimators we need a larger problem, whose gradient can still be summed exactly.
//! Three times, the network chooses one of six positions. Each position shows two numbers, which
//! are different at each step. Over the steps, the first numbers are added, and so are the second
//! ones, and $\tanh$ is applied to both sums. The loss is the sum of their squared distances to one
//! number, the target. There are 20 parameters: six scores for each step, one that says how much a
//! choice changes the scores of the next step, and the target.
//!
//! A *path* is a series of choices, here three in a row. There are $6 \cdot 6 \cdot 6 = 216$ paths
//! $s$, and the exact gradient is that of $\sum_s p(s) L(s)$. With thirty choices there would be
//! about $2 \cdot 10^{23}$ of them, and only samples are left. The variance, now a sum over all
//! parameters, can be summed over the paths as well.
//!
//! ## Six baselines
//!
//! Three are known by now: none, the mean loss, and the best constants, one for each step. In real
//! problems nobody knows the last two, so others are used:
//!
//! * **Moving average.** The mean loss of earlier batches, where older ones count less.
//! * **Learned.** A small linear model predicts the loss from the step and the choices made before
//!   it. It must not use the choice $a_t$ itself, nor a later one, which depends on it.
//! * **Leave-one-out.** The *leave-one-out* baseline of a sample is the mean loss of the other
//!   samples of the same problem, here of three others.
//!
//! {no results} Which will have the smallest variance? For the two cameras, the mean loss reduced
//! it by a factor of 4.7. More or less here?
void compare_baselines(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("Six baselines");
    const Prediction guess = lesson.predict(
        "By what factor does the mean loss as a baseline reduce the variance, for the 216 paths?",
        within_factor(1.5).from(0));
    const double mean_loss = exact.mean_loss();
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);  // [216, 3]
    const Tensor best = optimal_baseline(exact.loss, products, exact.probability);
    TrainedBaselines trained(exact, rng);
    const BaselineResult result =
        show_baselines(lesson,
                       {{"none", with_baseline(0), exact.variance(0)},
                        {"mean loss", with_baseline(mean_loss), exact.variance(mean_loss)},
                        {"moving average", trained.moving},
                        {"learned", trained.learning},
                        {"leave-one-out, 4 samples", with_leave_one_out(4), 0, 4},
                        {"best constants", with_baseline(best), exact.variance(best)}},
                       exact, rng, batches, trained.changing);
    lesson.reveal(guess, exact.variance(0) / exact.variance(mean_loss));
    lesson.claim("all-unbiased",
                 "identity: all six: largest distance from the exact gradient, in standard errors",
                 result.standard_errors, at_most(4));
    lesson.claim("variance-exact",
                 "identity: measured variance against the exact one, largest relative difference",
                 result.gap, at_most(lesson.quick() ? 0.06 : 0.03));
    lesson.claim("baseline-gain",
                 "finding: variance without a baseline over that with the mean loss",
                 result.variance[0] / result.variance[1], between(4.5, 5.6));
    lesson.claim("learned-variance",
                 "finding: variance of the learned baseline over that of the best constants",
                 result.variance[3] / result.variance[5], less_than(1));
}

//! All six have the same mean, the exact gradient, within a few standard errors. The mean loss
//! makes the variance {baseline-gain:1} times smaller. {if all learned-variance < 1} The learned
//! baseline beats the best constants, with all seeds: its variance is {learned-variance:%} of
//! theirs. How can anything beat the best? It is not a constant. After a bad first choice it
//! expects a large loss. Leave-one-out does worse than the mean loss, because the mean of three
//! losses is itself a noisy number.
//!
//! ## Biased estimators
//!
//! {no results}
//!
//! If the loss can be computed for a mixture of positions, too, we can keep the chain rule and
//! accept a mean that is not quite right. Let $w$ be the weight of camera A in a mixture of both
//! pictures, and $f(w) = 6 - 4 w^2$ the loss. For the pure pictures it is 2 and 6, so the exact
//! derivative is still -0.64.
//!
//! **Straight-through.** The *straight-through* estimator draws a sample in the forward pass,
//! computes the slope of the loss at this sample, and multiplies it by the derivative of the
//! softmax, as if there had been no draw between the two. Here the slope of $f$ is $-8 w$. If A is
//! drawn, $w = 1$ and the estimate is $-8 \cdot 0.16 = -1.28$. If B is drawn, it is 0. The mean is
//! $0.8 \cdot (-1.28) = -1.024$, so the bias is $-1.024 + 0.64 = -0.384$. Why? The exact derivative
//! contains the difference $f(1) - f(0)$, and the estimator uses the slope at one end instead.
//!
//! **Gumbel-softmax.** Add to each score a random number $-\ln(-\ln u)$, with $u$ uniform between 0
//! and 1. The position with the largest sum is then a sample: each one wins with exactly the
//! probability that softmax gives it (Gumbel 1954). *Gumbel-softmax* replaces "the largest" by a
//! softmax of these sums, divided by a temperature. The result is a mixture, and it can be
//! differentiated. At a low temperature the mixture is almost a single position, and the bias is
//! small. But then the softmax is almost a step, and the variance is large.
void compare_biased(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("Biased estimators");
    show_gumbel_samples(lesson);
    const std::vector<Measured> all =
        show_biases(lesson,
                    {{"REINFORCE, mean loss", with_baseline(exact.mean_loss())},
                     {"straight-through", straight_through()},
                     {"Gumbel-softmax, temperature 1", gumbel(1)},
                     {"Gumbel-softmax, temperature 0.2", gumbel(0.2)}},
                    exact, rng, batches);
    const Measured &through = all[1], &high = all[2], &low = all[3];
    lesson.claim(
        "smooth-bias",
        "finding: straight-through and Gumbel-softmax at 1: smaller distance from the exact gradient, in "
        "standard errors",
        std::min(through.standard_errors, high.standard_errors),
        at_least(lesson.quick() ? 50 : 150));
    lesson.claim("gumbel-bias", "finding: Gumbel-softmax: bias at temperature 0.2 over that at 1",
                 low.bias / high.bias, less_than(lesson.quick() ? 0.5 : 0.35));
    lesson.claim("gumbel-variance", "finding: Gumbel-softmax: variance at 0.2 over that at 1",
                 low.variance / high.variance, more_than(lesson.quick() ? 4 : 7));
}

//! {if all gumbel-bias < 0.3 and gumbel-variance > 7} For the 216 paths, lowering the temperature
//! from 1 to one fifth leaves {gumbel-bias:%} of the bias and makes the variance
//! {gumbel-variance:1} times as large.
//!
//! ## Three mistakes
//!
//! A program with one of these mistakes runs without a message, and often learns something. But its
//! mean is not the gradient.
//!
//! * The loss is not detached. Then `backward` also differentiates the factor $L$ in $L \ln p$ and
//!   adds $\ln p \, \nabla L$.
//! * One of three log-probabilities is forgotten. Then one choice gets no gradient at all.
//! * The baseline contains the sample's own loss: two samples share the mean of their two losses.
//!   Then $L_1 - (L_1 + L_2) / 2 = (L_1 - L_2) / 2$, only half of what it should be. Leave-one-out
//!   subtracts $L_2$ alone.
Tensor nothing_detached(const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    return mean(path.loss) + mean(path.loss * sum(path.log_prob, -1));
}
Tensor last_choice_forgotten(const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    return reinforce(path.loss, slice(path.log_prob, 1, 0, steps - 1));
}
Tensor baseline_knows_the_choice(const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    const Tensor two = mean(reshape(detach(path.loss), {2, -1}), 0);  // of samples i and i + N / 2
    return reinforce(path.loss, path.log_prob, concat({two, two}, 0));
}

void compare_mistakes(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("Three mistakes");
    const std::vector<Measured> all =
        show_biases(lesson,
                    {{"loss not detached", nothing_detached},
                     {"one log-probability forgotten", last_choice_forgotten},
                     {"baseline contains the own loss", baseline_knows_the_choice}},
                    exact, rng, batches);
    double least = INFINITY;
    for (const Measured& m : all) least = std::min(least, m.standard_errors);
    lesson.claim(
        "mistakes-seen",
        "finding: the three mistakes: smallest distance from the exact gradient, in standard errors",
        least, at_least(lesson.quick() ? 40 : 100));
}

//! This is how to test an estimator: sum the exact gradient of a small problem, average many
//! estimates, and divide the distance by the standard error. Above 5 it is hardly ever chance.
//! {if all mistakes-seen > 100} All three mistakes are more than a hundred standard errors away.
//!
//! ## How many samples?
//!
//! {no results}
//!
//! Is a biased estimate always worse? For the mean of $n$ estimates, the expected squared distance
//! from the exact gradient has two parts:
//!
//! $$ \text{bias}^2 + \frac{\text{variance}}{n} . $$
//!
//! More samples make the second part smaller, but not the first. Take the two cameras with
//! $f(w) = 6 - 4 w^2$:
//!
//! | | squared bias | variance | 1 sample | 10 samples |
//! | --- | --- | --- | --- | --- |
//! | straight-through | $0.384^2 = 0.147$ | $0.8 \cdot 0.2 \cdot 1.28^2 = 0.262$ | 0.41 | 0.173 |
//! | REINFORCE, mean loss | 0 | 0.92 | 0.92 | 0.092 |
//!
//! From one sample the biased estimate is nearer to the gradient, from ten it is further away. Is
//! it the same with the 216 paths?
void compare_averages(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("How many samples?");
    const Prediction guess = lesson.predict(
        "From the largest number of samples, how many times as far from the gradient is the mean of "
        "straight-through as that of REINFORCE with the mean loss?",
        within_factor(2).from(0));
    const std::vector<Averaged> all = show_averages(lesson, exact, rng, batches);
    const std::vector<double>&unbiased = all[1].distance, &biased = all[2].distance;
    lesson.reveal(guess, biased.back() / unbiased.back());
    lesson.claim(
        "few-samples",
        "finding: 125 samples: distance of straight-through over that of REINFORCE with the mean loss",
        biased.front() / unbiased.front(), less_than(1));
    lesson.claim(
        "many-samples",
        fmt::format("finding: the same ratio with {} samples", number(all[1].samples.back())),
        biased.back() / unbiased.back(), more_than(lesson.quick() ? 1.5 : 3));
}

//! {if all few-samples < 1 and many-samples > 3} It is the same. From a few samples,
//! straight-through is nearer to the gradient; from many, it is {many-samples:0} times as far away.

}  // namespace

}  // namespace heed::lesson14

//! ## What this does not show
//!
//! No network was trained here. An estimator with a smaller variance does not always learn faster;
//! lessons {show_attend} and {glimpses} train networks with these estimators. On another problem
//! the baselines may come in another order.
//!
//! Sources: Williams (1992), REINFORCE; Mnih and Rezende (2016) and Kool, van Hoof and Welling
//! (2019), leave-one-out; Bengio, Léonard and Courville (2013), straight-through; Gumbel (1954);
//! Jang, Gu and Poole (2017) and Maddison, Mnih and Teh (2017), Gumbel-softmax; Xu et al. (2015),
//! section 4.1, hard attention.
//!
//! ## Summary
//!
//! 1. Hard attention reads one position, drawn at random. The loss of a sample has the derivative
//!    0, but the expected loss is smooth.
//! 2. REINFORCE multiplies the loss by the gradient of the log-probability of the choice. Its mean
//!    is exactly the gradient of the expected loss.
//! 3. A baseline that does not depend on the choice reduces the variance and leaves the mean alone.
//! 4. Straight-through and Gumbel-softmax are biased. From few samples they can still be closer to
//!    the gradient.
//! 5. A comparison with an exact sum finds mistakes that no error message tells.
//!
//! ## Try this next
//!
//! 1. Give `with_leave_one_out` (and the 4 behind it) 2 samples, or 20. How does the variance
//!    change, and which variance does it approach?
//! 2. Add a row with ten times the mean loss as a baseline. How many batches (`--batches`) do you
//!    need until its mean is within a tenth of the gradient?
using namespace heed;
using namespace heed::lesson14;

int main(int argc, char** argv) {
    Lesson lesson({.number = 14,
                   .name = "reinforce",
                   .title = "How do you differentiate a choice?",
                   .question = "Can a network learn where to look, when the position is drawn at "
                               "random?",
                   .own_data = "two cameras, and a small problem of 216 paths"});
    int batches = 0;
    lesson.option("--batches", batches,
                  "batches of 2000 samples for each estimator (200; quick 25)");
    return lesson.run(argc, argv, [&] {
        if (batches == 0) batches = lesson.quick() ? 25 : 200;

        const double x = std::log(4.0);
        differentiate_what_happened(lesson, x);
        check_by_hand(lesson, x);
        subtract_the_mean(lesson, x);

        const Exact exact = sum_over_all_paths();
        Rng rng(lesson.seed());
        compare_baselines(lesson, exact, rng, batches);
        compare_biased(lesson, exact, rng, batches);
        compare_mistakes(lesson, exact, rng, batches);
        compare_averages(lesson, exact, rng, batches);
    });
}
