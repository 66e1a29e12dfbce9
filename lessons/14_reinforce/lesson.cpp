//! # How do you differentiate a choice?
//!
//! Soft attention takes a weighted mean over all positions. Hard attention uses one position only.
//! It needs less computation and is more similar to an eye, but the position is *sampled*, and a
//! sample has no derivative: if a score changes a little, the sampled position stays the same,
//! until it suddenly changes. The *expected* loss, however, is a smooth function of the scores.
//! This lesson estimates its gradient from samples. The problem is so small that we can also sum
//! over all possible choices, so we can say exactly how good each estimate is.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/14_reinforce/averages.h"
#include "lessons/14_reinforce/estimators.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::three_looks;

namespace {

//! ## The exact gradient
//!
//! In our problem, one of six positions is chosen, three times. There are 216 such *paths* $s$.
//! Each path has a probability, the product of three softmax weights, and a loss. The expected loss
//! is a sum over all paths, and we can differentiate this sum:
//!
//! $$ \nabla E[L] = \nabla \sum_s p(s) L(s) $$
//!
//! With thirty choices there would be $6^{30}$ paths, too many to sum. So the methods below use
//! samples only, and the exact sum serves to measure their errors.

//! ## The score-function estimator
//!
//! $\nabla p = p \nabla \ln p$ turns the sum back into an expectation (Williams 1992):
//!
//! $$ \nabla E[L] = \sum_s \big( p \nabla L + L \nabla p \big)
//!    = E\big[ \nabla L + L \, \nabla \ln p \big] $$
//!
//! So we draw a path and multiply the gradient of its log-probability by its loss. The mean over
//! many paths is the gradient. This is the *score-function estimator*, or REINFORCE (here *score*
//! means $\nabla \ln p$, not the score of a key). In code we call backward on a loss. The factor
//! $L$ before $\ln p$ must not be differentiated, so it is detached from the graph (`detach`).
Tensor reinforce_by_hand(const Path& path) {
    const Tensor log_p = sum(path.log_prob, -1);  // of all three choices
    return mean(path.loss) + mean(detach(path.loss) * log_p);
}

void by_hand(Lesson& lesson) {
    Rng rng(lesson.seed());
    const Tensor x = repeated(1000);
    const Path path = draw(x, rng);
    const Tensor mine = grad(reinforce_by_hand(path), {x})[0];
    const Tensor library = grad(reinforce(path.loss, path.log_prob), {x})[0];
    lesson.claim("the estimate by hand against the library's, largest difference",
                 max(abs(mine - library)).item(), at_most(1e-12));
}

//! ## Baselines
//!
//! The mean of the estimate is right, but single estimates vary a lot. We can reduce the variance.
//! Because $E[\nabla \ln p] = 0$, we may subtract any number $b$ that does not depend on the choice
//! from the loss: the mean of $(L - b) \nabla \ln p$ is the same. Such a number is called a
//! *baseline*. We compare six (`estimators.cpp`): none; the mean loss; a moving average of past
//! losses; a prediction learned from the state before each choice; the mean loss of other samples
//! of the same problem; and, for each step, the constant with the smallest variance. It has a
//! formula, because the variance is a quadratic function of $b$:
//!
//! $$ b_t^* = \frac{E[L \, g_t \cdot G]}{E[g_t \cdot G]} \qquad
//!    g_t = \nabla \ln p(s_t), \; G = \sum_t g_t $$
Tensor best_baseline(const Exact& exact) {
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);  // gₜ·G, [216, 3]
    return optimal_baseline(exact.loss, products, exact.probability);
}

