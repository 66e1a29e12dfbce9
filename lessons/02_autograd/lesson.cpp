//! # A program that differentiates itself
//!
//! In lesson {attention} we made up the vectors of three words, and the right word got the best
//! score. Nobody will make up the vectors of ten thousand words. A program has to find them: it
//! begins with random numbers, sees that a score is wrong, and changes its numbers a little. But
//! which of them, in which direction, and how far?
//!
//! Think of the numbers as knobs, and of the score as a dial. How fast does the dial move when one
//! knob is turned? That is a derivative. A large network needs a billion of them, again and again.
//! A program of forty lines finds them all in one go.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/02_autograd/experiment.h"
#include "lessons/02_autograd/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson02 {

using namespace course;

namespace {

//! ## A machine with three knobs
//!
//! In the smallest machine of this kind a vector has one number. The word 학생 is the number $x$.
//! With two more numbers, $w$ and $b$, the query is $\tanh(w x + b)$. The function $\tanh$ squeezes
//! any number into the range from -1 to 1. Query times word is the score $y$:
//!
//! $$ y = x \tanh(w x + b) . $$
const double point[] = {0.8, 1.5, -0.4};  // x, w, b
const auto score = [](auto x, auto w, auto b) { return x * tanh(w * x + b); };

//! As a drawing:
void draw_the_machine(Lesson& lesson) {
    lesson.heading("A machine with three knobs");
    const RememberValues remember;  // for the picture
    Tensor leaves[3];
    for (int i : {0, 1, 2}) leaves[i] = scalar(point[i], Dtype::float64).set_requires_grad();
    const Tensor y = score(leaves[0], leaves[1], leaves[2]);
    backward(y);
    lesson.show("machine", picture_of(y, {{"x", leaves[0]}, {"w", leaves[1]}, {"b", leaves[2]}}),
                "Values are computed from left to right. Then the slopes go "
                "from right to left: how fast the score moves when this value does.");
}

//! We want a higher score. Which knob should we turn?
//!
//! **First attempt: turn each and look.** Three knobs take three more runs, a billion knobs a
//! billion, for a single step.
//!
//! **Second attempt: a formula for each knob.** The *chain rule* says that the derivative of a
//! chain of steps is the product of the derivatives of its steps. The slope of $\tanh$ where its
//! value is $h$ is $1 - h^2$. So, with $h = \tanh(w x + b)$,
//!
//! $$ \frac{\partial y}{\partial x} = h + x w (1 - h^2), \quad
//!    \frac{\partial y}{\partial w} = x^2 (1 - h^2), \quad
//!    \frac{\partial y}{\partial b} = x (1 - h^2). $$
//!
//! The sign $\partial$ stands for a derivative with respect to one input, with the others held
//! fixed. The *gradient* of $y$ is the list of these derivatives, one for each input.
//!
//! {no results} **By hand.** $h = 0.664$ and $1 - h^2 = 0.559$. The gradient is $0.664 + 0.8 \cdot
//! 1.5 \cdot 0.559 = 1.335$ for $x$, $0.8^2 \cdot 0.559 = 0.358$ for $w$ and $0.8 \cdot 0.559 =
//! 0.447$ for $b$. If any of the three grows, the score grows, and $x$ has the largest effect.
std::vector<double> gradient_by_hand(double x, double w, double b) {
    const double h = std::tanh(w * x + b), slope = 1 - h * h;
    return {h + x * slope * w, x * x * slope, x * slope};
}

//! This fails, too. A network is a formula of many pages, and somebody would have to write another
//! one for each of its numbers.
//!
//! ## A tape in forty lines
//!
//! But the work by hand was mechanical, so let the program do it. While it computes, it keeps a
//! *tape*, a list with one line for each step. A line says which earlier lines the step used, and
//! how fast its result changes with each of them:
//!
//! {no results}
//! | line | step | value | used | derivatives |
//! | --- | --- | --- | --- | --- |
//! | 0, 1, 2 | $x$, $w$, $b$ | 0.8, 1.5, -0.4 | | |
//! | 3 | $w x$ | 1.2 | 1 and 0 | 0.8 and 1.5 |
//! | 4 | $w x + b$ | 0.8 | 3 and 2 | 1 and 1 |
//! | 5 | $\tanh$ | 0.664 | 4 | 0.559 |
//! | 6 | $x \tanh$ | 0.531 | 0 and 5 | 0.664 and 0.8 |
//!
//! On line 3, if $w$ grows by a little, $w x$ grows by $x = 0.8$ times as much. Nobody has to know
//! the whole formula for that.
//!
//! Computing $y$ is the *forward pass*. In the *backward pass* the program goes through the tape
//! from the last line to the first. Let $g_t$ be the derivative of $y$ with respect to line $t$. It
//! is 1 for the last line; the others begin with 0. Line $t$ changes the $g_i$ of each line $i$
//! that it used:
//!
//! $$ g_i \leftarrow g_i + g_t \, \frac{\partial v_t}{\partial v_i} . $$
//!
//! The arrow means that $g_i$ is replaced by the right side; $v_t$ is the value of line $t$, and
//! the derivative is noted on the tape. The product is the chain rule.
//!
//! {no results} **By hand.** $g_6 = 1$. Line 6 adds 0.664 to $g_0$ and 0.8 to $g_5$. Line 5 adds
//! $0.8 \cdot 0.559 = 0.447$ to $g_4$, and line 4 adds it to $g_3$ and $g_2$. Line 3 adds $0.447
//! \cdot 0.8 = 0.358$ to $g_1$ and $0.447 \cdot 1.5 = 0.671$ to $g_0$. So $g_0 = 0.664 + 0.671 =
//! 1.335$, $g_1 = 0.358$ and $g_2 = 0.447$, as before.
//!
//! ![Our score. Type another expression, and read its tape: each box is one operation with its value and its slope.](live:tape)
//!
//! Why backwards? A line is used only by later lines. When the pass comes to it, its $g_t$ is
//! complete, so one pass serves all inputs. The field calls this reverse mode. Here is the whole
//! program:
template <class T>
struct Tape {
    struct Line {
        int input[2];  // earlier lines, or -1
        T slope[2];    // the derivatives with respect to them
    };
    std::vector<Line> lines;

