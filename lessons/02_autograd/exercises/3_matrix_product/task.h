//! # A product of matrices on the tape
//!
//! Most of the work of a network is in products of matrices, so your tape needs them. Write
//! `my_matmul(a, b)`, which computes $C = A B$ and writes one line on the tape. Lesson {autograd}
//! gives the rules for the two inputs, where $G$ is the gradient of $C$:
//!
//! $$ \frac{\partial L}{\partial A} = G B^\top, \qquad \frac{\partial L}{\partial B} = A^\top G . $$
//!
//! $A$ and $B$ are matrices, or many matrices at once: `matmul` multiplies the last two axes and
//! broadcasts the axes before them. In $[4, 2, 3] \times [3, 5]$, each of the four matrices on the
//! left is multiplied by the same matrix on the right. The tape has the rule of broadcasting from
//! exercise {autograd.2} already; here it is the library's `sum_to`. This tape is the beginning of
//! your own engine, to which later lessons add.
//!
//! You have `matmul` and `transpose`, which exchanges the last two axes. With the three words of
//! the lesson as $A$ and its $G$, the gradient of the two queries has the rows (0, 4) and (2, 2).
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 10 minutes.
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

// A tape as in lesson {autograd}, whose lines are whole tensors. A rule turns the gradient of a
// line into the gradient of one of its inputs.
using Rule = std::function<Tensor(const Tensor& g)>;

struct Tape {
    struct Line {
        Tensor value;
        std::vector<int> inputs;  // earlier lines
        std::vector<Rule> rules;  // one for each of them
    };
    std::vector<Line> lines;

    int write(const Tensor& value, std::vector<int> inputs = {}, std::vector<Rule> rules = {}) {
        lines.push_back({value, inputs, rules});
        return static_cast<int>(lines.size()) - 1;
    }
    // g is the gradient of the last line; the result has one gradient for each line.
    std::vector<Tensor> backward(int last, const Tensor& g) const {
        std::vector<Tensor> grads;
        for (const Line& line : lines) grads.push_back(zeros_like(line.value));
        grads[last] = g;
        for (int t = last; t >= 0; --t)
            for (std::size_t i = 0; i < lines[t].inputs.size(); ++i) {
                const int from = lines[t].inputs[i];
                const Tensor part = lines[t].rules[i](grads[t]);
                grads[from] = grads[from] + sum_to(part, grads[from].shape());
            }
        return grads;
    }
};

// A tensor together with the tape line that computed it.
struct Taped {
    Tape* tape;
    Tensor value;
    int line;
};

Taped operator+(const Taped& a, const Taped& b) {
    const Tensor y = a.value + b.value;
    const Rule pass = [](const Tensor& g) { return g; };
    return {a.tape, y, a.tape->write(y, {a.line, b.line}, {pass, pass})};
}

Taped my_matmul(const Taped& a, const Taped& b) { not_written(); }
