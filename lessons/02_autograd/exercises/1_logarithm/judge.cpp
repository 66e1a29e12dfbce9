#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// The value of f, and its derivatives with respect to its inputs.
template <class F>
Tensor on_tape(const F& f, const std::vector<double>& point) {
    Tape tape;
    std::vector<Taped> x;
    for (double value : point) x.push_back({&tape, value, tape.write()});
    const Taped y = f(x);
    std::vector<double> result = tape.backward(y.line);
    result.resize(point.size());
    result.insert(result.begin(), y.value);
    return tensor(result, Dtype::float64);
}

template <class F>
Tensor on_engine(const F& f, const std::vector<double>& point) {
    std::vector<Tensor> x;
    for (double value : point) x.push_back(scalar(value, Dtype::float64).set_requires_grad());
    const Tensor y = f(x);
    std::vector<double> result{y.item()};
    for (const Tensor& slope : grad(y, x)) result.push_back(slope.item());
    return tensor(result, Dtype::float64);
}

void judge(course::Judge& judge) {
    judge.own({"grad", "scalar"});
    const auto list = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    const double ln2 = std::log(2.);

    const auto log_of = [](const auto& x) { return my_log(x[0]); };
    judge.equal(
        "ln 2 = 0.693 and its derivative 0.5", [&] { return on_tape(log_of, {2}); },
        list({ln2, 0.5}),
        {.formula = "the first number is ln x, the second is its derivative 1 / x",
         .mistakes = {
             {"the derivative is 1 over the result, not 1 over the input", list({ln2, 1 / ln2})},
             {"the line does not note its input", list({ln2, 0})},
             {"the derivative is x in place of 1 / x", list({ln2, 2})},
             {"the base is 10 or 2; the natural logarithm has the base e",
              list({std::log10(2.), 0.5})},
             {"the base is 10 or 2; the natural logarithm has the base e", list({1, 0.5})}}});
    const auto quotient = [](const auto& x) { return my_divide(x[0], x[1]); };
    judge.equal(
        "3 / 4 = 0.75 and its two derivatives",
        [&] {
            return on_tape(quotient, {3, 4});
        },
        list({0.75, 0.25, -0.1875}),
        {.formula = "first the quotient, then the derivatives with respect to a and to b",
         .mistakes = {{"the sign of the second derivative is wrong", list({0.75, 0.25, 0.1875})},
                      {"the second derivative is not multiplied by a", list({0.75, 0.25, -0.0625})},
                      {"the two derivatives are exchanged", list({0.75, -0.1875, 0.25})},
                      {"b is treated as a constant", list({0.75, 0.25, 0})},
                      {"the derivatives are those of the product a b", list({0.75, 4, 3})}}});
    judge.equal(
        "x / x is 1 whatever x is, so its derivative is 0",
        [&] { return on_tape([](const auto& x) { return my_divide(x[0], x[0]); }, {1.7}); },
        list({1, 0}));
    judge.equal(
        "a longer formula: ln(a b + c) / (a + ln c)",
        [&] {
            return on_tape(
                [](const auto& x) {
                    return my_divide(my_log(x[0] * x[1] + x[2]), x[0] + my_log(x[2]));
                },
                {0.7, 2.3, 1.9});
        },
        on_engine([](const auto& x) { return log(x[0] * x[1] + x[2]) / (x[0] + log(x[2])); },
                  {0.7, 2.3, 1.9}));
    judge.holds(
        "one line for each operation",
        [] {
            Tape tape;
            const Taped a{&tape, 3, tape.write()}, b{&tape, 4, tape.write()};
            my_divide(a, b);
            my_log(a);
            return tape.lines.size() == 4;
        },
        "The logarithm and the division together should write two lines.");
}