    int write(int a = -1, T slope_a = {}, int b = -1, T slope_b = {}) {
        lines.push_back({{a, b}, {slope_a, slope_b}});
        return static_cast<int>(lines.size()) - 1;
    }
    std::vector<T> backward(int last) const {
        std::vector<T> g(lines.size(), T(0));
        g[last] = T(1);
        for (int t = last; t >= 0; --t)
            for (int i : {0, 1})
                if (const int from = lines[t].input[i]; from >= 0)
                    g[from] += g[t] * lines[t].slope[i];
        return g;
    }
};

//! A number carries the tape line that computed it:
template <class T>
struct Taped {
    Tape<T>* tape;
    T value;
    int line;

    friend Taped operator+(Taped a, Taped b) {
        return {a.tape, a.value + b.value, a.tape->write(a.line, T(1), b.line, T(1))};
    }
    friend Taped operator*(Taped a, Taped b) {
        return {a.tape, a.value * b.value, a.tape->write(a.line, b.value, b.line, a.value)};
    }
    friend Taped tanh(Taped x) {
        using std::tanh;
        const T y = tanh(x.value);
        return {x.tape, y, x.tape->write(x.line, T(1) - y * y)};
    }
};

//! ## Three ways to the same gradient
//!
//! The *engine* of this course, the part of its library that records and differentiates, does the
//! same with whole tensors. Each step is a *node*, an object that refers to the nodes whose results
//! it used. All nodes form a *graph*, which leads
//! from the result back to everything that it depends on. The nodes of the inputs are its *leaves*;
//! `set_requires_grad` makes a tensor a leaf, and `backward` goes through the graph.
std::vector<double> gradient_by_tape() {
    Tape<double> tape;
    Taped<double> leaves[3];
    for (int i : {0, 1, 2}) leaves[i] = {&tape, point[i], tape.write()};
    return tape.backward(score(leaves[0], leaves[1], leaves[2]).line);
}

std::vector<double> gradient_by_engine() {
    Tensor leaves[3];
    for (int i : {0, 1, 2}) leaves[i] = scalar(point[i], Dtype::float64).set_requires_grad();
    backward(score(leaves[0], leaves[1], leaves[2]));
    return {leaves[0].grad().item(), leaves[1].grad().item(), leaves[2].grad().item()};
}

//! All three have to agree:
void compare_three_gradients(Lesson& lesson) {
    lesson.heading("Three ways to the same gradient");
    const std::vector<double> by_hand = gradient_by_hand(point[0], point[1], point[2]),
                              g = gradient_by_tape(), engine = gradient_by_engine();

    Table table({"input", "by hand", "tape", "engine"});
    double gap = 0;
    for (int i : {0, 1, 2}) {
        table.row(std::string(1, "xwb"[i]), number(by_hand[i], 9), number(g[i], 9),
                  number(engine[i], 9));
        gap = std::max({gap, std::abs(g[i] - by_hand[i]), std::abs(engine[i] - by_hand[i])});
    }
    lesson.table(table, "The gradient of y = x tanh(w x + b) at x = 0.8, w = 1.5, b = -0.4.");
    lesson.claim("three-gradients", "gradient by hand, tape and engine, largest difference", gap,
                 at_most(1e-12));
}

//! ## Two rules of sums
//!
//! {no results} **A value that is used several times collects the sum of its gradients.** If the
//! two $x$ of $x \tanh(w x + b)$ were two knobs, the first would have the derivative 0.664 and the
//! second 0.671. Turned together, their effects add up: 1.335. On the tape this rule is the `+=`.
//!
//! **The gradient of a broadcast tensor is the sum over the axes along which it was repeated.** Let
//! a row $r$ be added to both rows of a table (broadcasting, lesson {tensors}). Each of its numbers
//! is used twice. If the gradient of the table has the rows $(1, 5)$ and $(2, 3)$, that of $r$ is
//! their sum, $(3, 8)$. Summing is the *adjoint* of repeating, the operation that carries the
//! gradient from the result back to the input.
void two_rules(Lesson& lesson) {
    lesson.heading("Two rules of sums");
    Rng rng(lesson.seed());
    const auto f = [](const Tensor& a, const Tensor& b) { return sum(a * tanh(b) + sin(a * b)); };
    Tensor x = normal({5}, 0, 1, rng, Dtype::float64).set_requires_grad();
    Tensor a = clone(x).set_requires_grad(), b = clone(x).set_requires_grad();
    const auto separate = grad(f(a, b), {a, b});
    lesson.claim("used-twice", "gradient of x used twice against the sum of two separate ones",
                 max(abs(grad(f(x, x), {x})[0] - (separate[0] + separate[1]))).item(),
                 at_most(1e-12));

    const Tensor rows = normal({4, 5}, 0, 1, rng, Dtype::float64), g = square(rows);
    const Tensor of_x = grad(rows + x, {x}, false, g)[0];  // g: the gradient of rows + x
    const double gap = max(abs(of_x - sum(g, 0))).item();
    lesson.claim("broadcast-gradient", "gradient of a broadcast x against the column sums", gap,
                 at_most(1e-12));
}

//! ## The gradient of a product of matrices
//!
//! Most of the work of a network is in products of matrices, $C = AB$. Let $L$ be a number computed
//! from $C$, and $G$ its gradient. In $C_{ij} = \sum_k A_{ik} B_{kj}$ the number $B_{kj}$ is used
//! once for every row $i$, multiplied by $A_{ik}$. By the rule of sums, its derivative is $\sum_i
//! A_{ik} G_{ij}$: again a product of matrices.
//!
//! $$ \frac{\partial L}{\partial B} = A^\top G, \qquad \frac{\partial L}{\partial A} = G B^\top . $$
//!
//! $A^\top$ is the transpose.
//!
//! **By hand.** Let the rows of $A$ be the words 나는, 학생 and 이다 of lesson {attention}, and the
//! columns of $B$ two queries. Then $C_{ij}$ is the score of word $i$ for query $j$. Take $L =
//! C_{20} + 2 C_{11}$, the score of 이다 for the first query and twice that of 학생 for the second
//! (indices from 0):
//!
//! $$ A^\top G = \begin{pmatrix} 3 & 2 & 0 \\ 0 & 1 & 2 \end{pmatrix}
//!    \begin{pmatrix} 0 & 0 \\ 0 & 2 \\ 1 & 0 \end{pmatrix}
//!    = \begin{pmatrix} 0 & 4 \\ 2 & 2 \end{pmatrix} . $$
//!
//! The gradient of the first query is $(0, 2)$, the vector of 이다. That of the second is $(4, 2)$,
//! twice the vector of 학생. **To raise the score of a word, move the query towards the word.** In
//! lesson {attention} your hand did that.
void gradient_of_a_product(Lesson& lesson) {
    lesson.heading("The gradient of a product of matrices");
    const Tensor A = tensor({3, 0, 2, 1, 0, 2}, {3, 2});                // three words
    const Tensor B = tensor({0, 1, 2, 1}, {2, 2}).set_requires_grad();  // two queries
    const Tensor G = tensor({0, 0, 0, 2, 1, 0}, {3, 2});
    backward(sum(G * matmul(A, B)));  // C_20 + 2 C_11
    lesson.claim(
        "query-gradient",
        "gradient of two queries: engine against the formula and the numbers by hand",
        max(abs(B.grad() - matmul(transpose(A), G)) + abs(B.grad() - tensor({0, 4, 2, 2}, {2, 2})))
            .item(),
        equals(0));
}

//! ## What does it cost?
//!
//! A step with two inputs is one operation forward. Backward, each input takes a multiplication and
//! an addition: four. A step with one input takes two, and its derivative may take two more, as
//! that of $\tanh$ does. So for $+$, $\cdot$ and $\tanh$
//!
//! $$ \text{operations backward} \le 4 \cdot \text{operations forward} , $$
//!
//! **whatever the number of inputs is.** Without this there would be no large networks.
//!
//! **By hand.** A product of $n$ numbers takes $n - 1$ operations forward and $4 (n - 1)$ backward.
//! Now take a *neuron*, a unit of a network that adds up its inputs, each multiplied by a number of
//! its own, its weight, and applies a function such as $\tanh$. Numbers of the type `Counted` count
//! their operations.
template <class T>
Taped<T> operator*(Taped<T> a, T constant) {
    return {a.tape, a.value * constant, a.tape->write(a.line, constant)};
}

template <class Function>
double backward_cost(const Function& f, int n) {
    const std::vector<Counted> x(n, 0.5);
    Counted::operations = 0;
    f(x);
    const double forward = Counted::operations;

    Tape<Counted> tape;
    std::vector<Taped<Counted>> leaves;
    for (Counted value : x) leaves.push_back({&tape, value, tape.write()});
    Counted::operations = 0;
    tape.backward(f(leaves).line);
    return (Counted::operations - forward) / forward;
}

//! Both, for up to 10,000 inputs:
void count_operations(Lesson& lesson) {
    lesson.heading("What does it cost?");
    const Prediction guess = lesson.predict(
        "A neuron has 10,000 weights. How many times more work is its gradient than the neuron "
        "itself?",
        within_factor(1.25).from(0));
    LinePlot plot{.x_label = "inputs", .y_label = "runs", .log_x = true, .log_y = true};
    plot.series = {{"one input at a time"}, {"backward: product"}, {"backward: neuron"}};
    double most = 0;
    for (int n : {2, 10, 100, 1000, 10000}) {
        const double costs[] = {double(n), backward_cost(product, n), backward_cost(neuron, n)};
        for (int i : {0, 1, 2}) {
            plot.series[i].x.push_back(n);
            plot.series[i].y.push_back(costs[i]);
        }
        most = std::max({most, costs[1], costs[2]});
    }
    lesson.show(
        "cost", plot,
        "The cost of a gradient in runs of the program, counted. Trying one input after the "
        "other takes as many runs as there are inputs; the tape takes three or four.");
    lesson.reveal(guess, plot.series[2].y.back());
    lesson.claim("backward-cost", "largest cost of backward, in forward runs", most, at_most(4));
}

}  // namespace

}  // namespace heed::lesson02

