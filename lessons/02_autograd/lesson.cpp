//! # A program that differentiates itself
//!
//! A machine has three knobs, $x$, $w$ and $b$, and a dial that shows a number $y$. We want the
//! dial to show less. Which knobs should we turn, in which direction, and how far? For each knob we
//! need one number: how much the dial changes when this knob is turned a little and the other two
//! are left alone. That number is a derivative.
//!
//! A network is such a machine. Its knobs are called weights, there may be a billion of them, and
//! the dial shows how wrong its answers are. Learning is turning the knobs (lesson {learning}). So
//! we need a billion derivatives, and we need them again after every turn. This lesson writes a
//! program of forty lines that computes all of them in one go, for any formula, and then counts
//! what it costs.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/02_autograd/experiment.h"
#include "lessons/02_autograd/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson02 {

using namespace course;

namespace {

//! ## A gradient by hand
//!
//! Let the machine compute
//!
//! $$ y = x \tanh(w x + b) . $$
//!
//! {no results} The function $\tanh$, the hyperbolic tangent, squeezes any number into the range
//! from -1 to 1; it is common in networks. We set the knobs to $x = 0.8$, $w = 1.5$ and $b = -0.4$.
//! Then $w x + b$ is $0.8$, its $\tanh$ is 0.664, and $y = 0.8 \cdot 0.664 = 0.531$.
//!
//! **The first attempt: try it.** We turn one knob by a small amount, run the program again, and
//! see how far the dial has moved. For three knobs that takes three more runs, which is fine. For a
//! network with a billion weights it takes a billion more runs for a single change of the weights.
//! No computer can do that.
//!
//! {no results} **The second attempt: a formula for each knob.** School teaches how to find it. The
//! *chain rule* says that the derivative of a chain of steps is the product of the derivatives of
//! its steps: if $u$ changes 1.5 times as fast as $x$, and $y$ changes 0.5 times as fast as $u$,
//! then $y$ changes 0.75 times as fast as $x$. We also need the derivative of $\tanh$. With $h =
//! \tanh(w x + b)$ it is $1 - h^2$. Together:
//!
//! $$ \frac{\partial y}{\partial x} = h + x w (1 - h^2), \quad
//!    \frac{\partial y}{\partial w} = x^2 (1 - h^2), \quad
//!    \frac{\partial y}{\partial b} = x (1 - h^2). $$
//!
//! The sign $\partial$ stands for a derivative with respect to one input, with all the other inputs
//! held fixed. The *gradient* of $y$ is the list of its derivatives with respect to all of its
//! inputs, one number for each. The first of our three has two terms, because $x$ appears twice in
//! the formula of $y$.
//!
//! **By hand.** $1 - h^2 = 1 - 0.664^2 = 0.559$. So the gradient is $0.664 + 0.8 \cdot 1.5 \cdot
//! 0.559 = 1.335$ for $x$, $0.8^2 \cdot 0.559 = 0.358$ for $w$, and $0.8 \cdot 0.559 = 0.447$ for
//! $b$. All three are positive: turning any of the knobs down lowers the dial, and $x$ has the
//! strongest effect.
std::vector<double> gradient_by_hand(double x, double w, double b) {
    const double h = std::tanh(w * x + b), slope = 1 - h * h;
    return {h + x * slope * w, x * x * slope, x * slope};
}

//! This attempt fails, too, when the formula grows. A network is a formula of many pages. Somebody
//! would have to write another formula for each of its inputs, and to write all of them again after
//! every change of the network.
//!
//! ## A tape in forty lines
//!
//! But the work by hand was mechanical. The formula consists of small steps, and for each small
//! step the derivative is known. So let the program do it. While it computes $y$, it notes every
//! step on a *tape*, a list with one line for each step of a computation, which says which earlier
//! lines the step used and the derivative of its result with respect to each of them. For our
//! machine the tape looks like this:
//!
//! {no results}
//! | line | step | value | used | derivatives |
//! | --- | --- | --- | --- | --- |
//! | 0 | $x$ | 0.8 | | |
//! | 1 | $w$ | 1.5 | | |
//! | 2 | $b$ | -0.4 | | |
//! | 3 | $w x$ | 1.2 | 1 and 0 | 0.8 and 1.5 |
//! | 4 | $w x + b$ | 0.8 | 3 and 2 | 1 and 1 |
//! | 5 | $\tanh$ | 0.664 | 4 | 0.559 |
//! | 6 | $x \tanh$ | 0.531 | 0 and 5 | 0.664 and 0.8 |
//!
//! Look at line 3. It multiplies line 1 by line 0. When $w$ changes, the product changes $x = 0.8$
//! times as fast; when $x$ changes, it changes $w = 1.5$ times as fast. These are the two
//! derivatives. Each of them belongs to one small step only. Nobody has to know the whole formula.
//!
//! Afterwards the program goes through the tape from the last line to the first; this is called the
//! *backward pass*, and the computation of $y$ before it the *forward pass*. Let $g_t$ be the
//! derivative of the last line, $y$, with respect to line $t$. For the last line itself it is 1.
//! The other lines begin with 0. When we come to line $t$, we add to the $g_i$ of each line $i$
//! that it has used:
//!
//! $$ g_i \leftarrow g_i + g_t \, \frac{\partial t}{\partial i} . $$
//!
//! $\partial t / \partial i$ is the derivative that line $t$ has noted for line $i$, and the arrow
//! means that $g_i$ is replaced by what stands on the right. The product is the chain rule: how
//! fast $y$ changes with line $t$, times how fast line $t$ changes with line $i$. The sum is there
//! because a line may be used several times.
//!
//! {no results} **By hand.** We start with $g_6 = 1$. Line 6 adds 0.664 to $g_0$ and 0.8 to $g_5$.
//! Line 5 adds $0.8 \cdot 0.559 = 0.447$ to $g_4$. Line 4 adds 0.447 to $g_3$ and 0.447 to $g_2$.
//! Line 3 adds $0.447 \cdot 0.8 = 0.358$ to $g_1$ and $0.447 \cdot 1.5 = 0.671$ to $g_0$. Now $g_0
//! = 0.664 + 0.671 = 1.335$, $g_1 = 0.358$ and $g_2 = 0.447$. This is the gradient that we found by
//! hand.
//!
//! Why backwards? A line can be used only by lines that come after it. So when the pass arrives at
//! line $t$, all lines that have used it have been visited, and $g_t$ is complete. One pass through
//! the tape is enough for all inputs. The code of this section is the whole program. `Tape` is the
//! list of lines with its backward pass, and `Taped` is a number that writes a line whenever it is
//! added, multiplied or put into $\tanh$.
//!
//! ![Type an expression of x, y and z, with `+ - * / ^` and functions such as `sin`, `exp` and `relu`, and read its tape: each box is one operation with its value and its gradient. Here x is used twice, so its gradient is a sum of two parts. Then try `x * tanh(y * x + z)`, the formula of the text.](live:tape)
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

// A number together with the tape line that computed it.
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
    friend Taped operator*(Taped a, T constant) {
        return {a.tape, a.value * constant, a.tape->write(a.line, constant)};
    }
    friend Taped tanh(Taped x) {
        using std::tanh;
        const T y = tanh(x.value);
        return {x.tape, y, x.tape->write(x.line, T(1) - y * y)};
    }
};

