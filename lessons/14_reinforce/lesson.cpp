//! # How do you differentiate a choice?
//!
//! {no results} Two cameras watch the same bus stop. A network has to read the number of the bus,
//! and it has time to load only one of the two pictures. With the picture of camera A its loss is
//! 2, with that of camera B it is 6. The network does not know this. It has one parameter, $x$, the
//! score of camera A. The score of camera B is always 0. A softmax turns the two scores into
//! probabilities, and the network draws a camera with these probabilities. At present $x = \ln 4 =
//! 1.386$, so A has the probability $4 / (4 + 1) = 0.8$, and B has 0.2.
//!
//! All attention of the lessons before was *soft attention*: it reads all positions and takes their
//! weighted mean. Our network uses *hard attention*: it takes the weights as probabilities, draws
//! one position, and reads this position only. With a hundred cameras, soft attention would load a
//! hundred pictures, and hard attention still loads one.
//!
//! Camera A is better, so training should make $x$ larger. Gradient descent needs the derivative of
//! the loss with respect to $x$ for this. But between $x$ and the loss there is a random draw. What
//! is the derivative of a draw? And how can the network learn to prefer A when it sees one picture
//! at a time?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/14_reinforce/experiment.h"
#include "lessons/14_reinforce/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson14 {

using namespace course;
using namespace three_looks;

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
//! 0.80016. A is drawn again, and the loss is 2 again. The derivative is 0.
//!
//! Only a $u$ between 0.8 and 0.80016 gives another result: B before the change, and A after it.
//! The loss falls by 4, and 4 divided by 0.001 is a slope of -4,000. This happens once in 6,250
//! draws. So the slope is 0 nearly always, and huge in rare cases. A program that differentiates,
//! such as ours, reports 0 even then. Gradient descent would never change $x$.
void differentiate_what_happened(Lesson& lesson, double x) {
    lesson.heading("Differentiate what happened");
    show_changes(lesson, x, sampled_loss);
    lesson.show("choice", choice_diagrams(),
                "In soft attention every step has a derivative. In hard attention the draw has the "
                "derivative 0. The third diagram is explained two sections below.");
}

//! ## The expectation is smooth
//!
//! {no results}
//!
//! The loss of one sample does not follow a small change of $x$. But A is drawn a little more
//! often, and so the mean loss of many draws becomes a little smaller. The *expectation* of a
//! random number is the mean of its possible values, each weighted by its probability; the mean of
//! many samples comes close to it. For the loss it is
//!
//! $$ E[L] = \sum_a p(a) \, L(a) . $$
//!
//! Here $a$ is the choice, A or B, $p(a)$ its probability and $L(a)$ its loss. By hand: $0.8 \cdot
//! 2 + 0.2 \cdot 6 = 2.8$. If $p$ is the probability of A, then $E[L] = 2 p + 6 (1 - p) = 6 - 4 p$,
//! which is a smooth function of $x$. The derivative of $p$ with respect to $x$ is $p (1 - p)$
//! (lesson {scores}), here 0.16. So the derivative of the expectation is $-4 \cdot 0.16 = -0.64$.
//! It is negative, so gradient descent makes $x$ larger, as it should.
//!
//! We now know what to compute: **not the derivative of one loss, but the derivative of the
//! expected loss**. But the formula needs the losses of all choices, so the network would have to
//! load both pictures. We want the derivative from samples, one picture at a time.
double expected_loss(double x) {
    const double p = probability_of_a(x);
    return p * 2 + (1 - p) * 6;
}

