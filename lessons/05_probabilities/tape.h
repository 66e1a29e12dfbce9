// The tape of lesson {autograd} for plain numbers, with the operations that softmax and
// cross-entropy need.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace heed::lesson05 {

struct Tape {
    struct Line {
        int input[2];  // earlier lines, or -1
        double slope[2];
    };
    std::vector<Line> lines;

    int write(int a = -1, double slope_a = 0, int b = -1, double slope_b = 0) {
        lines.push_back({{a, b}, {slope_a, slope_b}});
        return static_cast<int>(lines.size()) - 1;
    }
    // The derivative of the last line with respect to each line.
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

// A number and the line of the tape that computed it.
struct Taped {
    Tape* tape;
    double value;
    int line;

    friend Taped operator+(Taped a, Taped b) {
        return {a.tape, a.value + b.value, a.tape->write(a.line, 1, b.line, 1)};
    }
    friend Taped operator-(Taped a, Taped b) {
        return {a.tape, a.value - b.value, a.tape->write(a.line, 1, b.line, -1)};
    }
    friend Taped exp(Taped x) {
        const double y = std::exp(x.value);
        return {x.tape, y, x.tape->write(x.line, y)};
    }
    friend Taped ln(Taped x) {
        return {x.tape, std::log(x.value), x.tape->write(x.line, 1 / x.value)};
    }
};

}  // namespace heed::lesson05