//! ## Three ways to the same gradient
//!
//! The library of this course (its *engine*, the part that records and differentiates) does the
//! same with whole tensors. An operation on tensors of a million numbers is one step for it, not a
//! million. It does not keep the steps in a list. Each step is a *node*, an object that refers to
//! the nodes whose results it used. Nodes and references together form a *graph*, in which one can
//! go from the result back to everything that it depends on. A tape is the same graph, written line
//! by line. The nodes of the inputs are called *leaves*, because nothing comes before them;
//! `set_requires_grad` makes a tensor a leaf, and `backward` goes through the graph.
//!
//! The formula $y = x \tanh(w x + b)$ is written only once, as the function `f` in the code. The
//! same function runs with the numbers of our tape and with the tensors of the library. The table
//! compares the two gradients with the one by hand:
void compare_three_gradients(Lesson& lesson) {
    lesson.heading("Three ways to the same gradient");
    const double point[] = {0.8, 1.5, -0.4};  // x, w, b
    const std::vector<double> by_hand = gradient_by_hand(point[0], point[1], point[2]);
    const auto f = [](auto x, auto w, auto b) { return x * tanh(w * x + b); };

    Tape<double> tape;
    Taped<double> numbers[3];
    for (int i : {0, 1, 2}) numbers[i] = {&tape, point[i], tape.write()};
    const std::vector<double> g = tape.backward(f(numbers[0], numbers[1], numbers[2]).line);

    const RememberValues remember;  // for the picture
    Tensor leaves[3];
    for (int i : {0, 1, 2}) leaves[i] = scalar(point[i], Dtype::float64).set_requires_grad();
    const Tensor y = f(leaves[0], leaves[1], leaves[2]);
    backward(y);

    Table table({"input", "by hand", "tape", "engine"});
    double gap = 0;
    for (int i : {0, 1, 2}) {
        const double engine = leaves[i].grad().item();
        table.row(std::string(1, "xwb"[i]), number(by_hand[i], 9), number(g[i], 9),
                  number(engine, 9));
        gap = std::max({gap, std::abs(g[i] - by_hand[i]), std::abs(engine - by_hand[i])});
    }
    lesson.table(table, "The gradient of y = x tanh(w x + b) at x = 0.8, w = 1.5, b = -0.4.");
    lesson.show("graph", picture_of(y, {{"x", leaves[0]}, {"w", leaves[1]}, {"b", leaves[2]}}),
                "The graph that the engine recorded. Values are computed from the inputs to the "
                "result, gradients from the result back to the inputs.");
    lesson.claim("three-gradients", "gradient by hand, tape and engine, largest difference", gap,
                 at_most(1e-12));
}