//! ## The score-function estimator
//!
//! {no results}
//!
//! An *estimator* is a rule that computes an approximate value from samples. We look for an
//! estimator of the gradient. The sign $\nabla$ stands for the gradient with respect to all
//! parameters; here there is only $x$. The gradient of the sum is
//!
//! $$ \nabla E[L] = \sum_a L(a) \, \nabla p(a) . $$
//!
//! In an expectation each term has the factor $p(a)$, and here it is missing. So we multiply and
//! divide each term by $p(a)$. By the chain rule, $\nabla p / p$ is $\nabla \ln p$:
//!
//! $$ \nabla E[L] = \sum_a p(a) \, L(a) \, \frac{\nabla p(a)}{p(a)}
//!    = E\big[ L \, \nabla \ln p \big] . $$
//!
//! Now it is an expectation, and samples can estimate it: **draw a choice, look at its loss, and
//! multiply the loss by the gradient of the log-probability of this choice.** This rule is the
//! *score-function estimator*, because statistics calls $\nabla \ln p$ the score. (It has nothing
//! to do with the scores of attention.) The score-function estimator is also called *REINFORCE*
//! (Williams 1992), from the field of reinforcement learning. In that field, the rule by which a
//! program chooses its actions is called the *policy*, and what it wants to make large, here the
//! negative loss, is called the *reward*.
//!
//! **By hand.** The derivative of $\ln p$ is $1 - p = 0.2$ for camera A and $-p = -0.8$ for camera
//! B. So the estimate is $2 \cdot 0.2 = 0.4$ if A is drawn, and $6 \cdot (-0.8) = -4.8$ if B is
//! drawn. Their mean, weighted by the probabilities, is $0.8 \cdot 0.4 + 0.2 \cdot (-4.8) = 0.32 -
//! 0.96 = -0.64$. This is exactly the derivative that we want.
//!
//! The estimator uses the derivative of $\ln p$ and the value of the loss, but no derivative of the
//! loss. So it works for any loss that can be measured, such as "the answer was wrong".
double estimate(double x, double u, double baseline) {  // without a baseline: baseline = 0
    const double p = probability_of_a(x);
    const double gradient_of_ln_p = u < p ? 1 - p : -p;
    return (sampled_loss(x, u) - baseline) * gradient_of_ln_p;
}

//! A network has many parameters, and we want to call `backward` as usual. So we write down a
//! number whose gradient is the estimate, $L \ln p$. Only $\ln p$ is to be differentiated there, so
//! the loss is detached. To *detach* a tensor means to keep its values and to forget how they were
//! computed, so that the backward pass (lesson {autograd}) treats it as a constant. If the loss
//! itself depends on parameters, such as those of a classifier, its ordinary gradient is added:
//!
//! $$ \nabla E[L] = E\big[ \nabla L + L \, \nabla \ln p \big] . $$
//!
//! When several choices are made one after another, $\ln p$ is the sum of their log-probabilities,
//! because the probability of all of them together is the product.
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
//! The *bias* of an estimator is its expectation minus the value it should have. An estimator with
//! the bias 0 is called *unbiased*. REINFORCE is unbiased. But look at the two estimates again. The
//! derivative is -0.64. In four of five draws, A is drawn, and the estimate is +0.4: it has the
//! wrong sign. The network looked at the better camera and learns to look there less often. The
//! fifth draw, -4.8, corrects this with a step that is far too large.
//!
//! The *variance of an estimator* is the expectation of the squared distance from its mean. Here it
//! is $0.8 \cdot (0.4 + 0.64)^2 + 0.2 \cdot (-4.8 + 0.64)^2 = 4.33$. Its root, the standard
//! deviation, is 2.08, more than three times the derivative itself.
//!
//! The mean of $n$ independent estimates has a smaller standard deviation, $2.08 / \sqrt n$. The
//! standard deviation of a mean is called its *standard error*. To get it down to a tenth of the
//! derivative, 0.064, we need $(2.08 / 0.064)^2 = 1056$ samples for a single step. Can we have the
//! same mean with less variance?
//!
//! ## Baselines
//!
//! {no results}
//!
//! Why does the estimate for A have the wrong sign? The loss of A is 2, a positive number, so the
//! estimator makes A less probable. It does not know that the other camera is worse. Only the
//! difference of the two losses tells where to look. So let us subtract a number $b$ from every
//! loss:
//!
//! $$ (L - b) \, \nabla \ln p . $$
//!
//! A *baseline* is a number that is subtracted from the loss to make the variance of the estimate
//! smaller. It leaves the mean as it is, because the probabilities of all choices sum to 1 whatever
//! the parameters are, and the gradient of 1 is 0:
//!
//! $$ E[b \, \nabla \ln p] = b \sum_a p(a) \, \frac{\nabla p(a)}{p(a)} = b \, \nabla \sum_a p(a)
//!    = b \, \nabla 1 = 0 . $$
//!
//! **By hand:** $b \cdot (0.8 \cdot 0.2 - 0.2 \cdot 0.8) = 0$. There is one condition. In the
//! second step, $b$ was taken out of the sum. This is right only if $b$ **does not depend on the
//! choice** $a$.
//!
//! A natural baseline is the mean loss, 2.8. With it, the estimates are
//! $(2 - 2.8) \cdot 0.2 = -0.16$ and $(6 - 2.8) \cdot (-0.8) = -2.56$. Now both have the right
//! sign. The variance is 0.92 instead of 4.33.
//!
//! ![Every line is one estimate of the gradient from a few sampled actions. Add a number to all three losses: the exact gradient stays, the estimates without a baseline scatter more. Choose another baseline, and then more samples. Which of the two is cheaper?](live:reinforce)
Prediction guess_the_best(Lesson& lesson) {
    lesson.heading("Baselines");
    return lesson.predict(
        "The mean loss of the two cameras is 2.8. Which of these baselines gives the smallest "
        "variance?",
        {"2.8", "5.2", "10"});
}

