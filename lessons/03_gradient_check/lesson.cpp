//! # How do you know a gradient is right?
//!
//! {no results} Somebody adds the function $\tanh$ to an engine like that of lesson {autograd}. The
//! derivative of $y = \tanh x$ is $1 - y^2$. By mistake, they write $1 - x^2$. At $x = 0.5$ the
//! right value is 0.786, and theirs is 0.750. Nothing crashes. A network with this mistake still
//! learns, because the steps go roughly in the right direction. It learns only a little worse than
//! it could, and nobody knows how well it could have learned. Such mistakes can stay in a program
//! for years.
//!
//! How could we notice? We need a second way to the same number, one that does not use the formula.
//! There is one: a derivative says how much the output changes when the input changes a little. So
//! change the input a little, and look. This lesson shows how to do it well. Two questions decide
//! whether such a test finds anything: how large the change is, and which number is looked at. At
//! the end we try the test on twelve gradients with a mistake in each.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/03_gradient_check/experiment.h"
#include "lessons/03_gradient_check/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson03 {

using namespace course;

namespace {

//! ## Change the input and look
//!
//! A *finite difference* is an estimate of a derivative from two values of the function, at inputs
//! that differ by a small amount. There are two common ones. The *one-sided difference* takes a
//! step $h$ to one side, and the *central difference* takes a step of $h$ to both sides:
//!
//! $$ \frac{f(x + h) - f(x)}{h}, \qquad \Delta(h) = \frac{f(x + h) - f(x - h)}{2h} . $$
//!
//! $f$ is the function, $x$ the input, and $h$ the step, a small positive number.
//!
//! **By hand.** Take $f(x) = x^3$ at $x = 2$, where the derivative is $3 x^2 = 12$, and $h = 0.1$.
//! We have $2.1^3 = 9.261$, $2^3 = 8$ and $1.9^3 = 6.859$. The one-sided difference is
//! $1.261 / 0.1 = 12.61$. The central difference is $2.402 / 0.2 = 12.01$. Its error is 61 times
//! smaller, for the same step. We shall use the central one.
//!
//! {no results} It finds the mistake from the beginning of the lesson at once: for $\tanh$ at 0.5
//! and $h = 0.001$ it gives 0.78645, which is not 0.750.
//!
//! A finite difference is far too slow for training, because it needs new runs for each input
//! (lesson {autograd}). For a test that is no obstacle: a test is run once, on a small example.
double one_sided(double (*f)(double), double x, double h) { return (f(x + h) - f(x)) / h; }
double central(double (*f)(double), double x, double h) { return (f(x + h) - f(x - h)) / (2 * h); }

double cube(double x) { return x * x * x; }

//! {no results} 12.01 is not 12. A smaller step must be better, so the naive choice is the smallest
//! step that the computer can take. We try it:
void shrink_the_step(Lesson& lesson) {
    lesson.heading("Change the input and look");
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
}

//! At first a smaller step gives a better estimate: the central difference improves down to $h =
//! 10^{-5}$, the one-sided difference down to $10^{-8}$. With still smaller steps both get worse.
//! At the last step both estimates are 0, as if the function were constant. What happens?
//!
//! ## How large a step?
//!
//! {no results} A number in the computer has a limited number of digits (dtype, lesson {tensors}):
//! about 16 in float64, and about 7 in float32. Close to 8, two neighbouring numbers of float64 are
//! $1.8 \cdot 10^{-15}$ apart. With $h = 10^{-15}$, the true difference of $(2 + h)^3$ and $2^3$ is
//! $12 \cdot 10^{-15}$, and that is less than seven such gaps. The computed difference can only be
//! a whole number of gaps. Here it is 6 gaps and not 7, because $2 + h$ is rounded, too: its step
//! is $0.89 \cdot 10^{-15}$ and not $10^{-15}$. So the one-sided estimate is 10.66 instead of 12,
//! which is wrong by 11 percent. (The central difference with this step is better by luck: it has
//! two rounding errors, and they nearly cancel.) With $h = 10^{-16}$, even $2 + h$ is rounded to 2,
//! and the difference is 0.
//!
//! So two errors work against each other. The first is the error of the formula. Taylor's series
//! writes $f(x + h)$ as a sum of powers of $h$, each multiplied by a derivative of $f$ at $x$. If
//! we put it into the central difference, we get, with the third derivative $f'''$,
//!
//! $$ \Delta(h) = f'(x) + \frac{h^2}{6} f'''(x) + \dots $$
//!
//! {no results} For $x^3$ the third derivative is 6, so the error is exactly $h^2$, which is 0.01
//! for $h = 0.1$, as above. (The error of the one-sided difference is proportional to $h$ and not
//! to $h^2$.) The second is the error of rounding. Each value of $f$ is wrong by about $\epsilon
//! |f|$, where $\epsilon$ (epsilon) is the relative precision of the dtype, about $10^{-16}$ for
//! float64 and $6 \cdot 10^{-8}$ for float32. The division by $h$ enlarges this error. Together:
//!
//! $$ \text{error} \approx \frac{h^2}{6} |f'''| + \frac{\epsilon |f|}{h} . $$
//!
//! If $h$ becomes ten times smaller, the first term becomes a hundred times smaller, and the second
//! ten times larger. Drawn on logarithmic axes, the error falls along a straight line with the
//! slope 2 from the right, and rises along a line with the slope -1 to the left. It looks like a V.
//! The lowest point is where the two terms are about equal. If $f$ and $f'''$ are near 1, that is
//! near $h = \epsilon^{1/3}$.
//!
//! {no results} **By hand.** For float64, $\epsilon^{1/3}$ is the cube root of $10^{-16}$, about $5
//! \cdot 10^{-6}$. The error there is about $h^2 = 2 \cdot 10^{-11}$. So of 16 digits some 11 are
//! right: enough to find any mistake. For float32, $h$ is about 0.004 and the error about
//! $10^{-5}$. Small mistakes hide behind such an error. **Gradients should be checked in float64**,
//! also those of a network that is trained in float32.
//!
//! Two step sizes together do better still (Richardson 1911). The error of $\Delta(h)$ is four
//! times that of $\Delta(h/2)$, because $h$ enters as a square. So four times the second minus once
//! the first contains three times the derivative, and the errors cancel:
//!
//! $$ \frac{4 \, \Delta(h/2) - \Delta(h)}{3} . $$
//!
//! {no results} For $x^3$ with $h = 0.1$, $\Delta(0.05) = 12.0025$, and $(48.01 - 12.01) / 3 = 12$.
//! For other functions an error of the order of $h^4$ is left. At the step 0.001 that is about
//! $10^{-12}$, and with so large a step rounding does little harm. The library's `gradcheck` works
//! like this.
//!
//! We measure the errors on a function with eight inputs, as it could stand in a network. The point
//! $x$ is moved along a random direction $d$. The curves are means over thirty random functions of
//! this kind. (`experiment.cpp` draws them.)
//!
//! ![Make the step smaller: the error falls with the square of the step, until rounding takes over and it rises again. In float32 this happens much earlier. What does the `relu` show at 1, and why is 1000 + tanh(x) so hard?](live:step_size)
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

void compare_step_sizes(Lesson& lesson) {
    lesson.heading("How large a step?");
    const Prediction guess = lesson.predict(
        "A derivative is measured by (f(x+h) - f(x-h)) / 2h, in arithmetic of 16 digits. Which "
        "h is best?",
        within_factor(10));
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

//! Read the figure from right to left. At large steps the error is that of the formula. {if all 1.9
//! < slope-right < 2.1 and -1.1 < slope-left < -0.9} When $h$ becomes ten times smaller, the error
//! of the one-sided difference becomes 10 times smaller, that of the central difference 100 times,
//! and that of two central steps 10,000 times. Then each curve reaches its lowest point. To the
//! left of it, the error is that of rounding. All the curves of float64 rise along nearly the same
//! line there, because rounding does not depend on the formula. The better the formula is, the
//! larger is the step at which the curve turns, and the lower is the lowest point. The curve of
//! float32 turns at a step that is about a thousand times as large as that of the same formula in
//! float64, and its lowest point is high above all others. At its left end it is flat: such a small
//! step hardly ever changes a number of float32, so the estimate is 0 there, and a smaller step
//! makes it no worse.
//!
//! ## Which number to look at
//!
//! So far the function had one number as its result. An operation of a network has a whole tensor
//! $y$ as its result, and we need one number $L$ to differentiate. The naive choice is the sum of
//! all elements. Watch it fail.
//!
//! The function softmax turns scores into positive weights that sum to 1: it takes the exponential
//! $e^{x_i}$ of each score and divides it by the sum of all (lesson {probabilities} is about it).
//! For the scores 2, 1 and 0 it gives $y = (0.665, 0.245, 0.090)$. Suppose that somebody's softmax
//! returns a gradient of zeros, for every input. That is about as wrong as a gradient can be. Now
//! test it with $L = y_1 + y_2 + y_3$. This sum is 1 for all scores. If we change a score a little,
//! the sum does not change, so the finite difference is 0. The wrong gradient is 0, too. The test
//! passes.
//!
//! The sum gives every element of $y$ the same weight, and with equal weights all changes cancel.
//! So take different weights. A *covector* is a tensor $c$ of the same shape as $y$, by which the
//! elements of $y$ are multiplied before they are added up to one number:
//!
//! $$ L(x) = \sum_i c_i \, y_i(x) . $$
//!
//! For a gradient check, the numbers $c_i$ are drawn at random. What is the risk that a wrong
//! gradient escapes? A right gradient is linear in $c$: it is a sum in which each $c_i$ stands
//! once, multiplied by a number that does not depend on $c$. Most wrong gradients are linear in
//! $c$, too. Then the mistake is invisible only for very special $c$, such as equal numbers for
//! softmax, and the probability of drawing one of those is 0. A few wrong gradients are not linear
//! in $c$. Such a mistake may also escape by chance, but the more elements the input has, the less
//! likely that is. (One of the twelve mistakes below is of this kind. Its operation, relu, lets
//! positive inputs pass and makes 0 of the others. The wrong gradient asks whether the arriving
//! gradient is positive, instead of asking whether the input is.)
//!
//! **By hand.** Take $c = (1, 2, 0)$. Then $L = 0.665 + 2 \cdot 0.245 = 1.155$. The derivative of
//! this $L$ with respect to the score $x_j$ is $y_j (c_j - L)$; that follows from the chain rule.
//! The three derivatives are $0.665 \cdot (1 - 1.155) = -0.103$, $0.245 \cdot (2 - 1.155) = 0.207$
//! and $0.090 \cdot (0 - 1.155) = -0.104$. None of them is 0, so the wrong softmax is caught.
//!
//! The code of this section is a complete gradient check, the function `largest_error`. It takes
//! one element of each input after the other, and compares its derivative from the backward pass
//! with the central difference. Where the derivative is larger than 1, it divides the error by the
//! size of the derivative, because a large derivative has larger rounding errors.
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

//! An error of at most $10^{-7}$ passes. Why just this number? The check uses the step $10^{-5}$.
//! If $f$ and $f'''$ are near 1, the formula for the error gives $10^{-10} / 6 + 10^{-16} /
//! 10^{-5}$, which is about $3 \cdot 10^{-11}$. So a right gradient stays more than a thousand
//! times below the bound. And a real mistake is far above it: a forgotten factor of 2, a missing
//! term or a wrong sign gives an error of the size of the gradient.
void look_with_weights(Lesson& lesson) {
    lesson.heading("Which number to look at");
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
    lesson.show("check", diagram_of_a_check(),
                "A gradient check: two ways from the same inputs to the same numbers.");
    lesson.claim("covector-by-hand",
                 "gradient with the covector against the numbers worked by hand", gap,
                 at_most(0.001));
}

//! ## Twelve wrong gradients
//!
//! The file `planted_bugs.cpp` has twelve operations. Each computes the right result. Eleven have a
//! wrong gradient, and the last one has a wrong gradient of its gradient. All are mistakes that
//! people really make: a mean instead of a sum, a forgotten factor, a transpose that is missing.
//!
//! **By hand,** one of them. The operation flip returns a vector in reverse order: from
//! $x = (x_1, x_2, x_3)$ it makes $y = (x_3, x_2, x_1)$. Its gradient has to be put back into the
//! old order. If $c = (1, 2, 3)$ is the gradient that arrives at $y$, the gradient of $x$ is
//! $(3, 2, 1)$. The mistake is to forget this, and to return $(1, 2, 3)$. With a covector, the
//! difference is plain. But if $L$ is the sum of all elements, the gradient that arrives is
//! $(1, 1, 1)$, and that is the same in both orders. So a sum cannot see this mistake, for any
//! input.
//!
//! Some of the twelve operations belong to later lessons. In short, they do the following. Layer
//! norm (lesson {transformer}) subtracts from the numbers of a row their mean, and divides them by
//! their standard deviation, which is their typical distance from the mean. Relu is $\max(x, 0)$:
//! it replaces every negative number by 0. A scaled product is a product of matrices that is
//! divided by a fixed number. A bias is a row of numbers that is added to every row of a table.
//! Cross-entropy (lesson {probabilities}) makes one number from a table of scores, a mean over its
//! rows.
//!
//! We run four checks on each operation:
//!
//! - **Ones.** All inputs are 1, and the output is summed. This is what one usually writes first.
//! - **Sum.** The inputs are random, and the output is summed.
//! - **Covector.** The inputs are random, and a random covector is used.
//! - **Order 2.** The library's `gradcheck` of order 2. It checks the gradient like the third one,
//!   and then the gradient of the gradient.
//!
//! Why is the second order worth a check? The last of the twelve bugs has a right gradient: the
//! numbers $1 - y^2$ are correct. But they are stored as constants. The engine does not know that
//! they depend on $x$, so it believes that their derivative is 0.
//!
//! And why does a check of order 2 begin with order 1? Suppose that somebody's gradient of $x^3$ is
//! $2 x^2$ instead of $3 x^2$. A second-order check compares the derivative of the gradient **in
//! the program**, $4 x$, with finite differences of the same wrong gradient. At $x = 2$ the first
//! is $4 \cdot 2 = 8$, and the second is 8, too. They agree, and the check of the second order
//! passes. Yet the gradient itself is wrong: at $x = 2$ it is $2 \cdot 2^2$, where $3 \cdot 2^2 =
//! 12$ is right. (That $2 \cdot 2^2$ is 8 as well is a coincidence.) A wrong gradient that is
//! differentiated correctly agrees with itself, so it has to be compared with the function first.
double wrong_gradient(double x) { return 2 * x * x; }    // of cube(x)
double wrong_gradient_slope(double x) { return 4 * x; }  // its own derivative, which is right

void check_planted_bugs(Lesson& lesson) {
    lesson.heading("Twelve wrong gradients");
    const Prediction guess = lesson.predict(
        "Twelve gradients are wrong. The usual check sets all inputs to 1 and sums the output. "
        "How many of the twelve does it miss?",
        within(1));
    const Caught caught = show_planted_bugs(lesson, largest_error);
    lesson.reveal(guess, 12 - caught.ones);
    lesson.claim("sum-blind", "softmax with zero gradient: error found by the sum",
                 caught.softmax_sum, at_most(1e-7));
    lesson.claim("covector-sees", "softmax with zero gradient: error found by the covector",
                 caught.softmax_covector, at_least(0.1));
    lesson.claim("bugs-naive", "bugs found of twelve, with inputs of 1 and a sum", caught.ones,
                 at_most(6));
    lesson.claim("bugs-first-order", "bugs found of twelve, with random inputs and a covector",
                 caught.covector, at_least(11));
    lesson.claim("bugs-both-orders", "bugs found of twelve, with both orders", caught.both_orders,
                 equals(12));
    lesson.claim("second-order-only", "gradient 2x² of x³: error that the second order alone finds",
                 std::abs(central(wrong_gradient, 2, 1e-5) - wrong_gradient_slope(2)),
                 at_most(1e-7));
    lesson.claim("first-order-of-it", "gradient 2x² of x³: error that the first order finds",
                 std::abs(central(cube, 2, 1e-5) - wrong_gradient(2)), between(3.99, 4.01));
    lesson.claim("correct-pass", "correct versions of the twelve that pass all checks",
                 caught.right_passed, equals(12));
    lesson.claim("judged-alike",
                 "bugs of twelve that the check above and the library's judge alike", caught.agreed,
                 equals(12));
}

}  // namespace

}  // namespace heed::lesson03

