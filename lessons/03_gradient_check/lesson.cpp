//! # How do you know a gradient is right?
//!
//! A wrong gradient seldom makes a program crash. The network still learns, only worse, and nobody
//! knows how well it should have learned. A mean instead of a sum, a forgotten factor, a missing
//! term: such mistakes can stay in a program for years.
//!
//! There is one independent test. A derivative says how much the output changes when an input
//! changes a little. So change the input a little, and measure the change of the output. This
//! raises two questions: how large should the change be, and which number should we measure?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/03_gradient_check/planted_bugs.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## How large a step?
//!
//! Let $L$ be a function with a single number as its result. Taylor's series gives
//!
//! $$ \frac{L(x + h) - L(x - h)}{2h} = L'(x) + \frac{h^2}{6} L'''(x) + O(h^4) $$
//!
//! for this *central* difference (the error of the *one-sided* difference, $(L(x + h) - L(x)) / h$,
//! is of order $h$). By this formula, a smaller $h$ is always better. But a computer rounds. It
//! computes $L$ with a relative precision of $\epsilon \approx 10^{-16}$ in float64 (a number of 64
//! bits; float32 has 32 bits and $\epsilon \approx 6 \cdot 10^{-8}$), and the difference of two
//! nearly equal numbers keeps the absolute errors of both:
//!
//! $$ \text{error} \approx \frac{h^2}{6} |L'''| + \frac{\epsilon |L|}{h} . $$
//!
//! For smaller $h$ the first term falls with $h^2$, and the second grows with $1/h$. On logarithmic
//! axes the error looks like a V. Its lowest point is where both terms are about equal, near
//! $h = \epsilon^{1/3}$. The error there is $\epsilon^{2/3}$, so a third of all digits is lost.
//!
//! Two step sizes together do better. Let $\Delta(h)$ be the central difference. The error of
//! $\Delta(h)$ is four times that of $\Delta(h/2)$, so in $(4 \Delta(h/2) - \Delta(h)) / 3$ the
//! errors of order $h^2$ cancel (Richardson 1911).
struct Problem {
    Tensor x, d, w, c;  // the point, the direction of the step, and the constants of the function
    explicit Problem(Rng& rng)
        : x(normal({1, 8}, 0, 1, rng)),
          d(normal({1, 8}, 0, 1, rng)),
          w(normal({8, 8}, 0, 1, rng)),
          c(normal({8}, 0, 1, rng)) {}
    Problem(const Problem& p, Dtype dtype)
        : x(to_dtype(p.x, dtype)),
          d(to_dtype(p.d, dtype)),
          w(to_dtype(p.w, dtype)),
          c(to_dtype(p.c, dtype)) {}

    Tensor loss(const Tensor& at) const { return sum(softmax(matmul(tanh(at), w)) * c); }
    double loss_at(double h) const { return loss(x + d * h).item(); }
    double one_sided(double h) const { return (loss_at(h) - loss_at(0)) / h; }
    double central(double h) const { return (loss_at(h) - loss_at(-h)) / (2 * h); }
    double two_steps(double h) const { return (4 * central(h / 2) - central(h)) / 3; }
};
using Difference = double (Problem::*)(double) const;

// The geometric mean, over many problems, of the difference's error.
double error_of(Difference difference, double h, Dtype dtype, std::uint64_t seed) {
    Rng rng(seed);
    double logs = 0;
    constexpr int problems = 30;
    for (int i = 0; i < problems; ++i) {
        const Problem drawn(rng);
        const Problem exact(drawn, Dtype::float64), rounded(drawn, dtype);
        Tensor x = clone(exact.x).set_requires_grad();
        const Tensor gradient = grad(exact.loss(x), {x})[0];
        const double truth = sum(gradient * exact.d).item();
        const double size = std::sqrt(sum(square(gradient)).item() * sum(square(exact.d)).item());
        logs += std::log(std::max(std::abs((rounded.*difference)(h)-truth) / size, 1e-18));
    }
    return std::exp(logs / problems);
}