void compare_baselines(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    const double mean_loss = exact.mean_loss();
    const Tensor best = best_baseline(exact);

    // The moving average and the learned baseline are trained on forty batches first.
    MovingAverage average;
    Rng initial(1);
    LearnedBaseline learned(state_width, initial);
    to_dtype(learned, Dtype::float64);
    Adam adam(heed::parameters(learned), {.lr = 0.05});
    const Estimator moving = with_moving_average(average), learning = with_learned(learned, adam);
    for (const Estimator& estimator : {moving, learning}) measure(estimator, exact, rng, 40);

    const std::vector<NamedEstimator> rows{
        {"none", with_baseline(0), exact.variance(0)},
        {"mean loss", with_baseline(mean_loss), exact.variance(mean_loss)},
        {"moving average", moving, 0},
        {"learned", learning, 0},
        {"leave one out, 4 samples", with_leave_one_out(4), 0, 4},
        {"best constant for each step", with_baseline(best), exact.variance(best)}};
    Table table({"baseline", "variance", "exact variance", "standard errors"});
    BarChart chart{.value_label = "variance", .labels = {}, .sets = {{"measured", {}}}};
    double worst = 0, gap = 0;
    std::vector<double> variances;
    for (const NamedEstimator& row : rows) {
        const Measured m = measure(row.estimator, exact, rng, batches, row.group);
        table.row(row.name, m.variance,
                  row.closed_form > 0 ? fmt::format("{:.2f}", row.closed_form) : "",
                  m.standard_errors);
        chart.labels.push_back(row.name);
        chart.sets[0].values.push_back(m.variance);
        variances.push_back(m.variance);
        worst = std::max(worst, m.standard_errors);
        if (row.closed_form > 0) gap = std::max(gap, std::abs(m.variance / row.closed_form - 1));
    }
    lesson.table(table, fmt::format("{} samples each. Standard errors: the distance of their mean "
                                    "from the exact gradient, the largest of 20 parameters.",
                                    batches * 2000));
    lesson.show("variance", chart,
                "The variance of the estimate from one sample. All six have the same mean.");
    lesson.claim("all six: largest distance from the exact gradient, in standard errors", worst,
                 at_most(4));
    lesson.claim("measured variance against the exact variance, largest deviation", gap,
                 at_most(lesson.quick() ? 0.06 : 0.03));
    lesson.claim("variance without a baseline over that with the mean loss",
                 variances[0] / variances[1], at_least(1.5));
    lesson.claim("variance of the learned baseline over that of the best constants",
                 variances[3] / variances[5], less_than(1));
}

//! ## Biased estimators and mistakes
//!
//! *Straight-through* samples a position in the forward pass and uses the derivative of the softmax
//! in the backward pass. *Gumbel-softmax* replaces the sample by noisy weights, which are the
//! closer to a one-hot sample the lower the *temperature* is. Both are *biased*: their mean is not
//! the gradient. A lower temperature gives less bias and more variance. We also test three common
//! mistakes. Programs with them run without an error message:
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
    const Tensor two =
        mean(reshape(detach(path.loss), {2, -1}), 0);  // includes the sample's own loss
    return reinforce(path.loss, path.log_prob, concat({two, two}, 0));
}

void compare_biased(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    Table table({"estimator", "bias", "variance", "standard errors"});
    double least = INFINITY;
    const auto add = [&](const char* name, const Estimator& estimator) {
        const Measured m = measure(estimator, exact, rng, batches);
        table.row(name, m.bias, m.variance, std::min(m.standard_errors, 1e4));
        least = std::min(least, m.standard_errors);
        return m;
    };
    add("straight-through", straight_through());
    const Measured high = add("Gumbel-softmax, temperature 1", gumbel(1));
    const double biased = least;
    const Measured low = add("Gumbel-softmax, temperature 0.2", gumbel(0.2));
    least = INFINITY;
    add("nothing detached", nothing_detached);
    add("one log-probability forgotten", last_choice_forgotten);
    add("a baseline that knows the choice", baseline_knows_the_choice);
    lesson.table(table,
                 "Bias as a share of the gradient's length. (10,000 standard errors: it is wrong "
                 "and has no variance.)");
    const double bound = lesson.quick() ? 6 : 10;
    lesson.claim(
        "straight-through and Gumbel-softmax at 1: smallest distance from the exact gradient, in "
        "standard errors",
        biased, at_least(bound));
    lesson.claim("Gumbel-softmax: bias at temperature 0.2 over that at 1", low.bias / high.bias,
                 less_than(0.7));
    lesson.claim("Gumbel-softmax: variance at 0.2 over that at 1", low.variance / high.variance,
                 more_than(2));
    lesson.claim(
        "the three mistakes: smallest distance from the exact gradient, in standard errors", least,
        at_least(bound));
}