//! ## The best baseline
//!
//! {no results}
//!
//! Is the mean loss the best baseline? Write $g$ for $\nabla \ln p$. The variance is the
//! expectation of $(L - b)^2 g^2$ minus the square of the mean, and the mean does not depend on
//! $b$. So we need the $b$ with the smallest $E[(L - b)^2 g^2]$. Its derivative with respect to $b$
//! is $-2 E[(L - b) g^2]$, and this is 0 for
//!
//! $$ b^* = \frac{E[L \, g^2]}{E[g^2]} . $$
//!
//! This is a mean of the losses with the additional weights $g^2$. **By hand:** $g^2$ is 0.04 for A
//! and 0.64 for B, so
//!
//! $$ b^* = \frac{0.8 \cdot 0.04 \cdot 2 + 0.2 \cdot 0.64 \cdot 6}{0.8 \cdot 0.04 + 0.2 \cdot 0.64}
//!    = \frac{0.832}{0.16} = 5.2 . $$
//!
//! Camera B is drawn rarely, but its step is long, so the best baseline lies nearer to its loss.
//! With it the estimates are $(2 - 5.2) \cdot 0.2 = -0.64$ and $(6 - 5.2) \cdot (-0.8) = -0.64$.
//! Both are equal to the derivative, and the variance is 0: a single sample tells everything. This
//! is too good to be typical: one number $b$ can make two estimates equal, but not more.
void best_of_two(Lesson& lesson, double x, Prediction guess) {
    lesson.heading("The best baseline");
    const std::vector<double> v =
        show_outcomes(lesson, estimate, x, {0, expected_loss(x), 5.2, 10});
    lesson.reveal(guess, "5.2");
    lesson.claim("variances-by-hand",
                 "identity: two cameras: the first three variances against 4.3264, 0.9216 and 0",
                 std::max({std::abs(v[0] - 4.3264), std::abs(v[1] - 0.9216), std::abs(v[2])}),
                 at_most(1e-9));
    show_scatter(lesson, estimate, x, expected_loss(x));
}