void compare_step_sizes(Lesson& lesson, Prediction guess) {
    lesson.heading("How large a step?");
    const std::vector<std::pair<Difference, Dtype>> kinds{{&Problem::one_sided, Dtype::float64},
                                                          {&Problem::central, Dtype::float64},
                                                          {&Problem::two_steps, Dtype::float64},
                                                          {&Problem::central, Dtype::float32}};
    LinePlot plot{.x_label = "step h", .y_label = "relative error", .log_x = true, .log_y = true};
    plot.series = {{"one-sided"}, {"central"}, {"two central steps"}, {"central, float32"}};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        for (int i = 0; i <= 48; ++i) {
            plot.series[kind].x.push_back(std::pow(10, -0.25 * i));
            plot.series[kind].y.push_back(error_of(kinds[kind].first, plot.series[kind].x[i],
                                                   kinds[kind].second, lesson.seed()));
        }
    lesson.show("steps", plot,
                "The error of each difference against its step h: each curve is a V.");

    const auto best = [&](int kind) {
        const std::vector<double>& y = plot.series[kind].y;
        return std::min_element(y.begin(), y.end()) - y.begin();
    };
    const std::vector<double>&h = plot.series[1].x, &error = plot.series[1].y,
          &narrow = plot.series[3].y;
    const auto slope = [&](int a, int b) {
        return std::log(error[a] / error[b]) / std::log(h[a] / h[b]);
    };
    lesson.reveal(guess, h[best(1)]);
    lesson.claim("the best step of the central difference in float64", h[best(1)],
                 between(1e-6, 2e-5));
    lesson.claim("slope of its error on the right of the minimum", slope(4, 12), between(1.8, 2.2));
    lesson.claim("slope of its error on the left of the minimum", slope(28, 44),
                 between(-1.2, -0.8));
    lesson.claim("smallest error of the central difference in float64", error[best(1)],
                 at_most(1e-9));
    lesson.claim("its smallest error in float32, at any step", narrow[best(3)], at_least(1e-6));
    lesson.claim("error of two steps at h = 0.001, the library's choice", plot.series[2].y[12],
                 at_most(1e-10));
}

//! ## Which number to measure
//!
//! The output of an operation is a whole tensor $y$, and the test needs a single number. Most
//! programs take the sum of the elements. Consider softmax, which turns scores into weights,
//! $y_i = e^{x_i} / \sum_j e^{x_j}$. Its elements always sum to 1. The sum is the same for every
//! $x$, so its derivative is 0, and a softmax whose gradient is a tensor of zeros passes the test.
//! The remedy is a *covector* of random numbers $c$, one for each element of $y$:
//!
//! $$ L(x) = \sum_i c_i \, y_i(x) . $$
//!
//! If the gradient of this $L$ is right for a random $c$, then the gradient of every function of
//! $y$ is right, except by a coincidence of probability 0. Here is a complete gradient check:
double largest_error(const DifferentiableFunction& f, const std::vector<Tensor>& inputs,
                     Rng* covector) {
    const Shape shape = f(inputs).shape();
    const Tensor c =
        covector ? normal(shape, 0, 1, *covector, Dtype::float64) : ones(shape, Dtype::float64);
    const auto loss = [&](const std::vector<Tensor>& xs) { return sum(c * f(xs)); };

    std::vector<Tensor> leaves;
    for (const Tensor& x : inputs) leaves.push_back(clone(x).set_requires_grad());
    const std::vector<Tensor> gradients = grad(loss(leaves), leaves);
    double largest = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (int64_t k = 0; k < inputs[i].numel(); ++k) {
            const auto at = [&](double h) {
                std::vector<Tensor> moved = inputs;
                moved[i] = clone(inputs[i]);
                moved[i].edit<double>()[k] += h;
                return loss(moved).item();
            };
            const double numeric = (at(1e-5) - at(-1e-5)) / 2e-5,
                         analytic = gradients[i].to_vector()[k];
            largest = std::max(largest, std::abs(numeric - analytic) /
                                            std::max({1., std::abs(numeric), std::abs(analytic)}));
        }
    return largest;
}

