//! # The best number to subtract
//!
//! {no results} The two cameras of lesson {reinforce} again. Camera A has the loss 2 and is drawn
//! with the probability 0.8; camera B has the loss 6 and is drawn with 0.2. REINFORCE multiplies
//! the loss of the camera that was drawn by $g$, the derivative of the logarithm of its
//! probability, which is 0.2 for A and -0.8 for B. If we subtract a baseline $b$ from the loss, the
//! mean of the estimates stays what it was, -0.64, and their variance changes. It is 4.33 without a
//! baseline and 0.92 with the mean loss, 2.8.
//!
//! The mean loss was the first number that came to mind. Is there a better one? Before you read on:
//! would you look below it, or above?
//!
//! This is a workshop. Read it after lesson {reinforce}, or when you have to choose a baseline and
//! want to know how far yours is from the best.

#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/material/corpora/three_looks_exact.h"
#include "lessons/material/corpora/two_cameras.h"
#include "lessons/w6_variance/pictures.h"

namespace heed::workshop6 {

using namespace course;
using namespace three_looks;
using namespace two_cameras;

namespace {

//! ## Two lines that meet
//!
//! {no results}
//!
//! There are two estimates, one for each camera: $(2 - b) \cdot 0.2$ for A and $(6 - b) \cdot
//! (-0.8)$ for B. Each is a straight line in $b$. The first falls and the second rises:
double probability_of_a(double x) { return 1 / (1 + std::exp(-x)); }  // softmax of x and 0
double estimate(double x, double u, double b) {                       // A is drawn if u < p
    const double p = probability_of_a(x);
    return u < p ? (2 - b) * (1 - p) : (6 - b) * -p;
}

Prediction look_at_two_lines(Lesson& lesson, double x) {
    lesson.heading("Two lines that meet");
    const Prediction guess = lesson.predict(
        "The mean loss of the two cameras is 2.8. Which of these baselines gives the smallest "
        "variance?",
        {"2.8", "5.2", "10"});
    show_two_lines(lesson, estimate, x);
    return guess;
}

//! ![Move the baseline to where the two lines cross. The mean stays, and the variance vanishes. Then change the score: where do the lines cross now?](live:two_lines)
//!
//! Whatever $b$ is, the mean of the two, weighted with 0.8 and 0.2, is the derivative. The variance
//! says how far the two are from it. Where the lines cross, both estimates are equal, and the
//! variance is 0. Two lines can always be made to cross. With three choices there are three lines,
//! and they need not have a point in common. So we need a formula.
//!
//! ## The best baseline
//!
//! {no results}
//!
//! Let $L$ be the loss of the choice that was drawn, and write $g$ for $\nabla \ln p$. The variance
//! of the estimate $(L - b) \, g$ is the expectation of its square minus the square of its mean,
//! and the mean does not depend on $b$. So we need the $b$ with the smallest $E[(L - b)^2 g^2]$.
//! Its derivative with respect to $b$ is $-2 E[(L - b) g^2]$, and this is 0 for
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
    const std::vector<double> v = show_outcomes(lesson, estimate, x, {0, 2.8, 5.2, 10});
    lesson.reveal(guess, "5.2");
    lesson.claim("best-by-hand", "identity: two cameras: variance with the baseline 5.2", v[2],
                 at_most(1e-9));
}

//! ## Three choices, three baselines
//!
//! Lesson {reinforce} compares baselines on a larger problem: three choices in a row among six
//! positions, so 216 paths, and 20 parameters. The gradient is a vector now, and its variance is
//! the sum over all parameters. Each step $t$ may have its own baseline $b_t$.
//!
//! The naive attempt treats each step by itself, as if it were the only one. Write $g_t = \nabla
//! \ln p(a_t)$ for the gradient of the choice $a_t$ at step $t$. Then the formula from above would
//! give $E[L \, g_t \cdot g_t] / E[g_t \cdot g_t]$. But the steps share the loss $L$, and they
//! share a parameter: one of the 20 says how much a choice changes the scores of the next step. So
//! the gradients of two steps overlap, and the formula for one step has to contain the others.
//!
//! Write $G = \sum_t g_t$ for the sum over the steps. The estimate is $\sum_u (L - b_u) \, g_u$,
//! where $u$ runs over the steps. As before, we want the smallest expectation of its square, which
//! is now its squared length. The derivative with respect to $b_t$ is 0 if
//!
//! $$ E\Big[ g_t \cdot \sum_u (L - b_u) \, g_u \Big] =
//!    E[L \, g_t \cdot G] - \sum_u b_u E[g_t \cdot g_u] = 0 . $$
//!
//! Three equations for three unknowns, it seems. But for two different steps, $E[g_t \cdot g_u] =
//! 0$. To see it, fix the earlier choice. Every $\nabla \ln p$ has the mean 0, so the gradient of
//! the later choice has it, too. Its product with the earlier gradient, which is fixed, then has
//! the mean 0 as well. So only the term with $u = t$ is left in the last sum, and $E[g_t \cdot g_t]
//! = E[g_t \cdot G]$. The best constants are
//!
//! $$ b_t^* = \frac{E[L \, g_t \cdot G]}{E[g_t \cdot G]} . $$
Tensor best_baseline(const Exact& exact) {
    const Tensor G = sum(exact.score, 1, true);                          // [216, 1, 20]
    const Tensor products = sum(exact.score * G, -1);                    // gₜ · G, [216, 3]
    const Tensor p = unsqueeze(exact.probability, -1);                   // [216, 1]
    const Tensor L = unsqueeze(exact.loss, -1);                          // [216, 1]
    return sum(p * L * products, 0, true) / sum(p * products, 0, true);  // [1, 3]
}

Tensor each_step_by_itself(const Exact& exact) {
    const Tensor squares = sum(square(exact.score), -1);  // gₜ · gₜ, [216, 3]
    const Tensor p = unsqueeze(exact.probability, -1), L = unsqueeze(exact.loss, -1);
    return sum(p * L * squares, 0, true) / sum(p * squares, 0, true);
}

//! The expectations are sums over the 216 paths, and so is the variance itself, in closed form:
//! with the loss's own gradient $\nabla L$, it is
//!
//! $$ E\Big[ \Big| \sum_t (L - b_t) \, g_t + \nabla L \Big|^2 \Big] - \big| \nabla E[L] \big|^2 . $$
//!
//! Lesson {reinforce} draws hundreds of thousands of samples and finds the same variances. Here
//! nothing is drawn. How much will the best constants gain over the mean loss?
void best_of_three_steps(Lesson& lesson, const Exact& exact) {
    lesson.heading("Three choices, three baselines");
    const Prediction guess = lesson.predict(
        "For the two cameras the best constant took all of the variance away. For the 216 paths, what "
        "share of the variance with the mean loss is left with the best constants?",
        {"almost all", "about half", "almost nothing"});
    const Tensor best = best_baseline(exact), alone = each_step_by_itself(exact);
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);
    lesson.claim("constants-by-hand",
                 "identity: best constants by hand against the library's, largest difference",
                 max(abs(best - optimal_baseline(exact.loss, products, exact.probability))).item(),
                 at_most(1e-12));
    show_constants(lesson, exact, alone, best);
    const double left = exact.variance(best) / exact.variance(exact.mean_loss());
    lesson.reveal(guess, left > 0.75   ? "almost all"
                         : left > 0.25 ? "about half"
                                       : "almost nothing");
    lesson.claim(
        "best-share",
        "finding: 216 paths: variance with the best constants over that with the mean loss", left,
        between(0.9, 1));
    lesson.measured("alone", "216 paths: variance with each step by itself over the mean loss",
                    exact.variance(alone) / exact.variance(exact.mean_loss()));
}

