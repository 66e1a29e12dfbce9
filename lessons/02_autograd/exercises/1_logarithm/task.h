//! # Two more lines for the tape
//!
//! The tape of lesson {autograd} knows addition, multiplication and $\tanh$. The loss of lesson
//! {learning} needs a logarithm, and softmax in lesson {probabilities} needs a division. Add both.
//!
//! 1. `my_log(x)` returns $\ln x$. Its derivative is $1 / x$.
//! 2. `my_divide(a, b)` returns $y = a / b$. Find its two derivatives yourself: how fast does $y$
//!    change with $a$, and how fast with $b$?
//!
//! Each function computes the value and writes exactly one line on the tape, as the operators `+`
//! and `*` in this file do. A line notes the lines that it used, and the derivative with respect to
//! each.
//!
//! With $a = 3$ and $b = 4$, the quotient is 0.75. If $a$ becomes 3.1, it becomes 0.775. If $b$
//! becomes 4.1, it becomes 0.7317. This shows which sign and about which size the two derivatives
//! have.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

// The tape of lesson {autograd}. It stays as it is.
struct Tape {
    struct Line {
        int input[2];     // earlier lines, or -1
        double slope[2];  // the derivatives with respect to them
    };
    std::vector<Line> lines;

    int write(int a = -1, double slope_a = 0, int b = -1, double slope_b = 0) {
        lines.push_back({{a, b}, {slope_a, slope_b}});
        return static_cast<int>(lines.size()) - 1;
    }
    std::vector<double> backward(int last) const {
        std::vector<double> g(lines.size(), 0);
        g[last] = 1;
        for (int t = last; t >= 0; --t)
            for (int i : {0, 1})
                if (const int from = lines[t].input[i]; from >= 0)
                    g[from] += g[t] * lines[t].slope[i];
        return g;
    }
};

// A number together with the tape line that computed it.
struct Taped {
    Tape* tape;
    double value;
    int line;
};

Taped operator+(Taped a, Taped b) {
    return {a.tape, a.value + b.value, a.tape->write(a.line, 1, b.line, 1)};
}
Taped operator*(Taped a, Taped b) {
    return {a.tape, a.value * b.value, a.tape->write(a.line, b.value, b.line, a.value)};
}

Taped my_log(Taped x) { not_written(); }

Taped my_divide(Taped a, Taped b) { not_written(); }