//! ## Twelve wrong gradients
//!
//! The file `planted_bugs.cpp` has twelve operations, each with the right result and a wrong
//! gradient. We run four checks on each: all inputs 1 and the sum of the output, which is what one
//! usually writes first; random inputs and the sum; random inputs and a covector; and the library's
//! `gradcheck` of order 2, which also checks the gradient of the gradient. Which check finds which
//! bug?
void check_planted_bugs(Lesson& lesson, Prediction guess) {
    lesson.heading("Twelve wrong gradients");
    Rng rng(lesson.seed());
    Table table({"operation", "its gradient", "ones", "sum", "covector", "order 2"});
    int caught[4] = {}, passed = 0, agreed = 0;
    double softmax_errors[3] = {};
    for (const PlantedBug& bug : planted_bugs()) {
        std::vector<Tensor> all_ones, random;
        for (const Shape& shape : bug.inputs) {
            all_ones.push_back(ones(shape, Dtype::float64));
            // Absolute values between 0.2 and 1.2, away from the kink of relu, max(x, 0).
            const Tensor sign = 2 * bernoulli(shape, 0.5, rng, Dtype::float64) - 1;
            random.push_back(sign * uniform(shape, 0.2, 1.2, rng, Dtype::float64));
        }
        const double errors[] = {largest_error(bug.wrong, all_ones, nullptr),
                                 largest_error(bug.wrong, random, nullptr),
                                 largest_error(bug.wrong, random, &rng)};
        const GradcheckReport report = gradcheck(bug.wrong, random, {.order = 2});
        const bool first = report.orders[0].pass;
        const bool found[] = {errors[0] > 1e-7, errors[1] > 1e-7, errors[2] > 1e-7, !report.pass};
        if (bug.operation == "softmax") std::copy(errors, errors + 3, softmax_errors);
        std::vector<std::string> cells{bug.operation, bug.mistake};
        for (int i = 0; i < 4; ++i) {
            cells.push_back(found[i] ? "✓" : "·");
            caught[i] += found[i];
        }
        table.add(cells);
        agreed += found[2] == !first;
        passed += largest_error(bug.right, random, &rng) <= 1e-7 &&
                  gradcheck(bug.right, random, {.order = 2}).pass;
    }
    lesson.table(table, "Which check finds (✓) which bug. The tolerance of all checks is 1e-7.");
    lesson.reveal(guess, 12 - caught[0]);
    lesson.claim("softmax with zero gradient: error found by the sum", softmax_errors[1],
                 at_most(1e-7));
    lesson.claim("softmax with zero gradient: error found by the covector", softmax_errors[2],
                 at_least(0.01));
    lesson.claim("bugs found of twelve, with inputs of 1 and a sum", caught[0], at_most(6));
    lesson.claim("bugs found of twelve, with random inputs and a covector", caught[2],
                 at_least(11));
    lesson.claim("bugs found of twelve, with the second order checked too", caught[3], equals(12));
    lesson.claim("correct versions of the twelve that pass all checks", passed, equals(12));
    lesson.claim("bugs of twelve on which the check above and the library's agree", agreed,
                 equals(12));
}

}  // namespace

//! ## What this does not show
//!
//! A check does not show that a gradient is right for all inputs. It says nothing about inputs it
//! did not try: another shape, an axis of size 1, a table of which one row is used twice. So
//! `./heed gradcheck` runs every operation in several shapes. At a kink, such as that of relu,
//! $\max(x, 0)$, at 0, differences and gradient disagree and neither is wrong. And a check compares
//! the gradient with the function as it is written in the program. If that is not the function you
//! wanted, the check still passes.
//!
//! Sources: Richardson (1911), for two steps; Press et al., "Numerical Recipes" (2007), section
//! 5.7, for the best step.
//!
//! ## Try this next
//!
//! 1. In `error_of`, set `size` to 1, so that errors are absolute: which curves change, and why?
//! 2. In `largest_error`, let `c` hold the numbers 1, 2, 3, ...: how many bugs does it miss?
//! 3. Write a program with one call of `gradcheck` on a function of your own, and run it with
//!    `./heed run yours.cpp`.
int main(int argc, char** argv) {
    Lesson lesson({.number = 3,
                   .name = "gradient_check",
                   .title = "How do you know a gradient is right?",
                   .question = "How do you know that a gradient is right, when a network learns "
                               "even with a wrong one?",
                   .own_data = "random functions and twelve planted bugs"});
    return lesson.run(argc, argv, [&] {
        const Prediction step = lesson.predict(
            "A derivative is measured by (L(x+h) - L(x-h)) / 2h, in arithmetic of 16 digits. Which "
            "h is best?",
            within_factor(10));
        const Prediction missed = lesson.predict(
            "Twelve gradients are wrong. The usual check sets all inputs to 1 and sums the output. "
            "How many of the twelve does it miss?",
            within(1));
        compare_step_sizes(lesson, step);
        check_planted_bugs(lesson, missed);
    });
}
