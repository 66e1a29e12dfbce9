//! # The gradient of a gradient
//!
//! This is a workshop. Read it after lesson {gradient_check}, or when you need a second derivative.
//!
//! {no results} Here is a $\tanh$ whose gradient is right. Its slope $1 - y^2$ is computed from the
//! right formula, and at $x = 0.5$ it gives 0.786, as it should. Every check of lesson
//! {gradient_check} passes, with any inputs and any covector. And yet there is a mistake in it: the
//! slope was stored as a constant. The engine does not know that it depends on $x$.
//!
//! As long as nobody differentiates the gradient, this does no harm. Some people do. They ask how a
//! gradient changes when the input moves, to see how sharply a loss is curved, or to train a
//! network whose loss contains a gradient. This $\tanh$ tells them that its slope never changes.
//! How does one compute the gradient of a gradient, and how does one find such a mistake? At the
//! end we try our checks on twelve gradients with a mistake in each.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/w2_second_order/experiment.h"
#include "lessons/w2_second_order/pictures.h"

namespace heed::workshop2 {

using namespace course;

namespace {

//! ## Record the backward pass
//!
//! A backward pass multiplies and adds. So a gradient is a result like any other, and it can be
//! differentiated, if the engine records the backward pass as well:
void draw_two_passes(Lesson& lesson) {
    lesson.heading("Record the backward pass");
    lesson.show("passes", diagram_of_two_passes(),
                "The first backward pass is recorded, so a second one can go through it.");
}

//! The second derivatives
//!
//! $$ H_{ij} = \frac{\partial^2 f}{\partial x_i \, \partial x_j} $$
//!
//! say how the derivative of $f$ with respect to $x_i$ changes when $x_j$ changes. The matrix of
//! all second derivatives is called the *Hessian*. Each of its rows is the gradient of one element
//! of the gradient, so it takes one more backward pass.
//!
//! **By hand.** Let $f = x_1^2 x_2$, with $x_1 = 3$ and $x_2 = 2$. The gradient is $(2 x_1 x_2, \;
//! x_1^2) = (12, 9)$. Differentiating both of its elements again gives
//!
//! $$ H = \begin{pmatrix} 2 x_2 & 2 x_1 \\ 2 x_1 & 0 \end{pmatrix}
//!      = \begin{pmatrix} 4 & 6 \\ 6 & 0 \end{pmatrix} . $$
//!
//! In code, the third argument of `grad` says that the backward pass is recorded. Everything else
//! is as before:
Tensor hessian_of(const Tensor& f, const Tensor& x) {  // f: one number, x [D] -> [D, D]
    const Tensor gradient = grad(f, {x}, true)[0];
    std::vector<Tensor> rows;
    for (int i = 0; i < x.size(0); ++i) rows.push_back(grad(select(gradient, 0, i), {x})[0]);
    return stack(rows);
}

//! The two numbers off the diagonal are equal. This is so for every smooth function, which is one
//! whose second derivatives change without jumps: it does not matter with respect to which input
//! one differentiates first. `hessian_of` does not use that. It computes row 1 and row 2 by
//! different backward passes. So whether its Hessian is equal to its own transpose is a strict
//! test, and it needs neither a formula nor a finite difference. We make it with six inputs and $f
//! = \sum_i x_i^2 x_{i+1}$, of which the example above is the case of two inputs.
Tensor neighbours(const Tensor& x) {  // the sum of xᵢ² xᵢ₊₁
    const int64_t n = x.size(0);
    return sum(square(slice(x, 0, 0, n - 1)) * slice(x, 0, 1, n));
}

void differentiate_twice(Lesson& lesson) {
    const Tensor two = tensor({3, 2}, Dtype::float64).set_requires_grad();
    lesson.claim(
        "hessian-by-hand",
        "Hessian for x1 = 3 and x2 = 2, largest difference from the numbers by hand",
        max(abs(hessian_of(neighbours(two), two) - tensor({4, 6, 6, 0}, {2, 2}, Dtype::float64)))
            .item(),
        at_most(1e-12));

    Rng rng(lesson.seed());
    const Tensor x = normal({6}, 0, 1, rng, Dtype::float64).set_requires_grad();
    const Tensor hessian = hessian_of(neighbours(x), x);
    lesson.show("hessian", map_of_hessian(hessian),
                "A Hessian that the program computed without a formula. Only an input and its "
                "neighbours have second derivatives that are not 0.");
    lesson.claim("hessian-symmetric", "the Hessian against its transpose",
                 max(abs(hessian - transpose(hessian))).item(), at_most(1e-12));
}

//! The Hessian of a network with a million weights has a million times a million elements, which
//! nobody can store. But its product with a vector takes only two passes, however many inputs there
//! are. That is exercise {second_order.1}.
//!
//! ## Right, and a constant by mistake
//!
//! Back to the $\tanh$ from the beginning. Its rule multiplies the gradient that arrives by a slope
//! that was computed from `detach(x)`, and what is computed from a detached tensor is a constant:
Tensor tanh_of_the_opening(const Tensor& x) {
    const Tensor y = tanh(detach(x)), slope = 1 - square(y);
    return record("tanh", y, x, [slope](const Tensor& g) { return g * slope; });
}

// The first and the second derivative of f(x)² / 2, as the engine computes them.
using Function = Tensor (*)(const Tensor&);
double first(Function f, double at) {
    const Tensor x = scalar(at, Dtype::float64).set_requires_grad();
    return grad(square(f(x)) / 2, {x})[0].item();
}
double second(Function f, double at) {
    const Tensor x = scalar(at, Dtype::float64).set_requires_grad();
    const Tensor gradient = grad(square(f(x)) / 2, {x}, true)[0];
    return grad(gradient, {x})[0].item();
}

//! {no results} **By hand.** Let the loss be $y^2 / 2$, so that the gradient that arrives is $y$
//! itself. At $x = 0.5$, $y = 0.462$ and $1 - y^2 = 0.786$. The gradient is $y (1 - y^2) = 0.363$.
//! Its derivative, by the rule of products, is $(1 - y^2)^2 - 2 y^2 (1 - y^2) = 0.619 - 0.336 =
//! 0.283$. For the program $1 - y^2$ is a constant, so the second term is missing, and it gets
//! 0.619.
//!
//! ![The first derivatives agree everywhere. Choose the second, and the curves part.](live:constant_slope)
//!
//! To find this, do with the gradient what lesson {gradient_check} does with the function: compare
//! the derivative that the program computes with a finite difference, here of the gradient.
void differentiate_the_opening(Lesson& lesson) {
    lesson.heading("Right, and a constant by mistake");
    const double x = 0.5, h = 1e-5;
    const auto loss = [](double at) { return std::pow(std::tanh(at), 2) / 2; };
    const double slope = (loss(x + h) - loss(x - h)) / (2 * h);
    const double bend =
        (first(tanh_of_the_opening, x + h) - first(tanh_of_the_opening, x - h)) / (2 * h);
    Table table({"derivative", "difference", "right tanh", "tanh of the opening"});
    table.row("first", number(slope, 4), number(first(tanh, x), 4),
              number(first(tanh_of_the_opening, x), 4));
    table.row("second", number(bend, 4), number(second(tanh, x), 4),
              number(second(tanh_of_the_opening, x), 4));
    lesson.table(table, "The derivatives of tanh(x)² / 2 at 0.5.");
    lesson.claim("constant-first", "tanh of the opening: error that the first order finds",
                 std::abs(first(tanh_of_the_opening, x) - slope), at_most(1e-7));
    lesson.claim("constant-by-hand", "largest distance from 0.363, 0.283 and 0.619",
                 std::max({std::abs(first(tanh, x) - 0.363), std::abs(second(tanh, x) - 0.283),
                           std::abs(second(tanh_of_the_opening, x) - 0.619)}),
                 at_most(0.0005));
    lesson.claim("constant-second", "tanh of the opening: error that the second order finds",
                 std::abs(second(tanh_of_the_opening, x) - bend), between(0.3358, 0.336));
}

//! ## A wrong gradient that agrees with itself
//!
//! So a check of the second order compares the gradient of the gradient with finite differences of
//! the gradient. Is it enough to make this check alone? If the second derivative is right, must not
//! the first be right, too?
//!
//! **By hand.** Suppose that somebody's gradient of $x^3$ is $2 x^2$; right is $3 x^2$. The program
//! differentiates this wrong gradient correctly, and gets $4 x$, which is 12 at $x = 3$. Finite
//! differences of the same $2 x^2$ give 12 as well. They agree, and the check passes. Yet the
//! gradient is $2 \cdot 3^2 = 18$, where $3 \cdot 3^2 = 27$ is right.
double cube(double x) { return x * x * x; }
double wrong_gradient(double x) { return 2 * x * x; }
double wrong_gradient_slope(double x) { return 4 * x; }  // its own derivative, which is right

double central(double (*f)(double), double x, double h) { return (f(x + h) - f(x - h)) / (2 * h); }

void check_the_second_order_alone(Lesson& lesson) {
    lesson.heading("A wrong gradient that agrees with itself");
    lesson.claim("second-order-only", "gradient 2x² of x³: error that the second order alone finds",
                 std::abs(central(wrong_gradient, 3, 1e-5) - wrong_gradient_slope(3)),
                 at_most(1e-7));
    lesson.claim("first-order-of-it", "gradient 2x² of x³: error that the first order finds",
                 std::abs(central(cube, 3, 1e-5) - wrong_gradient(3)), between(8.99, 9.01));
}

//! A wrong gradient that is differentiated correctly agrees with itself. So it has to be compared
//! with the function first, and only then with itself. The library's `gradcheck` of order 2 always
//! begins with order 1.
//!
//! ## What rounding does to a small step
//!
//! {no results} Lesson {gradient_check} took the derivative of $x^3$ at 2 with ever smaller steps,
//! and at $h = 10^{-15}$ the one-sided difference said 10.66 instead of 12. Why just this number?
//! Two neighbouring numbers of float64 near 8 are $1.776 \cdot 10^{-15}$ apart, and a computed
//! difference is a whole number of such gaps. The true one, $12 \cdot 10^{-15}$, is 6.8 gaps. The
//! computed one is 6, because $2 + h$ is rounded as well, to $2 + 0.89 \cdot 10^{-15}$. And $6
//! \cdot 1.776 = 10.66$.
//!
//! {no results} The remedy is a larger step with a better formula. The central difference has the
//! error $h^2$ here, so half the step makes a quarter of the error: $\Delta(0.1) = 12.01$ and
//! $\Delta(0.05) = 12.0025$. Four times the second minus the first is three times the derivative,
//! $48.01 - 12.01 = 36$, and the errors cancel. For other functions an error of the order of $h^4$
//! is left, about $10^{-12}$ at the step 0.001 of the library's `gradcheck`. With so large a step
//! rounding does little harm.
void look_at_the_last_digits(Lesson& lesson) {
    lesson.heading("What rounding does to a small step");
    const double gap = std::nextafter(8., 9.) - 8;
    lesson.claim("gaps", "from 2³ to (2 + h)³ for h = 1e-15, in gaps between numbers",
                 (cube(2 + 1e-15) - cube(2)) / gap, equals(6));
    lesson.claim("two-steps-by-hand", "two central steps of x³ at 2, distance from 12",
                 std::abs((4 * central(cube, 2, 0.05) - central(cube, 2, 0.1)) / 3 - 12),
                 at_most(1e-9));
}

//! ## What a covector may miss
//!
//! A check draws a random covector $c$. Can a wrong gradient escape by chance? Look at one element
//! of a gradient. It is $c_1$ times a number, plus $c_2$ times another number, and so on. If a
//! wrong gradient has this form, too, then so has its error, and the error is 0 only for very
//! special $c$: equal numbers for softmax, for example. The probability of drawing one of those is
//! 0.
//!
//! A few wrong gradients have another form. Relu is $\max(x, 0)$: it passes positive numbers on,
//! and makes 0 of the others. So its gradient passes $c_i$ on where $x_i$ is positive. The mistake
//! is to pass it on where $c_i$ itself is positive. For an element whose $x_i$ and $c_i$ have the
//! same sign, this makes no difference.
//!
//! **By hand.** Two random numbers have the same sign with probability 1/2. With one element, half
//! of all checks miss this mistake. With twenty elements, all signs have to agree, and the
//! probability is $2^{-20}$, about one in a million. So a check should use an input of more than
//! one element, and twenty cost next to nothing.
//!
//! ## Twelve wrong gradients
//!
//! The file `planted_bugs.cpp` has twelve operations. Each computes the right result. Eleven have a
//! wrong gradient, and the last one is the $\tanh$ from the beginning of this workshop. All are
//! mistakes that people really make: a mean instead of a sum, a forgotten factor, a transpose that
//! is missing.
//!
//! Some of the operations belong to later lessons. In short, they do the following:
//!
//! - **Layer norm** (lesson {transformer}) subtracts from the numbers of a row their mean, and
//!   divides them by their standard deviation, which is their typical distance from the mean.
//! - **A scaled product** is a product of matrices that is divided by a fixed number.
//! - **A bias** is a row of numbers that is added to every row of a table.
//! - **Cross-entropy** (lesson {probabilities}) makes one number from a table of scores, a mean
//!   over its rows.
//!
//! We run four checks on each operation:
//!
//! - **Ones.** All inputs are 1, and the output is summed. This is what one usually writes first.
//! - **Sum.** The inputs are random, and the output is summed.
//! - **Covector.** The inputs are random, and a random covector is used.
//! - **Order 2.** The library's `gradcheck` of order 2: the gradient, and then the gradient of the
//!   gradient.
//!
//! **By hand,** one of them. Flip makes $y = (x_3, x_2, x_1)$ of $x = (x_1, x_2, x_3)$. If $c = (1,
//! 2, 3)$ arrives at $y$, the gradient of $x$ is $(3, 2, 1)$. The mistake is to return $(1, 2, 3)$,
//! and a covector sees that. But a sum lets $(1, 1, 1)$ arrive, which is the same in both orders.
//!
//! The first three checks are the function `largest_error` of lesson {gradient_check}. Here it is
//! once more, so that you can change it:
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

void check_planted_bugs(Lesson& lesson) {
    lesson.heading("Twelve wrong gradients");
    const Prediction guess = lesson.predict(
        "Twelve gradients are wrong. The usual check sets all inputs to 1 and sums the output. "
        "How many of the twelve does it miss?",
        within(1).from(0, 12));
    const Caught caught = show_planted_bugs(lesson, largest_error);
    lesson.reveal(guess, 12 - caught.ones);
    lesson.claim("bugs-naive", "bugs found of twelve, with inputs of 1 and a sum", caught.ones,
                 at_most(6));
    lesson.measured("bugs-sum", "bugs found of twelve, with random inputs and a sum", caught.sum);
    lesson.claim("bugs-first-order", "bugs found of twelve, with random inputs and a covector",
                 caught.covector, at_least(11));
    lesson.claim("bugs-both-orders", "bugs found of twelve, with both orders", caught.both_orders,
                 equals(12));
    lesson.claim("correct-pass", "correct versions of the twelve that pass all checks",
                 caught.right_passed, equals(12));
    lesson.claim("judged-alike",
                 "bugs of twelve that the lesson's check and the library's judge alike",
                 caught.agreed, equals(12));
}

}  // namespace

}  // namespace heed::workshop2

