//! # How do you know a gradient is right?
//!
//! A wrong gradient seldom crashes. The network learns all the same, only worse, and nobody knows
//! how well it should have learned. A mean instead of a sum, a forgotten factor, a term left out:
//! such mistakes can live in a program for years.
//!
//! There is one independent witness. A derivative says what happens when an input moves a little;
//! so move it a little, and look. That sounds trivial, and two things about it are not: how little,
//! and what to look at.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/03_gradient_check/planted_bugs.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## How little is little?
//!
//! Let $L$ be a function with a single number as its result. Taylor's series gives
//!
//! $$ \frac{L(x + h) - L(x - h)}{2h} = L'(x) + \frac{h^2}{6} L'''(x) + O(h^4) $$
//!
//! for this *central* difference (the *one-sided* one, $(L(x + h) - L(x)) / h$, is off by order
//! $h$). So the smaller $h$ the better, on paper. But a computer rounds. It knows $L$ to a relative
//! precision of $\epsilon \approx 10^{-16}$ in float64 (a number held in 64 bits; float32 has half
//! of them, and $\epsilon \approx 6 \cdot 10^{-8}$), and the difference of two nearly equal numbers
//! keeps the absolute error of both:
//!
//! $$ \text{error} \approx \frac{h^2}{6} |L'''| + \frac{\epsilon |L|}{h} . $$
//!
//! The first falls with $h^2$, the second grows with $1/h$: drawn on logarithmic axes, a V. Its
//! bottom lies where both are about equal, near $h = \epsilon^{1/3}$, and the error there is
//! $\epsilon^{2/3}$: a third of all digits is lost.
//!
//! Two steps are better than one. If $\Delta(h)$ is the central difference, $\Delta(h)$ and
//! $\Delta(h/2)$ have errors in the proportion 4 to 1, so $(4 \Delta(h/2) - \Delta(h)) / 3$ has
//! none of order $h^2$ (Richardson 1911).
struct Problem {
    Tensor x, d, w, c;  // where, in which direction, and the numbers in the function
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
    double moved(double h) const { return loss(x + d * h).item(); }
    double one_sided(double h) const { return (moved(h) - moved(0)) / h; }
    double central(double h) const { return (moved(h) - moved(-h)) / (2 * h); }
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

void how_little(Lesson& lesson, Prediction guess) {
    lesson.heading("How little is little?");
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
    lesson.show("steps", plot, "The error of a difference against its step: everywhere a V.");

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
    lesson.claim("slope of the right branch of its V", slope(4, 12), between(1.8, 2.2));
    lesson.claim("slope of the left branch of its V", slope(28, 44), between(-1.2, -0.8));
    lesson.claim("smallest error of the central difference in float64", error[best(1)],
                 at_most(1e-9));
    lesson.claim("its smallest error in float32, at any step", narrow[best(3)], at_least(1e-6));
    lesson.claim("error of two steps at h = 0.001, the library's choice", plot.series[2].y[12],
                 at_most(1e-10));
}

//! ## What to look at
//!
//! The output of an operation is a whole tensor $y$; to have a single number one must add its
//! elements up somehow. The plain sum is what most programs take. But consider softmax, which turns
//! scores into weights, $y_i = e^{x_i} / \sum_j e^{x_j}$: its elements always sum to 1. The sum
//! does not move whatever one does to $x$, its derivative is 0, and a softmax whose gradient is a
//! tensor of zeros passes the test. The remedy is a *covector* of random numbers $c$, one for each
//! element of $y$:
//!
//! $$ L(x) = \sum_i c_i \, y_i(x) . $$
//!
//! If the gradient of this $L$ is right for a random $c$, that of every function of $y$ is, but for
//! a coincidence of probability 0. This is all of a gradient check:
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

//! ## Twelve planted bugs
//!
//! Twelve operations, each with the right result and a wrong gradient (`planted_bugs.cpp`). They
//! meet four checks: all inputs 1 and the output summed, which is what one writes first; random
//! inputs and the sum; random inputs and a covector; and the library's `gradcheck`, which then
//! checks the gradient of the gradient as well. What is caught, and what slips through?
void plant_bugs(Lesson& lesson, Prediction guess) {
    lesson.heading("Twelve planted bugs");
    Rng rng(lesson.seed());
    Table table({"operation", "its gradient", "ones", "sum", "covector", "order 2"});
    int caught[4] = {}, passed = 0, agreed = 0;
    double softmax_errors[3] = {};
    for (const PlantedBug& bug : planted_bugs()) {
        std::vector<Tensor> same, random;
        for (const Shape& shape : bug.inputs) {
            same.push_back(ones(shape, Dtype::float64));
            // Between 0.2 and 1.2 to either side of 0: not at the kink of relu, max(x, 0).
            const Tensor side = 2 * bernoulli(shape, 0.5, rng, Dtype::float64) - 1;
            random.push_back(side * uniform(shape, 0.2, 1.2, rng, Dtype::float64));
        }
        const double errors[] = {largest_error(bug.wrong, same, nullptr),
                                 largest_error(bug.wrong, random, nullptr),
                                 largest_error(bug.wrong, random, &rng)};
        const bool first = gradcheck(bug.wrong, random).pass,
                   second = gradcheck(bug.wrong, random, {.order = 2}).pass;
        const bool found[] = {errors[0] > 1e-7, errors[1] > 1e-7, errors[2] > 1e-7,
                              !first || !second};
        if (bug.operation == "softmax") std::copy(errors, errors + 3, softmax_errors);
        std::vector<std::string> cells{bug.operation, bug.mistake};
        for (int i = 0; i < 4; ++i) {
            cells.push_back(found[i] ? "✓" : "·");
            caught[i] += found[i];
        }
        table.add(cells);
        agreed += found[2] == !first;
        passed += largest_error(bug.right, random, &rng) <= 1e-7 &&
                  gradcheck(bug.right, random).pass &&
                  gradcheck(bug.right, random, {.order = 2}).pass;
    }
    lesson.table(table, "Which check catches (✓) which bug. The tolerance is 1e-7 everywhere.");
    lesson.reveal(guess, 12 - caught[0]);
    lesson.claim("softmax with zero gradient: error seen by the sum", softmax_errors[1],
                 at_most(1e-7));
    lesson.claim("softmax with zero gradient: error seen by the covector", softmax_errors[2],
                 at_least(0.01));
    lesson.claim("bugs of twelve caught with inputs of 1 and a sum", caught[0], at_most(6));
    lesson.claim("bugs caught with random inputs and a covector", caught[2], at_least(11));
    lesson.claim("bugs caught when the second order is checked too", caught[3], equals(12));
    lesson.claim("right versions of the twelve that pass all checks", passed, equals(12));
    lesson.claim("bugs of twelve on which check by hand and library agree", agreed, equals(12));
}

}  // namespace

