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

Taped my_log(Taped x) { return {x.tape, std::log(x.value), x.tape->write(x.line, 1 / x.value)}; }

// a / b grows with a by 1 / b. The derivative of 1 / b is -1 / b², so that of a / b with respect to
// b is -a / b² = -y / b. The quotient is there already, so one division is enough for it.
Taped my_divide(Taped a, Taped b) {
    const double y = a.value / b.value;
    return {a.tape, y, a.tape->write(a.line, 1 / b.value, b.line, -y / b.value)};
}
