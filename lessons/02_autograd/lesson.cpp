//! # A program that differentiates itself
//!
//! A network learns by changing each of its numbers a little, in the direction that makes its
//! answer less wrong. For that it needs the derivative of the error with respect to each number,
//! and there may be a billion of them. We need not write a billion formulas. A program is a chain
//! of simple steps whose derivatives are known from school, and the chain rule combines them. This
//! lesson writes a program in forty lines that does so, and counts what it costs.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/02_autograd/counted.h"
#include "lessons/02_autograd/graph_picture.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## A gradient by hand
//!
//! Take $y = x \tanh(w x + b)$, and write $h = \tanh(w x + b)$. The derivative of tanh is
//! $1 - h^2$, so
//!
//! $$ \frac{\partial y}{\partial x} = h + x w (1 - h^2), \quad
//!    \frac{\partial y}{\partial w} = x^2 (1 - h^2), \quad
//!    \frac{\partial y}{\partial b} = x (1 - h^2). $$
//!
//! The first derivative has two terms, because $x$ appears twice in $y$. The three together are the
//! *gradient*.
std::vector<double> gradient_by_hand(double x, double w, double b) {
    const double h = std::tanh(w * x + b), slope = 1 - h * h;
    return {h + x * slope * w, x * x * slope, x * slope};
}

//! ## A tape in forty lines
//!
//! While the program computes, every step writes one line on a *tape*: which earlier lines it used
//! as inputs, and the derivative of its result with respect to each of them. Afterwards we go
//! through the tape from the last line to the first. Let $g_t$ be the derivative of the last result
//! with respect to the result of line $t$. For the last line it is 1. Each line $t$ then adds to
//! the $g_i$ of each of its inputs $i$:
//!
//! $$ g_i \leftarrow g_i + g_t \, \frac{\partial t}{\partial i} . $$
//!
//! All lines that used line $t$ come after it on the tape. So when we arrive at line $t$, its $g$
//! is complete.
template <class T>
struct Tape {
    struct Line {
        int input[2];  // earlier lines, or -1
        T slope[2];
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
//! The engine does the same with whole tensors. `set_requires_grad` makes a tensor a *leaf*, whose
//! gradient will be computed. Every operation on it is recorded, and `backward` goes through the
//! recorded operations from the last to the first.
void compare_three_gradients(Lesson& lesson) {
    lesson.heading("Three ways to the same gradient");
    const double point[] = {0.8, 1.5, -0.4};  // x, w, b
    const std::vector<double> by_hand = gradient_by_hand(point[0], point[1], point[2]);
    const auto f = [](auto x, auto w, auto b) { return x * tanh(w * x + b); };

    Tape<double> tape;
    Taped<double> numbers[3];
    for (int i : {0, 1, 2}) numbers[i] = {&tape, point[i], tape.write()};
    const std::vector<double> g = tape.backward(f(numbers[0], numbers[1], numbers[2]).line);

    const RememberValues remember;
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
                "The graph that the engine recorded. Values are computed from left to right, "
                "gradients from right to left.");
    lesson.claim("gradient by hand, tape and engine, largest difference", gap, at_most(1e-12));
}

//! ## Two rules: sums over uses, and over broadcast axes
//!
//! *A value that is used several times collects the sum of its gradients.* In $x \tanh(w x + b)$
//! the number $x$ appears twice. If these were two different numbers, each would have a derivative
//! of its own, and the derivative with respect to $x$ is the sum of the two. This is the `+=` in
//! the code of the tape.
//!
//! *The gradient of a broadcast tensor is summed over the broadcast axes.* An $x$ of shape [5] that
//! is added to four rows is used four times, so its gradient is the sum of four. (Summing is the
//! *adjoint* of repeating.) The engine does this for all operations, so the code of an operation
//! need not.
void two_rules(Lesson& lesson) {
    lesson.heading("Two rules");
    Rng rng(lesson.seed());
    const auto f = [](const Tensor& a, const Tensor& b) { return sum(a * tanh(b) + sin(a * b)); };
    Tensor x = normal({5}, 0, 1, rng, Dtype::float64).set_requires_grad();
    Tensor a = clone(x).set_requires_grad(), b = clone(x).set_requires_grad();
    const auto separate = grad(f(a, b), {a, b});
    lesson.claim("gradient of x used twice against the sum of two separate ones",
                 max(abs(grad(f(x, x), {x})[0] - (separate[0] + separate[1]))).item(),
                 at_most(1e-12));

    const Tensor rows = normal({4, 5}, 0, 1, rng, Dtype::float64), g = square(rows);
    const Tensor of_x =
        grad(rows + x, {x}, false, g)[0];  // g: the gradient of the loss with respect to rows + x
    const double gap = max(abs(of_x - sum(g, 0))).item();
    lesson.claim("gradient of a broadcast x against the column sums", gap, at_most(1e-12));
}

//! ## What does it cost?
//!
//! Without a tape we could change each of the $n$ inputs a little and run the program again. That
//! takes $n$ more runs. With the tape, the backward pass through a step with two inputs costs two
//! multiplications and two additions. A step with one input costs half of that, and at most two
//! operations for its derivative. That is at most four operations a step, so the whole gradient
//! should cost at most four runs of the program, *for any number of inputs* (Baur and Strassen
//! 1983). We count operations instead of seconds, with numbers of type `Counted`, in two programs:
//! the product of $n$ numbers, and a *neuron*, the tanh of a weighted sum with $n$ weights.
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

void count_operations(Lesson& lesson, Prediction guess) {
    lesson.heading("What does it cost?");
    LinePlot plot{.x_label = "inputs", .y_label = "runs", .log_x = true, .log_y = true};
    plot.series = {{"finite differences"}, {"backward: product"}, {"backward: neuron"}};
    double most = 0;
    for (int n : {2, 10, 100, 1000, 10000}) {
        const double costs[] = {double(n), backward_cost(product, n), backward_cost(neuron, n)};
        for (int i : {0, 1, 2}) {
            plot.series[i].x.push_back(n);
            plot.series[i].y.push_back(costs[i]);
        }
        most = std::max({most, costs[1], costs[2]});
    }
    lesson.show("cost", plot, "The cost of a gradient, counted, in runs of the program.");
    lesson.reveal(guess, plot.series[2].y.back());
    lesson.claim("largest cost of backward, in forward runs", most, at_most(4));
}

//! ## Second derivatives
//!
//! A gradient is computed by steps with known derivatives, like any other result. If the backward
//! pass is recorded too (the `true` below), it can be differentiated again. The second derivatives
//! $H_{ij} = \partial^2 f / \partial x_i \partial x_j$ form the *Hessian*; each of its rows takes
//! one more backward pass. The Hessian must equal its transpose. No line of the program uses that
//! fact, so it is a strict test. Here $f(x) = \sum_i x_i^2 x_{i+1}$, so that $H_{i,i+1} = 2 x_i$,
//! and only neighbours have such a term.
void differentiate_twice(Lesson& lesson) {
    lesson.heading("Second derivatives");
    Rng rng(lesson.seed());
    Tensor x = normal({6}, 0, 1, rng, Dtype::float64).set_requires_grad();
    const Tensor f = sum(square(slice(x, 0, 0, 5)) * slice(x, 0, 1, 6));
    const Tensor gradient = grad(f, {x}, true)[0];
    std::vector<Tensor> hessian_rows;
    for (int i = 0; i < 6; ++i) hessian_rows.push_back(grad(select(gradient, 0, i), {x})[0]);
    const Tensor hessian = stack(hessian_rows);

    HeatMap map{.values = hessian.to_vector(), .low = -3, .high = 3, .value_name = "H"};
    map.row_labels = map.column_labels = {"x1", "x2", "x3", "x4", "x5", "x6"};
    lesson.show("hessian", map, "A Hessian, computed by two backward passes, without a formula.");
    const double asymmetry = max(abs(hessian - transpose(hessian))).item();
    lesson.claim("the Hessian against its transpose", asymmetry, at_most(1e-12));
    const double error = std::abs(hessian.at({0, 1}) - 2 * x.at({0}));
    lesson.claim("the Hessian's entry for x1 and x2 against 2 x1", error, at_most(1e-12));
}

}  // namespace