//! ## What this does not show
//!
//! That a gradient is right everywhere. A check samples. It says nothing about inputs it did not
//! try: another shape, an axis of size 1, a table of which one row is used twice. So
//! `./heed gradcheck` runs every operation in several shapes. At a kink, such as that of relu,
//! $\max(x, 0)$, at 0, differences and gradient disagree and neither is wrong. And a check compares
//! the gradient with the function as it was written: if the function is the wrong one, they agree
//! perfectly.
//!
//! Sources: Richardson (1911), for two steps; Press et al., "Numerical Recipes" (2007), section
//! 5.7, for the best step.
//!
//! ## Try this next
//!
//! 1. In `error_of`, replace the size of the problem by 1: where do relative errors deceive?
//! 2. In `largest_error`, let `c` hold the numbers 1, 2, 3, ...: how many bugs still slip through?
//! 3. `./heed run yours.cpp` with one call of `gradcheck`: check a function of your own.
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 3,
         .name = "gradient_check",
         .title = "How do you know a gradient is right?",
         .question =
             "How do you know that a gradient is right, when the network learns either way?",
         .own_data = "random functions and twelve planted bugs"});
    return lesson.run(argc, argv, [&] {
        const Prediction step = lesson.predict(
            "A derivative is to be measured by (L(x+h) - L(x-h)) / 2h, in arithmetic of 16 digits. "
            "Which h is best?",
            within_factor(10));
        const Prediction missed = lesson.predict(
            "Twelve gradients are wrong. The usual check sets all inputs to 1 and sums the output. "
            "How many of the twelve does it miss?",
            within(1));
        how_little(lesson, step);
        plant_bugs(lesson, missed);
    });
}