//! {if all bugs-naive < bugs-first-order < bugs-both-orders and bugs-both-orders > 11.5} Inputs of
//! 1 and a sum find {bugs-naive:0} of the twelve bugs, random inputs and a sum {bugs-sum:0}, random
//! inputs and a covector {bugs-first-order:0}, and both orders together all twelve.
//!
//! Look at the bugs that inputs of 1 and a sum miss. With equal inputs, a rule that takes a wrong
//! one of them makes no difference, because all numbers are the same. With a sum, the gradient that
//! arrives at the operation is 1 everywhere. So a rule that forgets to transpose or to flip it back
//! still gives the right answer, for any input. In a good test no two numbers are equal.
//!
//! The one mistake that the covector misses is the $\tanh$ from the beginning. Its first derivative
//! is right, and no check of the first order can say more. In the program its slope never changes;
//! in the finite difference of the gradient it does.
//!
//! ## What this does not show
//!
//! `./heed gradcheck` runs every operation of the library in several shapes, because a check says
//! nothing about a shape that it did not try: an axis of size 1, or a table of which one row is
//! used twice. And a check takes two runs for each number of the input. For a network with a
//! million weights one takes a few random directions instead, and compares the derivative along
//! each of them; `gradcheck` does that for large inputs. It finds a mistake, but not where it is.
//!
//! We have checked the orders 1 and 2. `gradcheck` takes higher orders as well, but few people need
//! them.
//!
//! Sources: Griewank and Walther, "Evaluating Derivatives" (2008), on gradients of gradients;
//! Richardson (1911), two step sizes; Pearlmutter, "Fast Exact Multiplication by the Hessian"
//! (1994), the product of exercise {second_order.1}.
//!
//! ## Summary
//!
//! 1. A recorded backward pass can be differentiated. The Hessian has the gradient of one element
//!    of the gradient in each row.
//! 2. Its symmetry is a test that needs no formula.
//! 3. A wrong gradient that is differentiated correctly passes a check of the second order. Check
//!    the first order before the second.
//! 4. A random covector and an input of many elements let hardly any mistake escape. Inputs of 1
//!    and a sum let many escape.
//! 5. A gradient with the right value may still be a constant by mistake. Only the second order
//!    sees it.
//!
//! ## Try this next
//!
//! 1. In `planted_bugs.cpp`, add a bug of your own, the worst you can think of. Do the checks find
//!    it?
//! 2. In `largest_error`, let `c` hold the numbers 1, 2, 3, ...: how many bugs does it miss? Which
//!    of them, and why?
using namespace heed;
using namespace heed::workshop2;

int main(int argc, char** argv) {
    Lesson lesson({.workshop = 2,
                   .name = "second_order",
                   .title = "The gradient of a gradient",
                   .question = "How does one differentiate a gradient, and which mistakes does "
                               "only such a check find?",
                   .own_data = "a few formulas and twelve planted bugs",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        draw_two_passes(lesson);
        differentiate_twice(lesson);
        differentiate_the_opening(lesson);
        check_the_second_order_alone(lesson);
        look_at_the_last_digits(lesson);
        check_planted_bugs(lesson);
    });
}