//! ## How many samples?
//!
//! The squared distance of a mean of $n$ samples from the gradient is, on average, the squared bias
//! plus the variance divided by $n$. More samples reduce the second term, but not the first. So for
//! few samples a biased estimate of small variance is better, and for many samples an unbiased one.
void compare_averages(Lesson& lesson, const Exact& exact, Rng& rng, int batches) {
    const std::vector<Averaged> all = show_averages(lesson, exact, rng, batches);
    const std::vector<double>&unbiased = all[1].distance, &biased = all[2].distance;
    lesson.claim(
        "125 samples: distance of straight-through over that of REINFORCE with the mean loss",
        biased.front() / unbiased.front(), less_than(1));
    lesson.claim(fmt::format("the same ratio with {} samples", number(all[1].samples.back())),
                 biased.back() / unbiased.back(), more_than(1.5));
}

//! ## A single coin
//!
//! Papers often show such estimators on one coin $s \in \{0, 1\}$, which is 1 with probability
//! $\theta$, with $L = (s - t)^2$. With the best baseline, $(1 - \theta) L(1) + \theta L(0)$, both
//! outcomes give the same estimate, so the variance is 0. This result is too good to be typical.
void the_coin(Lesson& lesson) {
    const double t = 0.45, theta = 0.5;
    const double best = (1 - theta) * std::pow(1 - t, 2) + theta * std::pow(0 - t, 2);
    lesson.claim("the coin's variance without a baseline", coin_variance(theta, t, 0),
                 equals(1.594e-2, 5e-6));
    lesson.claim("the coin's variance with the best one", coin_variance(theta, t, best),
                 at_most(1e-15));
}

}  // namespace

//! ## What this does not show
//!
//! It does not show learning. Low variance does not always mean fast learning, and this problem is
//! very small; lessons 15 and 16 train networks with these estimators. The numbers in the problem
//! are fixed; the seed changes only the samples. On another problem the order of the baselines may
//! differ, but the best constant is never worse than another constant.
//!
//! Sources: Williams (1992), sections 3 to 5; Greensmith, Bartlett and Baxter (2004), section 4;
//! Mnih and Rezende (2016) and Kool, van Hoof and Welling (2019), leave one out; Bengio, Léonard
//! and Courville (2013), section 4; Jang, Gu and Poole (2017); Tucker et al. (2017), the coin; Xu
//! et al. (2015), section 4.1, hard attention.
//!
//! ## Try this next
//!
//! 1. `--batches 2000`: the bias stays while the standard errors shrink. How does the last column
//!    change?
//! 2. Give `with_leave_one_out` (and the 4 behind it) 2 samples, or 20. How does the variance
//!    change?
//! 3. Subtract ten times the mean loss. It is still unbiased: how many samples do you need to see
//!    this?
int main(int argc, char** argv) {
    Lesson lesson({.number = 14,
                   .name = "reinforce",
                   .title = "How do you differentiate a choice?",
                   .question = "Can a network learn where to look, when the position is sampled?",
                   .own_data = "one small problem of 216 paths"});
    int batches = 0;
    lesson.option("--batches", batches,
                  "batches of 2000 samples for each estimator (200; quick 25)");
    return lesson.run(argc, argv, [&] {
        const Prediction guess =
            lesson.predict("By what factor does subtracting the mean loss reduce the variance?",
                           within_factor(1.5));
        //! Quick mode draws 50,000 samples for each estimator instead of 400,000.
        if (batches == 0) batches = lesson.quick() ? 25 : 200;
        const Exact exact = sum_over_all_paths();
        lesson.claim("the probabilities of all paths sum to 1", sum(exact.probability).item(),
                     equals(1, 1e-12));
        by_hand(lesson);

        Rng rng(lesson.seed());
        lesson.heading("Baselines");
        compare_baselines(lesson, exact, rng, batches);
        lesson.reveal(guess, exact.variance(0) / exact.variance(exact.mean_loss()));
        lesson.heading("Biased estimators and mistakes");
        compare_biased(lesson, exact, rng, batches);
        lesson.heading("How many samples?");
        compare_averages(lesson, exact, rng, batches);
        lesson.heading("A single coin");
        the_coin(lesson);
    });
}