//! {if best-share > 0.98 and alone > best-share} We did not expect this: with the best constants,
//! {best-share:% 1} of the variance of the mean loss is left. The naive attempt is hardly worse,
//! since a single parameter couples the steps. For two cameras the best constant works a wonder,
//! because one number can make two estimates equal. It cannot do so for 216 paths, and here the
//! mean loss is almost as good as the best constants.

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

}  // namespace

}  // namespace heed::workshop6

//! ## What this does not show
//!
//! Nobody knows $E[L \, g^2]$ in a real problem. It has to be estimated from samples, and an
//! estimate is noisy; that is why people take the mean loss, or what lesson {reinforce} calls
//! leave-one-out. And among constants the best constants have the smallest variance, but a baseline
//! need not be a constant: one that has learned from the earlier choices can beat them there.
//!
//! Some papers compare estimators on a single choice between two outcomes, for example Tucker et
//! al. (2017). The two cameras show that such a comparison can flatter a baseline, which can reach
//! the variance 0 there.
//!
//! Sources: Greensmith, Bartlett and Baxter (2004), the best baseline, and why the mean is not the
//! best; Williams (1992), REINFORCE and its baselines; Tucker et al. (2017), REBAR, estimators
//! compared on a choice between two.
//!
//! ## Summary
//!
//! 1. The variance of the estimate $(L - b) \, g$ is smallest at $b^* = E[L g^2] / E[g^2]$, a mean
//!    of the losses that counts choices with long gradients more.
//! 2. With two outcomes the best constant makes the variance 0. With 216 paths it gains almost
//!    nothing over the mean loss.
//! 3. With several choices, the best constant of a step has $g_t \cdot G$ in the place of $g^2$.
//! 4. If a parameter makes both the probabilities and the loss, the formula needs the term
//!    $\nabla L$, or the constant can be worse than the mean loss.
//! 5. A sum over all paths gives a variance without a single sample. It is how to test the
//!    samplers.
//!
//! ## Try this next
//!
//! 1. Call `show_outcomes` with $x = 0$. Which baseline is the best when both cameras are equally
//!    probable? Compute it by hand first.
//! 2. In `share_a_parameter`, subtract the same number, the mean of the three constants, at each
//!    step. How much of the gain is left?
using namespace heed;
using namespace heed::workshop6;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 6,
                   .name = "variance",
                   .title = "The best number to subtract",
                   .question = "Which baseline makes the variance of REINFORCE smallest?",
                   .own_data = "two cameras, and a small problem of 216 paths",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        const double x = std::log(4.0);
        const Prediction guess = look_at_two_lines(lesson, x);
        best_of_two(lesson, x, guess);
        const Exact exact = sum_over_all_paths();
        best_of_three_steps(lesson, exact);
        share_a_parameter(lesson, exact);
    });
}