//! ## Three looks at six positions
//!
//! Two cameras are too simple to compare estimators. The next problem is larger, but the gradient
//! can still be summed exactly. Three times, the network chooses one of six positions. Each
//! position shows two numbers, which are different at each step. The first numbers of the three
//! steps are added, and so are the second ones, and $\tanh$ is applied to both sums. The loss is
//! the sum of their squared distances to one number, the target.
//!
//! There are 20 parameters: 18 scores (six for each step); one parameter that says how much the
//! previous choice changes the scores of the next step; and the target. All numbers of the problem
//! are fixed; only the samples are random.
//!
//! Three choices in a row are a *path*. There are $6 \cdot 6 \cdot 6 = 216$ paths $s$, and the
//! exact gradient is that of $\sum_s p(s) L(s)$. With thirty choices there would be $6^{30}$ paths,
//! about $2 \cdot 10^{23}$. Then samples are all there is.
//!
//! The estimate is now a vector, and its variance is the sum over all parameters. Each step $t$ may
//! have its own baseline $b_t$. Write $g_t = \nabla \ln p(a_t)$ for the gradient of the choice at
//! step $t$, and $G = \sum_t g_t$ for the sum over the steps. The estimate is $\sum_u (L - b_u) \,
//! g_u$, where $u$ runs over the steps. As before, we want the smallest expectation of its square,
//! which is now its squared length. The derivative with respect to $b_t$ is 0 if
//!
//! $$ E\Big[ g_t \cdot \sum_u (L - b_u) \, g_u \Big] =
//!    E[L \, g_t \cdot G] - \sum_u b_u E[g_t \cdot g_u] = 0 . $$
//!
//! For two different steps, $E[g_t \cdot g_u] = 0$. (Fix the earlier choice. The gradient of the
//! later one still has the mean 0, as every $\nabla \ln p$ has, and so has its product with the
//! fixed one.) So only the term with $u = t$ is left in the last sum, and $E[g_t \cdot g_t] = E[g_t
//! \cdot G]$. The best constants are
//!
//! $$ b_t^* = \frac{E[L \, g_t \cdot G]}{E[g_t \cdot G]} . $$
Tensor best_baseline(const Exact& exact) {
    const Tensor G = sum(exact.score, 1, true);                          // [216, 1, 20]
    const Tensor products = sum(exact.score * G, -1);                    // gₜ · G, [216, 3]
    const Tensor p = unsqueeze(exact.probability, -1);                   // [216, 1]
    const Tensor L = unsqueeze(exact.loss, -1);                          // [216, 1]
    return sum(p * L * products, 0, true) / sum(p * products, 0, true);  // [1, 3]
}