//! ## What this does not show
//!
//! Counting operations is not counting seconds or bytes. The backward pass reads what the forward
//! pass computed, so all of that must be stored; for long sequences the memory is the limit. The
//! derivative of a program is also not always the derivative of the function you had in mind: the
//! chain rule does not see rounding, sampling (lesson 14) and `if`. And a derivative in the code
//! may be wrong: that is lesson 03.
//!
//! Sources: Wengert, "A Simple Automatic Derivative Evaluation Program" (1964), the list of steps;
//! Linnainmaa (1970), the backward pass; Baur and Strassen, "The Complexity of Partial Derivatives"
//! (1983); Griewank and Walther, "Evaluating Derivatives" (2008), chapters 3 and 4.
//!
//! ## Try this next
//!
//! 1. In `Tape::backward` make `+=` a plain `=`. Which claim fails, and which still hold?
//! 2. Add `sin` to the tape, to the expression and to the gradient by hand.
//! 3. Add division. Its derivatives are $1/b$ and $-y/b$. Can you keep the cost below four runs?
int main(int argc, char** argv) {
    Lesson lesson({.number = 2,
                   .name = "autograd",
                   .title = "A program that differentiates itself",
                   .question = "How can a program differentiate itself, and what does it cost?",
                   .own_data = "a few formulas"});
    return lesson.run(argc, argv, [&] {
        const Prediction guess = lesson.predict(
            "A neuron has 10,000 weights. How many times more work is its gradient than the neuron "
            "itself?",
            within_factor(1.5));
        compare_three_gradients(lesson);
        two_rules(lesson);
        count_operations(lesson, guess);
        differentiate_twice(lesson);
    });
}
