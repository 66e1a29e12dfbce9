#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// The gradient of each input, by the tape, when g arrives at the result.
template <class F>
std::vector<Tensor> on_tape(const F& f, const std::vector<Tensor>& values, const Tensor& g) {
    Tape tape;
    std::vector<Taped> x;
    for (const Tensor& value : values) x.push_back({&tape, value, tape.write(value)});
    const Taped y = f(x);
    check(y.value.shape() == g.shape(), "the value has the shape {}, expected is {}",
          y.value.shape(), g.shape());
    std::vector<Tensor> grads = tape.backward(y.line, g);
    grads.resize(values.size());
    grads.push_back(y.value);
    return grads;
}

void judge(course::Judge& judge) {
    judge.own({"sum_to", "grad", "record", "vjp"});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };

    const Tensor g = tensor({1, 5, 2, 3}, {2, 2}, Dtype::float64);
    judge.given({{"g", g}});
    judge.equal("the rows (1, 5) and (2, 3), summed to the shape [2]",
                [&] { return my_sum_to(g, {2}); }, tensor({3, 8}, Dtype::float64),
                {.formula = "sum over the axes along which it was repeated",
                 .mistakes = {{"the sum runs over the other axis", tensor({6, 5}, Dtype::float64)},
                              {"the mean is taken, not the sum", tensor({1.5, 4}, Dtype::float64)},
                              {"the first row is taken; the other uses are not added",
                               tensor({1, 5}, Dtype::float64)}}});
    judge.equal("the same, summed to [2, 1]",
                [&] {
                    return my_sum_to(g, {2, 1});
                },
                tensor({6, 5}, {2, 1}, Dtype::float64),
                {.formula = "an axis of size 1 stays, with the size 1",
                 .mistakes = {{"the axis of size 1 was dropped: use keepdim",
                               tensor({6, 5}, Dtype::float64)}}});
    judge.equal(
        "the same, summed to a single number, []", [&] { return my_sum_to(g, {}); },
        scalar(11, Dtype::float64));
    judge.equal(
        "the same, where nothing was repeated",
        [&] {
            return my_sum_to(g, {2, 2});
        },
        g);
    const auto summed = [&](const Shape& from, const Shape& to) {
        const Tensor large = random(from);
        judge.equal(
            fmt::format("{} summed to {}", from, to), [=] { return my_sum_to(large, to); },
            sum_to(large, to));
    };
    summed({5, 4, 7}, {4, 1});
    summed({3, 5, 4}, {5, 4});
    summed({3, 5, 4}, {1, 5, 1});
    summed({2, 3, 1, 5}, {1, 1, 5});
    summed({0, 3}, {3});

    const Tensor a = random({5, 1, 7}), b = random({4, 1}), arrives = random({5, 4, 7});
    const auto product = [](const auto& x) { return my_multiply(x[0], x[1]); };
    judge.equal(
        "the value of a product",
        [&] {
            return on_tape(product, {a, b}, arrives)[2];
        },
        a * b);
    judge.equal("the gradient of its first input, [5, 1, 7] times [4, 1]",
                [&] {
                    return on_tape(product, {a, b}, arrives)[0];
                },
                sum(arrives * b, 1, true),
                {.formula = "g times the other input, summed where it was repeated",
                 .mistakes = {{"the rule gives g times its own input, not the other one",
                               sum(arrives * a, 1, true)}}});
    judge.equal(
        "the gradient of its second input",
        [&] {
            return on_tape(product, {a, b}, arrives)[1];
        },
        sum(sum(arrives * a, 0), 1, true));
    const Tensor x = random({3}), at = random({3});
    judge.equal("x times x + x",
                [&] {
                    return on_tape([](const auto& v) { return my_multiply(v[0], v[0]) + v[0]; },
                                   {x}, at)[0];
                },
                at * (2 * x + 1), {.formula = "a value that is used several times collects a sum"});
}