//! ## Two rules: sums over uses, and over broadcast axes
//!
//! {no results} **A value that is used several times collects the sum of its gradients.** In $x
//! \tanh(w x + b)$ the number $x$ is used twice. Suppose these were two different inputs, $x_1$
//! before the $\tanh$ and $x_2$ inside. Their derivatives would be $h = 0.664$ and $x w (1 - h^2) =
//! 0.671$. If both are turned together, because they are one knob, their effects add up: 1.335. In
//! the program of the tape, this rule is the `+=` in the function `backward`: the new product is
//! added to what $g_i$ has collected so far.
//!
//! **The gradient of a broadcast tensor is the sum over the axes along which it was repeated.**
//! This follows from the first rule. Let a row $r = (r_1, r_2)$ be added to both rows of a table
//! (broadcasting, lesson {tensors}). Then $r_1$ is used twice, once in each row. If the gradient of
//! the result is
//!
//! $$ \begin{pmatrix} 1 & 5 \\ 2 & 3 \end{pmatrix}, $$
//!
//! then the gradient of $r$ is the sum of its rows, $(1 + 2, \; 5 + 3) = (3, 8)$. Repeating on the
//! way forward becomes summing on the way back. Each linear operation has such a partner. The
//! *adjoint* of a linear operation is the operation that carries a gradient from its result back to
//! its input. (An operation is linear if it only multiplies its inputs by fixed numbers and adds;
//! lesson {learning} says more.) The adjoint of repeating is summing.
void two_rules(Lesson& lesson) {
    lesson.heading("Two rules: sums over uses, and over broadcast axes");
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
//! Most of the work of a network is in products of matrices, $C = AB$ (lesson {tensors}), so we
//! should know their rule as well. Let $L$ be a number that is computed from $C$, and let $G$ be
//! its gradient, a matrix with the shape of $C$: $G_{ij}$ is the derivative of $L$ with respect to
//! $C_{ij}$. Now $C_{ij} = \sum_k A_{ik} B_{kj}$. The number $B_{kj}$ is used in $C_{ij}$ for every
//! row $i$, each time multiplied by $A_{ik}$. By the rule of sums, the derivative of $L$ with
//! respect to $B_{kj}$ is $\sum_i A_{ik} G_{ij}$. That is a product of matrices again, with $A$
//! transposed (rows and columns exchanged). The same reasoning gives the derivative with respect to
//! $A$:
//!
//! $$ \frac{\partial L}{\partial B} = A^\top G, \qquad \frac{\partial L}{\partial A} = G B^\top . $$
//!
//! $A^\top$ is the transpose of $A$.
//!
//! **By hand.** Take the shoppers of lesson {tensors}: the amounts $A$ of two persons, and the
//! prices $B$ in two shops. Person 1 goes once to the first shop, and person 2 goes twice to the
//! second one. What they pay together is $L = C_{11} + 2 C_{22}$. (As is usual in mathematics, the
//! formulas of this lesson count persons, shops, rows and columns from 1; tapes and programs count
//! from 0.) How does it change with each price? $G$ has a 1 and a 2 on its diagonal, and
//!
//! $$ A^\top G = \begin{pmatrix} 1 & 2 \\ 2 & 0 \\ 3 & 1 \end{pmatrix}
//!    \begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}
//!    = \begin{pmatrix} 1 & 4 \\ 2 & 0 \\ 3 & 2 \end{pmatrix} . $$
//!
//! The 4 says: if bread gets dearer by 1 in the second shop, they pay 4 more. That is right,
//! because person 2 buys 2 breads there, twice.
void gradient_of_a_product(Lesson& lesson) {
    lesson.heading("The gradient of a product of matrices");
    const Tensor A = tensor({1, 2, 3, 2, 0, 1}, {2, 3}), G = tensor({1, 0, 0, 2}, {2, 2});
    const Tensor B = tensor({3, 4, 1, 2, 2, 1}, {3, 2}).set_requires_grad();
    backward(sum(G * matmul(A, B)));  // C11 + 2 C22
    lesson.claim("price-gradient",
                 "gradient of the prices: engine against the formula and the numbers by hand",
                 max(abs(B.grad() - matmul(transpose(A), G)) +
                     abs(B.grad() - tensor({1, 4, 2, 0, 3, 2}, {3, 2})))
                     .item(),
                 equals(0));
}

//! ## What does it cost?
//!
//! Changing each of $n$ inputs a little and running the program again takes $n$ more runs. What
//! does the tape take? Let us count, line by line.
//!
//! A step with two inputs is one operation on the way forward. On the way back, each of its inputs
//! needs one multiplication and one addition, so together four operations. Its derivatives need no
//! operation at all: for $a + b$ they are 1 and 1, and for $a \cdot b$ they are $b$ and $a$, which
//! are known already. A step with one input needs one multiplication and one addition on the way
//! back. Its derivative may need two operations more, as $1 - h^2$ does (a multiplication and a
//! subtraction). That makes four again. So each of these operations costs at most four more, and
//!
//! $$ \text{cost of the gradient} \le 4 \cdot \text{cost of the program} , $$
//!
//! **whatever the number of inputs is**. There is no $n$ in it. Baur and Strassen proved such a
//! bound in 1983. This fact has made large networks possible: the gradient with respect to a
//! billion weights takes no longer than a few runs of the network.
//!
//! **By hand.** Take the product of $n$ numbers. Forward it needs $n - 1$ multiplications. Each of
//! these steps has two inputs, so the backward pass needs $4 (n - 1)$ operations: exactly four
//! times as much. For comparison take a *neuron*, which is a unit of a network that adds up its
//! inputs, each multiplied by a weight, and applies a function such as $\tanh$ to the sum. What
//! will it cost?
//!
//! We count operations instead of seconds, so that the result does not depend on the machine. The
//! numbers have the type `Counted`: a number that adds 1 to a counter at every operation.
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

void count_operations(Lesson& lesson) {
    lesson.heading("What does it cost?");
    const Prediction guess = lesson.predict(
        "A neuron has 10,000 weights. How many times more work is its gradient than the neuron "
        "itself?",
        within_factor(1.25));
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

//! {if all backward-cost < 4.1 and backward-cost > 3.9} The most expensive of the programs costs
//! {backward-cost:0} runs, as the formula says.
//!
//! Take the neuron, and ask only for the derivatives with respect to its weights. Then the numbers
//! that it receives are constants, and a multiplication has one input on the tape: the weight.
//! Forward there are $n$ multiplications, $n - 1$ additions and one $\tanh$, which makes $2n$
//! operations. Backward there are $2n$ for the multiplications, $4 (n - 1)$ for the additions and 4
//! for the $\tanh$, which makes $6n$. So the cost is 3 runs.
//!
//! ## Second derivatives
//!
//! A gradient is computed from additions and multiplications, like any other result. So it can be
//! differentiated again. We only have to record the backward pass, too. (The library does it if it
//! is asked to: the function `grad` has an argument for it, which is `true` in the function
//! `hessian_of`.) The second derivatives
//!
//! $$ H_{ij} = \frac{\partial^2 f}{\partial x_i \, \partial x_j} $$
//!
//! say how the derivative with respect to $x_i$ changes when $x_j$ changes. The matrix of all
//! second derivatives is called the *Hessian*. Each of its rows is the gradient of one element of
//! the gradient, so it takes one more backward pass.
//!
//! **By hand.** Let $f = x_1^2 x_2$, with $x_1 = 3$ and $x_2 = 2$. The gradient is $(2 x_1 x_2, \;
//! x_1^2) = (12, 9)$. Differentiating both of its elements again gives
//!
//! $$ H = \begin{pmatrix} 2 x_2 & 2 x_1 \\ 2 x_1 & 0 \end{pmatrix}
//!      = \begin{pmatrix} 4 & 6 \\ 6 & 0 \end{pmatrix} . $$
//!
//! The two numbers off the diagonal are equal. This is so for every smooth function, one whose
//! second derivatives change without jumps: it does not matter with respect to which input one
//! differentiates first. The program does not know this theorem. It computes row 1 and row 2 by two
//! different backward passes. So if its Hessian is equal to its own transpose, that is a strict
//! test of the program. The run makes this test with six inputs and $f = \sum_i x_i^2 x_{i+1}$,
//! where only neighbours have a common term. First it computes the example above:
Tensor hessian_of(const Tensor& f, const Tensor& x) {  // f: one number, x [D] -> [D, D]
    const Tensor gradient = grad(f, {x}, true)[0];
    std::vector<Tensor> rows;
    for (int i = 0; i < x.size(0); ++i) rows.push_back(grad(select(gradient, 0, i), {x})[0]);
    return stack(rows);
}

Tensor neighbours(const Tensor& x) {  // the sum of xᵢ² xᵢ₊₁
    const int64_t n = x.size(0);
    return sum(square(slice(x, 0, 0, n - 1)) * slice(x, 0, 1, n));
}

void differentiate_twice(Lesson& lesson) {
    lesson.heading("Second derivatives");
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
    HeatMap map{.values = hessian.to_vector(), .low = -3, .high = 3, .value_name = "H"};
    map.row_labels = map.column_labels = {"x1", "x2", "x3", "x4", "x5", "x6"};
    lesson.show("hessian", map,
                "A Hessian that the program computed without a formula. Only an input and its "
                "neighbours have second derivatives that are not 0.");
    const double asymmetry = max(abs(hessian - transpose(hessian))).item();
    lesson.claim("hessian-symmetric", "the Hessian against its transpose", asymmetry,
                 at_most(1e-12));
}

}  // namespace

}  // namespace heed::lesson02

