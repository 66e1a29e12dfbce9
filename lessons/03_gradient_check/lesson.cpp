//! # How do you know a gradient is right?
//!
//! {no results} Somebody adds $\tanh$ to an engine like that of lesson {autograd}. Its derivative
//! is $1 - y^2$. By mistake they write $1 - x^2$. At $x = 0.5$ that gives 0.750 instead of 0.786.
//! Nothing crashes. A network may still learn with it, and the mistake can stay for years.
//!
//! We need a second way to the same number, one without the formula. There is one: change the input
//! a little, and look. But how large is a little, and which number does one look at?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/03_gradient_check/experiment.h"
#include "lessons/03_gradient_check/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson03 {

using namespace course;

namespace {

//! ## Change the input and look
void draw_the_check(Lesson& lesson) {
    lesson.heading("Change the input and look");
    lesson.show("check", diagram_of_a_check({}),
                "A gradient check: two ways from the same input to the same number.");
}

//! A *finite difference* estimates a derivative from two values of the function. The *one-sided
//! difference* takes a small step $h$ to one side, the *central difference* to both:
//!
//! $$ \frac{f(x + h) - f(x)}{h}, \qquad \Delta(h) = \frac{f(x + h) - f(x - h)}{2h} . $$
//!
//! **By hand.** $f(x) = x^3$ has the derivative 12 at $x = 2$. For $h = 0.1$ we need $2.1^3 =
//! 9.261$, $2^3 = 8$ and $1.9^3 = 6.859$. The one-sided difference is $1.261 / 0.1 = 12.61$; the
//! central one, $2.402 / 0.2 = 12.01$, is far better.
double one_sided(double (*f)(double), double x, double h) { return (f(x + h) - f(x)) / h; }
double central(double (*f)(double), double x, double h) { return (f(x + h) - f(x - h)) / (2 * h); }

double cube(double x) { return x * x * x; }

//! Would the smallest possible step give 12?
Prediction shrink_the_step(Lesson& lesson) {
    Table table({"h", "one-sided", "central"});
    for (const double h : {1e-1, 1e-3, 1e-5, 1e-8, 1e-12, 1e-15, 1e-16})
        table.row(number(h), number(one_sided(cube, 2, h), 10), number(central(cube, 2, h), 10));
    lesson.table(table, "Estimates of the derivative of x³ at 2. The right value is 12.");
    lesson.claim("differences-by-hand",
                 "differences for h = 0.1, largest distance from 12.61 and 12.01",
                 std::max(std::abs(one_sided(cube, 2, 0.1) - 12.61),
                          std::abs(central(cube, 2, 0.1) - 12.01)),
                 at_most(1e-9));
    const double slope = central(std::tanh, 0.5, 0.001), right = 1 - std::pow(std::tanh(0.5), 2);
    lesson.claim("tanh-correct", "tanh at 0.5: central difference against 1 - y²",
                 std::abs(slope - right), at_most(1e-6));
    lesson.claim("tanh-wrong", "tanh at 0.5: central difference against 1 - x²",
                 std::abs(slope - 0.75), at_least(0.03));
    return lesson.predict(
        "A derivative is measured by (f(x+h) - f(x-h)) / 2h, in arithmetic of 16 digits. Which "
        "h is best?",
        within_factor(10).from(0));
}

//! At first a smaller step is better. Then both get worse, and end at 0.
//!
//! ## How large a step?
//!
//! A float64 has about 16 digits (lesson {tensors}). If $f$ changes in the last of them only, the
//! difference is mostly rounding, and for $h = 10^{-16}$ even $2 + h$ is rounded to 2. So two
//! errors work against each other:
//!
//! $$ \text{error} \approx \frac{h^2}{6} |f'''| + \frac{\epsilon |f|}{h} . $$
//!
//! {no results} The first is that of the formula, from Taylor's series, with the third derivative
//! $f'''$; for $x^3$ it is $h^2$, the 0.01 above. The second is that of rounding: each value of $f$
//! is wrong by about $\epsilon |f|$, and dividing by $h$ enlarges that. The relative precision
//! $\epsilon$ is $10^{-16}$ for float64 and $6 \cdot 10^{-8}$ for float32. On logarithmic axes the
//! sum of both is a V.
//!
//! {no results} **By hand.** With $f$ and $f'''$ near 1, both have about the same size where $h^2 =
//! \epsilon / h$, so at $h = \epsilon^{1/3}$. For float64 that is $5 \cdot 10^{-6}$, and the error is
//! near $h^2 = 2.5 \cdot 10^{-11}$. For float32 it is near $10^{-5}$, and small mistakes hide
//! behind that. **Check gradients in float64**, also for a network trained in float32.
//!
//! Half the step has a quarter of the first error, so $(4 \, \Delta(h/2) - \Delta(h)) / 3$ has none
//! of it left (Richardson 1911). The library's `gradcheck` does that. We measure all on thirty
//! random functions.
//!
//! ![Make the step smaller. Why is 1000 + tanh(x) so hard?](live:step_size)
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

// The error of a difference as a function of its step: its geometric mean over thirty functions.
std::function<double(double)> error_of(Difference difference, Dtype dtype, std::uint64_t seed) {
    return [=](double h) {
        Rng rng(seed);
        double logs = 0;
        constexpr int problems = 30;
        for (int i = 0; i < problems; ++i) {
            const Problem drawn(rng);
            const Problem exact(drawn, Dtype::float64), rounded(drawn, dtype);
            Tensor x = clone(exact.x).set_requires_grad();
            const Tensor gradient = grad(exact.loss(x), {x})[0];
            const double truth = sum(gradient * exact.d).item();
            const double size =
                std::sqrt(sum(square(gradient)).item() * sum(square(exact.d)).item());
            logs += std::log(std::max(std::abs((rounded.*difference)(h)-truth) / size, 1e-18));
        }
        return std::exp(logs / problems);
    };
}

void compare_step_sizes(Lesson& lesson, Prediction guess) {
    lesson.heading("How large a step?");
    const std::uint64_t seed = lesson.seed();
    const StepErrors found = show_steps(
        lesson, {{"one-sided", error_of(&Problem::one_sided, Dtype::float64, seed)},
                 {"central", error_of(&Problem::central, Dtype::float64, seed)},
                 {"two central steps", error_of(&Problem::two_steps, Dtype::float64, seed)},
                 {"central, float32", error_of(&Problem::central, Dtype::float32, seed)}});
    lesson.reveal(guess, found.best_step(1));
    lesson.claim("best-step", "the best step of the central difference in float64",
                 found.best_step(1), between(1e-6, 2e-5));
    lesson.claim("slope-right", "slope of its error on the right of the minimum",
                 found.slope(1, 1e-1, 1e-3), between(1.8, 2.2));
    lesson.claim("slope-left", "slope of its error on the left of the minimum",
                 found.slope(1, 1e-7, 1e-11), between(-1.2, -0.8));
    lesson.claim("smallest-error", "smallest error of the central difference in float64",
                 found.smallest_error(1), at_most(2e-11));
    lesson.claim("smallest-error-float32", "its smallest error in float32, at any step",
                 found.smallest_error(3), at_least(1e-6));
    lesson.claim("library-error", "error of two steps at h = 0.001, the library's choice",
                 found.error_at(2, 1e-3), at_most(1e-12));
}

//! {if all 1.9 < slope-right < 2.1 and -1.1 < slope-left < -0.9} From right to left: at first each
//! step ten times smaller makes the central error 100 times smaller. Then rounding takes over, and
//! each makes it ten times larger. Float32 turns much earlier, high above the others. And $1000 +
//! \tanh x$ is hard because $|f|$, and with it the second error, is a thousand times as large.
//!
//! ## Which number to look at
//!
//! An operation returns a whole tensor $y$, and we need one number $L$. Is the sum good enough?
//!
//! {no results} Softmax turns the scores 2, 1 and 0 into the shares $y = (0.665, 0.245, 0.090)$.
//! Suppose somebody's softmax returns a gradient of zeros. The shares always sum to 1, so the
//! finite difference of the sum is 0. The wrong gradient is 0, too. The test passes.
//!
//! In the sum all changes cancel. A *covector* is a tensor $c$ of the same shape as $y$, by which
//! the elements of $y$ are multiplied before they are added up:
//!
//! $$ L(x) = \sum_i c_i \, y_i(x) . $$
//!
//! With random $c_i$ hardly any mistake cancels.
void draw_with_a_covector(Lesson& lesson) {
    lesson.heading("Which number to look at");
    lesson.show("covector", diagram_of_a_check({.covector = true}),
                "The check of an operation that returns a tensor: c makes one number of it.");
}

//! {no results} **By hand.** With $c = (1, 2, 0)$, $L = 0.665 + 2 \cdot 0.245 = 1.155$. The
//! derivative with respect to the score $x_j$ is $y_j (c_j - L)$, as lesson {probabilities} shows:
//! $-0.103$, $0.207$ and $-0.104$. You can check the first one: for the scores 2.01, 1 and 0, $L$ is
//! 0.001 smaller. None is 0, so the wrong softmax is caught.
//!
//! `largest_error` is a complete check:
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

//! Errors up to $10^{-7}$ pass: a right gradient stays a thousand times below that, and a forgotten
//! factor is far above.
void look_with_weights(Lesson& lesson) {
    const Tensor x = tensor({2, 1, 0}, Dtype::float64).set_requires_grad();
    const Tensor c = tensor({1, 2, 0}, Dtype::float64);
    const std::vector<double> plain = grad(sum(softmax(x)), {x})[0].to_vector(),
                              seen = grad(sum(c * softmax(x)), {x})[0].to_vector(),
                              by_hand{-0.103, 0.207, -0.104};
    Table table({"with respect to", "derivative of the sum", "with c = (1, 2, 0)"});
    double gap = 0;
    for (int j : {0, 1, 2}) {
        table.row(fmt::format("score {}", j + 1), fmt::format("{:.3f}", std::abs(plain[j])),
                  fmt::format("{:.3f}", seen[j]));
        gap = std::max(gap, std::abs(seen[j] - by_hand[j]));
    }
    lesson.table(table, "The right gradient of softmax at (2, 1, 0), without and with a covector.");
    lesson.claim("covector-by-hand",
                 "gradient with the covector against the numbers worked by hand", gap,
                 at_most(0.001));
}

//! ## Three wrong gradients
//!
//! Now we plant mistakes. `record` takes the value of an operation, its input, and a rule: it gets
//! the gradient $g$ of the result and returns that of the input. The last operation, flip, reverses
//! a vector, so its gradient must be reversed, too.
Tensor softmax_of_zeros(const std::vector<Tensor>& x) {
    return record("softmax", softmax(detach(x[0])), x[0], [](const Tensor& g) { return g * 0.0; });
}
Tensor tanh_of_the_opening(const std::vector<Tensor>& x) {
    const Tensor at = detach(x[0]);
    return record("tanh", tanh(at), x[0], [at](const Tensor& g) { return g * (1 - at * at); });
}
Tensor flip_not_put_back(const std::vector<Tensor>& x) {
    return record("flip", flip(detach(x[0]), 0), x[0], [](const Tensor& g) { return g; });
}

//! All three values are right, all three rules wrong:
void check_wrong_gradients(Lesson& lesson) {
    lesson.heading("Three wrong gradients");
    const Prediction guess = lesson.predict(
        "Three gradients are wrong. How many of them does a check with a plain sum miss?",
        within(0).from(0, 3));
    struct Wrong {
        std::string name;
        Shape shape;
        DifferentiableFunction f;
        double by_sum = 0, by_covector = 0;
    };
    std::vector<Wrong> three{{"softmax, all zeros", {3, 4}, softmax_of_zeros},
                             {"tanh, 1 - x²", {5}, tanh_of_the_opening},
                             {"flip, not put back", {5}, flip_not_put_back}};
    Rng rng(lesson.seed());
    Table table({"operation", "error by the sum", "error by a covector"});
    double missed = 0, found = 0;
    for (Wrong& wrong : three) {
        // Absolute values between 0.2 and 1.2.
        const Tensor sign = 2 * bernoulli(wrong.shape, 0.5, rng, Dtype::float64) - 1;
        const Tensor x = sign * uniform(wrong.shape, 0.2, 1.2, rng, Dtype::float64);
        wrong.by_sum = largest_error(wrong.f, {x}, nullptr);
        wrong.by_covector = largest_error(wrong.f, {x}, &rng);
        missed += wrong.by_sum <= 1e-7;
        found += wrong.by_covector > 1e-7;
        table.row(wrong.name, number(wrong.by_sum, 2), number(wrong.by_covector, 2));
    }
    lesson.table(table, "The largest error that each check finds. At most 1e-7 passes.");
    lesson.reveal(guess, missed);
    lesson.claim("sum-blind", "softmax with zero gradient: error found by the sum", three[0].by_sum,
                 at_most(1e-7));
    lesson.claim("covector-sees", "softmax with zero gradient: error found by the covector",
                 three[0].by_covector, at_least(0.1));
    lesson.claim("sum-misses", "wrong gradients of three that a sum misses", missed, equals(2));
    lesson.claim("covector-finds", "wrong gradients of three that a random covector finds", found,
                 equals(3));
}

}  // namespace

}  // namespace heed::lesson03

