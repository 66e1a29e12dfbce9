//! # How do you differentiate a choice?
//!
//! Soft attention looks everywhere at once and mixes what it sees. Hard attention looks at one
//! place. It is cheaper, and closer to what an eye does, but the place is *drawn*, and a draw has
//! no derivative: move a score a little, and the drawn place stays what it was, until it jumps. Yet
//! the *expected* loss is as smooth as one could wish. This lesson estimates its gradient from
//! samples, and because the problem is small enough to add up every possible path, it can say
//! exactly how good each estimate is.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/12_reinforce/averages.h"
#include "lessons/12_reinforce/estimators.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::three_looks;

namespace {

//! ## The exact gradient
//!
//! Three looks at six places make 216 paths $s$. Each has a probability, the product of three
//! softmax weights, and a loss. The expected loss is a sum, and a sum can be differentiated:
//!
//! $$ \nabla E[L] = \nabla \sum_s p(s) L(s) $$
//!
//! With thirty looks there would be $6^{30}$ paths. So everything below uses samples only, and the
//! sum over all paths serves as the judge.

//! ## One line of mathematics
//!
//! $\nabla p = p \nabla \ln p$ turns the sum back into an expectation (Williams 1992):
//!
//! $$ \nabla E[L] = \sum_s \big( p \nabla L + L \nabla p \big)
//!    = E\big[ \nabla L + L \, \nabla \ln p \big] $$
//!
//! Draw a path, weigh the gradient of its log-probability with its loss, and on average you have
//! the gradient: the *score-function estimator*, or REINFORCE (this score is $\nabla \ln p$, not
//! that of a key). As a loss to call backward on, the weighing loss must be cut off from the graph
//! (`detach`), for it is not to be differentiated.
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

//! ## What to subtract
//!
//! The estimate is right on average, but it varies. Now $E[\nabla \ln p] = 0$, so any number $b$
//! that does not depend on the choice, a *baseline*, may be subtracted from the loss without moving
//! the mean: $(L - b) \nabla \ln p$. What $b$? Six answers (`estimators.cpp`): none; the mean loss;
//! a moving average of past losses; a guess learned from the state before each choice; the loss of
//! other samples of the same problem; and, for each step, the constant of least variance, which has
//! a formula because the variance is a parabola in $b$:
//!
//! $$ b_t^* = \frac{E[L \, g_t \cdot G]}{E[g_t \cdot G]} \qquad
//!    g_t = \nabla \ln p(s_t), \; G = \sum_t g_t $$
Tensor best_baseline(const Exact& exact) {
    const Tensor products = sum(exact.score * sum(exact.score, 1, true), -1);  // gₜ·G, [216, 3]
    return optimal_baseline(exact.loss, products, exact.probability);
}

void compare_baselines(Lesson& lesson, const Exact& exact, Rng& rng, int rounds) {
    const double mean_loss = exact.mean_loss();
    const Tensor best = best_baseline(exact);

    // The moving average and the learned baseline have forty rounds to find their feet.
    MovingAverage average;
    Rng initial(1);
    LearnedBaseline learned(state_width, initial);
    to_dtype(learned, Dtype::float64);
    Adam adam(heed::parameters(learned), {.lr = 0.05});
    const Estimator moving = with_moving_average(average), learning = with_learned(learned, adam);
    for (const Estimator& estimator : {moving, learning}) measure(estimator, exact, rng, 40);

    const std::vector<Contender> rows{
        {"none", with_baseline(0), exact.variance(0)},
        {"mean loss", with_baseline(mean_loss), exact.variance(mean_loss)},
        {"moving average", moving, 0},
        {"learned", learning, 0},
        {"leave one out, 4 samples", with_others(4), 0, 4},
        {"best constant a step", with_baseline(best), exact.variance(best)}};
    Table table({"baseline", "variance", "closed form", "standard errors off"});
    BarChart chart{.value_label = "variance", .labels = {}, .sets = {{"measured", {}}}};
    double worst = 0, off = 0;
    std::vector<double> variances;
    for (const Contender& row : rows) {
        const Measured m = measure(row.estimator, exact, rng, rounds, row.group);
        table.row(row.name, m.variance,
                  row.closed_form > 0 ? fmt::format("{:.2f}", row.closed_form) : "", m.errors_off);
        chart.labels.push_back(row.name);
        chart.sets[0].values.push_back(m.variance);
        variances.push_back(m.variance);
        worst = std::max(worst, m.errors_off);
        if (row.closed_form > 0) off = std::max(off, std::abs(m.variance / row.closed_form - 1));
    }
    lesson.table(table, fmt::format("{} samples each. Off: the exact gradient from their mean, at "
                                    "the worst of 20 parameters.",
                                    rounds * 2000));
    lesson.show("variance", chart, "The same mean, six variances, each of one sample's estimate.");
    lesson.claim("all six: from the exact gradient, in standard errors", worst, at_most(4));
    lesson.claim("measured variance against the closed form, largest deviation", off,
                 at_most(lesson.quick() ? 0.06 : 0.03));
    lesson.claim("variance without a baseline over that with the mean loss",
                 variances[0] / variances[1], at_least(1.5));
    lesson.claim("variance of the learned baseline over that of the best constants",
                 variances[3] / variances[5], less_than(1));
}

//! ## Shortcuts and mistakes
//!
//! *Straight-through* draws the place and then pretends, backward, that it had taken the softmax.
//! *Gumbel-softmax* replaces the draw by noisy weights, the closer to a draw the lower its
//! *temperature*. Both are *biased*: wrong on average. A lower temperature buys less bias with more
//! variance. And three that are no shortcuts but slips; all of them run, and none gives an error:
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
    const Tensor two = mean(reshape(detach(path.loss), {2, -1}), 0);  // one's own loss among them
    return reinforce(path.loss, path.log_prob, concat({two, two}, 0));
}

