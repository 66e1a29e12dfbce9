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

// C = A B          dL/dA = G Bᵀ          dL/dB = Aᵀ G
// The shapes check the order: G is [n, p], A is [n, k], B is [k, p], and [n, p] [p, k] gives [n,
// k].
Taped my_matmul(const Taped& a, const Taped& b) {
    const Tensor A = a.value, B = b.value, C = matmul(A, B);
    return {a.tape, C,
            a.tape->write(C, {a.line, b.line},
                          {[B](const Tensor& g) { return matmul(g, transpose(B)); },
                           [A](const Tensor& g) { return matmul(transpose(A), g); }})};
}