//! {if all backward-cost < 4.1 and backward-cost > 3.9} The product costs {backward-cost:0} runs,
//! as the formula says. The neuron costs three: its data are constants, so each of its products has
//! one input on the tape.
//!
//! ## What this does not show
//!
//! We counted operations, not bytes: all values are kept for the backward pass, which limits long
//! sequences (lesson {memory}). The chain rule cannot differentiate a random choice (lesson
//! {reinforce}). Somebody has to write the derivative of each step; lesson {gradient_check} finds
//! their mistakes. Workshop {second_order} differentiates the backward pass once more.
//!
//! Sources: Wengert, "A Simple Automatic Derivative Evaluation Program" (1964), the list of steps;
//! Linnainmaa, "The Representation of the Cumulative Rounding Error" (1970), the backward pass;
//! Baur and Strassen, "The Complexity of Partial Derivatives" (1983), its cost.
//!
//! ## Summary
//!
//! 1. The gradient says how fast a result changes with each of its inputs.
//! 2. A program notes each step with its derivatives on a tape. One pass back gives all of them.
//! 3. Gradients of several uses are added, so what was repeated forward is summed backward.
//! 4. For a product $C = AB$ the gradients are $A^\top G$ and $G B^\top$.
//! 5. For sums, products and $\tanh$ a backward pass costs at most four forward passes, for any
//!    number of inputs.
//!
//! ## Try this next
//!
//! 1. In `Tape::backward` make `+=` a plain `=`. Which claim fails, and which still hold?
//! 2. In `gradient_of_a_product`, make `A` a leaf and check its gradient by hand.
using namespace heed;
using namespace heed::lesson02;

int main(int argc, char** argv) {
    Lesson lesson({.number = 2,
                   .name = "autograd",
                   .title = "A program that differentiates itself",
                   .question = "How can a program differentiate itself, and what does it cost?",
                   .own_data = "a few formulas",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        draw_the_machine(lesson);
        compare_three_gradients(lesson);
        two_rules(lesson);
        gradient_of_a_product(lesson);
        count_operations(lesson);
    });
}