//! {if all bugs-naive < bugs-first-order < bugs-both-orders and bugs-both-orders > 11.5} Inputs of
//! 1 and a sum find {bugs-naive:0} of the twelve bugs, random inputs and a covector
//! {bugs-first-order:0}, and both orders together all twelve.
//!
//! Look at the bugs that inputs of 1 and a sum miss. With equal inputs, a rule that takes a wrong
//! one of them makes no difference, because all numbers are the same. With a sum, the gradient that
//! arrives at the operation is 1 everywhere. So a rule that forgets to transpose or to flip it back
//! still gives the right answer, for any input. In a good test no two numbers are equal.
//!
//! ## What this does not show
//!
//! A check does not show that a gradient is right for all inputs. It says nothing about inputs that
//! it did not try: another shape, an axis of size 1, a table of which one row is used twice. So
//! `./heed gradcheck` runs every operation of the library in several shapes. At a kink, such as
//! that of relu, $\max(x, 0)$, at 0, the finite difference and the gradient disagree, and neither
//! is wrong. And a check compares the gradient with the function as it is written in the program.
//! If that is not the function you wanted, the check passes all the same. Finally, a check costs
//! two runs for each number of the input. It is a test for single operations and small models, not
//! for a network with a million weights.
//!
//! Sources: Richardson (1911), for two step sizes; Press et al., "Numerical Recipes" (2007), for
//! the best step.
//!
//! ## Summary
//!
//! 1. A wrong gradient does not crash, and a network learns with it. A finite difference is a
//!    second, independent way to the same number.
//! 2. The error of the central difference has two parts: that of the formula falls with $h^2$, and
//!    that of rounding grows with $1/h$. The best step in float64 is near $\epsilon^{1/3}$, and
//!    float32 is too coarse.
//! 3. Two steps of different size cancel the largest error of the formula.
//! 4. A tensor has to be turned into one number by a random covector. A plain sum does not see a
//!    softmax with a gradient of zeros.
//! 5. Inputs should be random, and the second order should be checked together with the first,
//!    never alone.
//!
//! ## Try this next
//!
//! 1. In `error_of`, set `size` to 1, so that errors are absolute: which curves change, and why?
//! 2. In `largest_error`, let `c` hold the numbers 1, 2, 3, ...: how many bugs does it miss?
//! 3. In `planted_bugs.cpp`, add a bug of your own, the worst you can think of. Do the checks find
//!    it?
//! 4. Write a program with one call of `gradcheck` on a function of your own, and run it with
//!    `./heed run yours.cpp`.
using namespace heed;
using namespace heed::lesson03;

int main(int argc, char** argv) {
    Lesson lesson({.number = 3,
                   .name = "gradient_check",
                   .title = "How do you know a gradient is right?",
                   .question = "How do you know that a gradient is right, when a network learns "
                               "even with a wrong one?",
                   .own_data = "random functions and twelve planted bugs",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        shrink_the_step(lesson);
        compare_step_sizes(lesson);
        look_with_weights(lesson);
        check_planted_bugs(lesson);
    });
}
