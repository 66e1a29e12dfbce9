//! # The rule of broadcasting
//!
//! Lesson {autograd}: *the gradient of a broadcast tensor is the sum over the axes along which it
//! was repeated.* An engine has many operations that broadcast. If each of them had to remember
//! this rule, one would forget it. So the tape in this file has it in one place, in `backward`,
//! where the function `my_sum_to` is called for every gradient that arrives. Write this function,
//! and one operation.
//!
//! 1. `my_sum_to(g, shape)` returns $g$ summed over each axis along which a tensor of this shape
//!    was repeated. The result has exactly this shape. An axis may be missing on the left, or have
//!    the size 1: from $g$ with the shape [5, 4, 7] and the shape [4, 1] it makes a tensor of the
//!    shape [4, 1]. If no axis was repeated, it returns $g$.
//! 2. `my_multiply(a, b)` is the product element by element, as `operator+` is the sum.
//!
//! In the example of the lesson, $g$ has the rows (1, 5) and (2, 3); summed to the shape [2] it is
//! (3, 8). You have `sum(x, axis, keepdim)`, `g.dim()`, `g.size(axis)`, `shape.dim()` and
//! `shape[axis]`.
//!
//! Builds on exercise {autograd.1}.
//!
//! Level 2 of 3, about 15 minutes.
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_sum_to(const Tensor& g, const Shape& shape) { not_written(); }

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
                grads[from] = grads[from] + my_sum_to(part, grads[from].shape());
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

Taped my_multiply(const Taped& a, const Taped& b) { not_written(); }