//! The sum cannot see the flip: the gradient that arrives is 1 everywhere, the same in both orders.
//! In a good test no two numbers are equal. Workshop {second_order} plants twelve mistakes. A test
//! with the sum, where all inputs are 1, finds {second_order/bugs-naive:0} of them. Even our check
//! misses one.
//!
//! ## What this does not show
//!
//! A check says nothing about inputs that it did not try. At a kink, such as that of relu, $\max(x,
//! 0)$, at 0, difference and gradient disagree, and neither is wrong. And if the function is not
//! the one you wanted, the check passes.
//!
//! Sources: Richardson (1911), two step sizes; Press et al., "Numerical Recipes" (2007), the best
//! step.
//!
//! ## Summary
//!
//! 1. A wrong gradient does not crash. A finite difference is a second way to the same number.
//! 2. The error of the formula falls with $h^2$, that of rounding grows with $1/h$. In float64 the
//!    best step is near $\epsilon^{1/3}$.
//! 3. Float32 is too coarse for a check.
//! 4. A random covector turns a tensor into one number. A sum does not see a softmax of zeros.
//! 5. Test with random inputs.
//!
//! ## Try this next
//!
//! 1. In `largest_error`, let `c` be 1, 2, 3, ... Is anything missed?
//! 2. Call `gradcheck` on a function of your own, and run it with `./heed run yours.cpp`.
using namespace heed;
using namespace heed::lesson03;

int main(int argc, char** argv) {
    Lesson lesson({.number = 3,
                   .name = "gradient_check",
                   .title = "How do you know a gradient is right?",
                   .question = "How do you know that a gradient is right, when a network may learn "
                               "even with a wrong one?",
                   .own_data = "random functions and three wrong gradients",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        draw_the_check(lesson);
        const Prediction best_step = shrink_the_step(lesson);
        compare_step_sizes(lesson, best_step);
        draw_with_a_covector(lesson);
        look_with_weights(lesson);
        check_wrong_gradients(lesson);
    });
}
