#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

// Axes that are missing on the left are summed away, one after the other. An axis of size 1 that
// has become longer is summed and kept, with the size 1.
Tensor my_sum_to(const Tensor& g, const Shape& shape) {
    Tensor result = g;
    while (result.dim() > shape.dim()) result = sum(result, 0);
    for (int axis = 0; axis < shape.dim(); ++axis)
        if (shape[axis] == 1 && result.size(axis) != 1) result = sum(result, axis, true);
    return result;
}

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

// Each input's derivative is the other input, element by element. If one of them is broadcast, its
// rule returns a gradient that is too large; the tape sums it.
Taped my_multiply(const Taped& a, const Taped& b) {
    const Tensor x = a.value, y = b.value, z = x * y;
    return {a.tape, z,
            a.tape->write(
                z, {a.line, b.line},
                {[y](const Tensor& g) { return g * y; }, [x](const Tensor& g) { return g * x; }})};
}