//! ## Six baselines
//!
//! Three baselines are known by now: none, the mean loss, and the best constants. In real problems
//! nobody knows the last two. So three others are used:
//!
//! * **Moving average.** The mean of the losses of earlier batches, where older batches count less.
//! * **Learned.** A small linear model predicts the loss from the step and the choices made before.
//!   It may use the choices before step $t$, because they are fixed when the choice $a_t$ is drawn.
//!   It must not use $a_t$ itself, nor any later choice: the network has seen $a_t$ when it makes
//!   those, so they depend on it.
//! * **Leave-one-out.** The *leave-one-out* baseline of a sample is the mean loss of the other
//!   samples of the same problem, here of three others.
//!
//! {no results} Which of the six will have the smallest variance? For the two cameras, the mean
//! loss reduced it by a factor of 4.7. Will it be more or less here?
void compare_baselines(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("Six baselines");
    const Prediction guess = lesson.predict(
        "By what factor does the mean loss as a baseline reduce the variance, for the 216 paths?",
        within_factor(1.5));
    const double mean_loss = exact.mean_loss();
    const Tensor best = best_baseline(exact);
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);
    lesson.claim("constants-by-hand",
                 "identity: best constants by hand against the library's, largest difference",
                 max(abs(best - optimal_baseline(exact.loss, products, exact.probability))).item(),
                 at_most(1e-12));

    // The moving average and the learned baseline are trained on forty batches first.
    MovingAverage average;
    Rng initial(1);
    LearnedBaseline learned(state_width, initial);
    to_dtype(learned, Dtype::float64);
    Adam adam(heed::parameters(learned), {.lr = 0.05});
    const Estimator moving = with_moving_average(average), learning = with_learned(learned, adam);
    const std::vector<SavedState> changing{average, adam};
    for (const Estimator& estimator : {moving, learning})
        measure(estimator, exact, rng, 40, 1, changing);

    const BaselineResult result =
        show_baselines(lesson,
                       {{"none", with_baseline(0), exact.variance(0)},
                        {"mean loss", with_baseline(mean_loss), exact.variance(mean_loss)},
                        {"moving average", moving},
                        {"learned", learning},
                        {"leave-one-out, 4 samples", with_leave_one_out(4), 0, 4},
                        {"best constants", with_baseline(best), exact.variance(best)}},
                       exact, rng, batches, changing);
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
//! theirs. How can anything beat the best? It is not a constant. It knows the earlier choices, and
//! after a bad first choice it expects a large loss. Leave-one-out does worse than the mean loss,
//! because the mean of three losses is itself a noisy number.
//!
//! ## When the loss contains the same parameter
//!
//! {no results}
//!
//! The formula for $b^*$ has a condition that is easily overlooked. The whole estimate is $\nabla
//! L + (L - b) g$. The derivation has left out $\nabla L$. It may do so if no parameter influences
//! both the probabilities and the loss itself. Ours do not: 19 parameters make the scores, and the
//! 20th, the target, occurs in the loss only.
//!
//! Back to the cameras. Let the loss of A be $2 + (x - \ln 4)$. It is still 2 at present, but its
//! derivative is 1. With $b = 5.2$ the estimates are now $1 - 0.64 = 0.36$ for A and $-0.64$ for B,
//! so the variance is no longer 0 but $0.8 \cdot 0.2 \cdot (0.36 + 0.64)^2 = 0.16$. With $b = 6.2$
//! both are 0.16: $1 + (2 - 6.2) \cdot 0.2$ and $(6 - 6.2) \cdot (-0.8)$. So the best baseline has
//! become 6.2. The general formula has a term for it:
//!
//! $$ b_t^* = \frac{E[g_t \cdot (L \, G + \nabla L)]}{E[g_t \cdot G]} . $$
//!
//! By hand, the additional term is $0.8 \cdot 0.2 \cdot 1 / 0.16 = 1$, and $5.2 + 1 = 6.2$. To see
//! the same with 216 paths, we make the target equal to one of the scores, the third one of the
//! second step.
Tensor best_baseline_if_shared(const Exact& exact) {
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);         // [216, 3]
    const Tensor by_loss = sum(exact.score * unsqueeze(exact.loss_gradient, 1), -1);  // gₜ · ∇L
    const Tensor p = unsqueeze(exact.probability, -1), L = unsqueeze(exact.loss, -1);
    return sum(p * (L * products + by_loss), 0, true) / sum(p * products, 0, true);
}

void share_a_parameter(Lesson& lesson, const Exact& exact) {
    lesson.heading("When the loss contains the same parameter");
    const auto estimate_if_shared = [](double x, double u, double b) {
        return estimate(x, u, b) + (u < probability_of_a(x) ? 1 : 0);
    };
    const double x = std::log(4.0);
    lesson.claim("shared-by-hand",
                 "identity: two cameras, shared parameter: variance with 5.2, worked by hand 0.16",
                 spread(estimate_if_shared, x, 5.2).variance, equals(0.16, 1e-9));
    lesson.claim("shared-other", "identity: two cameras, shared parameter: variance with 6.2",
                 spread(estimate_if_shared, x, 6.2).variance, at_most(1e-12));
    lesson.claim("unshared-formulas",
                 "identity: 216 paths, nothing shared: largest difference of the two formulas",
                 max(abs(best_baseline(exact) - best_baseline_if_shared(exact))).item(),
                 at_most(1e-12));
    const Exact shared = sum_over_all_paths(Target::shared);
    const SharedResult v =
        show_shared(lesson, shared, best_baseline(shared), best_baseline_if_shared(shared));
    lesson.measured(
        "shared-first",
        "216 paths, shared: variance with the first formula over that with the mean loss",
        v.without_term / v.mean_loss);
    lesson.claim(
        "shared-second",
        "identity: 216 paths, shared: variance with the second formula over that with the mean loss",
        v.with_term / v.mean_loss, less_than(1));
}