void compare_biased(Lesson& lesson, const Exact& exact, Rng& rng, int rounds) {
    Table table({"estimator", "bias", "variance", "standard errors off"});
    double least = INFINITY;
    const auto add = [&](const char* name, const Estimator& estimator) {
        const Measured m = measure(estimator, exact, rng, rounds);
        table.row(name, m.bias, m.variance, std::min(m.errors_off, 1e4));
        least = std::min(least, m.errors_off);
        return m;
    };
    add("straight-through", straight_through());
    const Measured warm = add("Gumbel-softmax, temperature 1", gumbel(1));
    const double shortcuts = least;
    const Measured cool = add("Gumbel-softmax, temperature 0.2", gumbel(0.2));
    least = INFINITY;
    add("nothing detached", nothing_detached);
    add("one log-probability forgotten", last_choice_forgotten);
    add("a baseline that knows the choice", baseline_knows_the_choice);
    lesson.table(table,
                 "Bias as a share of the gradient's length. (10,000 standard errors: it is "
                 "wrong and does not vary at all.)");
    const double bar = lesson.quick() ? 6 : 10;
    lesson.claim("straight-through and Gumbel-softmax at 1, standard errors off", shortcuts,
                 at_least(bar));
    lesson.claim("Gumbel-softmax: bias at temperature 0.2 over that at 1", cool.bias / warm.bias,
                 less_than(0.7));
    lesson.claim("Gumbel-softmax: variance at 0.2 over that at 1", cool.variance / warm.variance,
                 more_than(2));
    lesson.claim("each of the three mistakes is caught, standard errors off", least, at_least(bar));
}

//! ## How many samples?
//!
//! The squared distance of a mean of $n$ samples is, on average, the squared bias plus the variance
//! over $n$. Averaging wears the second down and never touches the first. So a biased estimate of
//! small variance is the nearer one for a while, and then it stays where it is.
void compare_averages(Lesson& lesson, const Exact& exact, Rng& rng, int rounds) {
    const std::vector<Averaged> all = show_averages(lesson, exact, rng, rounds);
    const std::vector<double>&unbiased = all[1].distance, &biased = all[2].distance;
    lesson.claim("125 samples: straight-through's distance over REINFORCE's with the mean loss",
                 biased.front() / unbiased.front(), less_than(1));
    lesson.claim(fmt::format("the same with {} samples", number(all[1].samples.back())),
                 biased.back() / unbiased.back(), more_than(1.5));
}

//! ## A toy that flatters
//!
//! Papers like to show such estimators on one coin $s \in \{0, 1\}$, which is 1 with probability
//! $\theta$, and $L = (s - t)^2$. There the best baseline, $(1 - \theta) L(1) + \theta L(0)$,
//! leaves no variance at all: two outcomes, one number, one equation.
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
//! Learning. Low variance is not yet fast learning, and 216 paths are no picture: lessons 13 and 14
//! train with these estimators. The problem itself is one fixed draw of numbers; the seed decides
//! only the samples. On another problem the order of the baselines may differ, though never that of
//! the best constant and any other constant.
//!
//! Sources: Williams (1992), sections 3 to 5; Greensmith, Bartlett and Baxter (2004), section 4;
//! Mnih and Rezende (2016) and Kool, van Hoof and Welling (2019), leave one out; Bengio, Léonard
//! and Courville (2013), section 4; Jang, Gu and Poole (2017); Tucker et al. (2017), the coin; Xu
//! et al. (2015), section 4.1, where it meets attention.
//!
//! ## Try this next
//!
//! 1. `--rounds 2000`: a bias stays as the standard errors shrink; watch the last column.
//! 2. Give `with_others` (and the 4 behind it) 2 samples, or 20. What is a sample worth?
//! 3. Subtract ten times the mean loss. Still unbiased: how many samples until you see it?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 12,
         .name = "reinforce",
         .title = "How do you differentiate a choice?",
         .question = "Can a network learn where to look, when looking is a throw of dice?",
         .own_data = "one small problem of 216 paths"});
    int rounds = 0;
    lesson.option("--rounds", rounds, "rounds of 2000 samples for each estimator (200; quick 25)");
    return lesson.run(argc, argv, [&] {
        const Prediction guess =
            lesson.predict("By what factor does subtracting the mean loss reduce the variance?",
                           within_factor(1.5));
        //! Quick mode draws 50,000 samples for each estimator instead of 400,000.
        if (rounds == 0) rounds = lesson.quick() ? 25 : 200;
        const Exact exact = sum_over_all_paths();
        lesson.claim("the probabilities of all paths sum to 1", sum(exact.probability).item(),
                     equals(1, 1e-12));
        by_hand(lesson);

        Rng rng(lesson.seed());
        lesson.heading("What to subtract");
        compare_baselines(lesson, exact, rng, rounds);
        lesson.reveal(guess, exact.variance(0) / exact.variance(exact.mean_loss()));
        lesson.heading("Shortcuts and mistakes");
        compare_biased(lesson, exact, rng, rounds);
        lesson.heading("How many samples?");
        compare_averages(lesson, exact, rng, rounds);
        lesson.heading("A toy that flatters");
        the_coin(lesson);
    });
}