//! ## What this does not show
//!
//! We counted operations, not seconds and not bytes. The backward pass reads the values that the
//! forward pass computed, so all of them have to be kept until then. For long sequences this
//! storage is what limits how large a network can be trained (lesson {memory}). Our tape notes
//! every single number. An engine that works so would be slow, which is why ours records whole
//! tensors.
//!
//! The derivative of a program is not always that of the function you had in mind. The chain rule
//! sees the steps that were taken. It does not see a decision (`if`), because only one of the two
//! branches was run; it does not see rounding; and it cannot differentiate a random choice (lesson
//! {reinforce}). And somebody has to write the derivative of each single step. If one of them is
//! wrong, all gradients that pass through it are wrong. How to find such a mistake is the subject
//! of lesson {gradient_check}.
//!
//! Sources: Wengert, "A Simple Automatic Derivative Evaluation Program" (1964), the list of steps;
//! Linnainmaa (1970), the backward pass; Baur and Strassen, "The Complexity of Partial Derivatives"
//! (1983), the bound on the cost; Griewank and Walther, "Evaluating Derivatives" (2008), a
//! textbook.
//!
//! ## Summary
//!
//! 1. The gradient is the list of derivatives with respect to all inputs. Formulas by hand and
//!    changing one input after the other do not work for many inputs.
//! 2. A program notes each step with its derivatives on a tape, and one pass from the last line to
//!    the first gives the whole gradient.
//! 3. Gradients of several uses are added. So what was repeated forward is summed backward, and the
//!    rule of a product of matrices follows, $A^\top G$ and $G B^\top$.
//! 4. A gradient costs at most four times as many operations as the function, for any number of
//!    inputs.
//! 5. The backward pass can be recorded and differentiated again. That gives the Hessian, whose
//!    symmetry tests the program.
//!
//! ## Try this next
//!
//! 1. In `Tape::backward` make `+=` a plain `=`. Before you run it: which claim fails, and which
//!    still hold?
//! 2. Add `sin` to the tape, to the expression and to the gradient by hand.
//! 3. Add division to the tape. For $y = a / b$ its derivatives are $1/b$ and $-y/b$. Can you keep
//!    the cost below four runs?
//! 4. In `gradient_of_a_product`, make `A` a leaf as well and check its gradient against
//!    $G B^\top$, worked by hand.
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
        compare_three_gradients(lesson);
        two_rules(lesson);
        gradient_of_a_product(lesson);
        count_operations(lesson);
        differentiate_twice(lesson);
    });
}