//! {if shared-first > 1 and shared-second < 1} With the first formula, the variance is even larger
//! than with the simple mean loss; with the second it is smaller. The differences are small, and we
//! chose this score because they can be seen there at all.
//!
//! ## Biased estimators
//!
//! {no results}
//!
//! If the loss can be computed for a mixture of positions, too, we can keep the chain rule and
//! accept a mean that is not quite right. Let $w$ be the weight of camera A in a mixture of both
//! pictures, and let the loss of the mixture be $f(w) = 6 - 4 w^2$. For the pure pictures it is
//! $f(1) = 2$ and $f(0) = 6$, as before. So the exact derivative is still -0.64.
//!
//! **Straight-through.** The *straight-through* estimator draws a sample in the forward pass,
//! computes the slope of the loss at this sample, and multiplies it by the derivative of the
//! softmax, as if there had been no draw between the two. Here the slope of $f$ is $-8 w$, and $w$
//! is 1 or 0, depending on the draw. If A is drawn, the estimate is $-8 \cdot 0.16 = -1.28$. If B
//! is drawn, it is 0. The mean is $0.8 \cdot (-1.28) = -1.024$, so the bias is $-1.024 + 0.64 =
//! -0.384$. Why? The exact derivative contains the difference $f(1) - f(0)$, and the estimator uses
//! the slope at one of the two ends instead. If $f$ is a straight line, both are the same, and the
//! bias is 0.
//!
//! **Gumbel-softmax.** Add to each score a random number $-\ln(-\ln u)$, with $u$ uniform between 0
//! and 1. The position with the largest sum is then a sample: each position wins with exactly the
//! probability that softmax gives it (Gumbel 1954). *Gumbel-softmax* replaces "the largest" by a
//! softmax of these sums, divided by a temperature. The result is a mixture, and it can be
//! differentiated. At a low temperature the mixture is almost a single position, so the bias is
//! small. But then the softmax is almost a step, and the trouble of the first section is back: its
//! slope is 0 nearly always and huge in rare cases, so the variance is large.
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
//! A program with one of the following mistakes runs without an error message, and often learns
//! something. But the mean of its estimates is not the gradient.
//!
//! * The loss is not detached. Then `backward` also differentiates the factor $L$ in $L \ln p$ and
//!   adds $\ln p \, \nabla L$, which does not belong there.
//! * One of three log-probabilities is forgotten. Then one choice gets no gradient at all.
//! * The baseline contains the sample's own loss: two samples share the mean of their two losses.
//!   Then $L_1 - (L_1 + L_2) / 2 = (L_1 - L_2) / 2$, only half of what it should be. Leave-one-out
//!   avoids this mistake: it subtracts $L_2$ alone.
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

//! This is how to test an estimator: take a problem that is so small that the exact gradient can be
//! summed, average many estimates, and divide the distance by the standard error. A value above 5
//! hardly ever happens by chance. {if all mistakes-seen > 100} Here all three mistakes are more
//! than a hundred standard errors away. (Scores that never get an estimate have the standard error
//! 0; the table says "above 10,000".)
//!
//! The biases of the second and the third mistake look small, because most of the gradient is
//! $\nabla L$, which these mistakes do not touch.
//!
//! ## How many samples?
//!
//! {no results}
//!
//! Is a biased estimate always worse? Take the mean of $n$ estimates. The expectation of its
//! squared distance from the exact gradient has two parts:
//!
//! $$ \text{bias}^2 + \frac{\text{variance}}{n} . $$
//!
//! More samples make the second part smaller, but not the first. For straight-through on the
//! cameras with $f(w) = 6 - 4 w^2$, the squared bias is $0.384^2 = 0.147$ and the variance is $0.8
//! \cdot 0.2 \cdot 1.28^2 = 0.262$. REINFORCE with the mean loss has no bias and a variance of
//! 0.92. With one sample, straight-through is closer: $0.147 + 0.262 = 0.41$ against 0.92. With ten
//! it is farther away: $0.147 + 0.026 = 0.173$ against 0.092.
//!
//! {if all few-samples < 1 and many-samples > 3} With the 216 paths it is the same. From a few
//! samples, straight-through is nearer to the gradient than REINFORCE with the mean loss; from
//! many, it is {many-samples:0} times as far away.
void compare_averages(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    lesson.heading("How many samples?");
    const std::vector<Averaged> all = show_averages(lesson, exact, rng, batches);
    const std::vector<double>&unbiased = all[1].distance, &biased = all[2].distance;
    lesson.claim(
        "few-samples",
        "finding: 125 samples: distance of straight-through over that of REINFORCE with the mean loss",
        biased.front() / unbiased.front(), less_than(1));
    lesson.claim(
        "many-samples",
        fmt::format("finding: the same ratio with {} samples", number(all[1].samples.back())),
        biased.back() / unbiased.back(), more_than(lesson.quick() ? 1.5 : 3));
}

}  // namespace

}  // namespace heed::lesson14

//! ## What this does not show
//!
//! No network was trained here. An estimator with a smaller variance does not always learn faster;
//! lessons {show_attend} and {glimpses} train networks with these estimators. On another problem
//! the order of the baselines may be different, and so may the biases. Only this is certain: among
//! constants, the best constants have the smallest variance.
//!
//! Some papers compare estimators on a single choice between two outcomes, for example Tucker et
//! al. (2017). The two cameras show that such a comparison can flatter a baseline, which can reach
//! the variance 0 there.
//!
//! Sources: Williams (1992), REINFORCE and its baselines; Greensmith, Bartlett and Baxter (2004),
//! the best baseline, and why the mean is not the best; Mnih and Rezende (2016) and Kool, van Hoof
//! and Welling (2019), leave-one-out; Bengio, Léonard and Courville (2013), straight-through, for
//! units that are 0 or 1; Gumbel (1954), a sample as a largest sum; Jang, Gu and Poole (2017) and
//! Maddison, Mnih and Teh (2017), Gumbel-softmax; Tucker et al. (2017), REBAR, estimators compared
//! on a choice between two; Xu et al. (2015), section 4.1, hard attention.
//!
//! ## Summary
//!
//! 1. Hard attention draws one position and reads only this one. The loss of a sample has the
//!    derivative 0, but the expected loss is a smooth function of the scores.
//! 2. REINFORCE multiplies the gradient of the log-probability of the choice by the loss. It needs
//!    samples only, and its mean is exactly the gradient of the expected loss.
//! 3. A baseline that does not depend on the choice makes the large variance smaller and leaves the
//!    mean as it is. The mean loss is a good baseline, but not the best one.
//! 4. Straight-through and Gumbel-softmax have another mean than the exact gradient. With few
//!    samples they can still be closer to it than an unbiased estimate with a large variance.
//! 5. Comparing the mean of many estimates with an exact sum finds mistakes that no error message
//!    tells.
//!
//! ## Try this next
//!
//! 1. In `differentiate_what_happened`, call `show_outcomes` with $x = 0$. Which baseline is the
//!    best when both cameras are equally probable? Compute it by hand first.
//! 2. Give `with_leave_one_out` (and the 4 behind it) 2 samples, or 20. How does the variance
//!    change, and which variance does it approach?
//! 3. Add a row with ten times the mean loss as a baseline. It is unbiased, too. How many batches
//!    (`--batches`) do you need until its mean is within a tenth of the gradient?
//! 4. Write a fourth mistake of your own, and see whether the table finds it.
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
        const Prediction best = guess_the_best(lesson);
        best_of_two(lesson, x, best);

        const Exact exact = sum_over_all_paths();
        Rng rng(lesson.seed());
        compare_baselines(lesson, exact, rng, batches);
        share_a_parameter(lesson, exact);
        compare_biased(lesson, exact, rng, batches);
        compare_mistakes(lesson, exact, rng, batches);
        compare_averages(lesson, exact, rng, batches);
    });
}
