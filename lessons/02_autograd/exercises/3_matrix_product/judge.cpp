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
    judge.own({"grad", "record", "vjp"});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const auto matrix = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto product = [](const auto& x) { return my_matmul(x[0], x[1]); };

    // Square matrices first: there, a missing transpose fits and gives wrong numbers.
    const Tensor a = matrix({1, 2, 3, 4}, {2, 2}), b = matrix({5, 6, 7, 8}, {2, 2}),
                 g = matrix({1, 0, 3, 2}, {2, 2});
    judge.equal(
        "the product of ((1, 2), (3, 4)) and ((5, 6), (7, 8))",
        [&] {
            return on_tape(product, {a, b}, g)[2];
        },
        matmul(a, b));
    judge.equal("the gradient of the first matrix for G = ((1, 0), (3, 2))",
                [&] {
                    return on_tape(product, {a, b}, g)[0];
                },
                matmul(g, transpose(b)),
                {.formula = "G B^T",
                 .mistakes = {{"the matrix B is not transposed", matmul(g, b)},
                              {"the two factors stand in the wrong order", matmul(transpose(b), g)},
                              {"the two rules are exchanged", matmul(transpose(a), g)},
                              {"the rule of a product element by element", g * b}}});
    judge.equal("the gradient of the second matrix",
                [&] {
                    return on_tape(product, {a, b}, g)[1];
                },
                matmul(transpose(a), g),
                {.formula = "A^T G",
                 .mistakes = {{"the matrix A is not transposed", matmul(a, g)},
                              {"the two factors stand in the wrong order", matmul(g, transpose(a))},
                              {"the matrix that is transposed is G", matmul(a, transpose(g))}}});
    judge.equal(
        "the gradient of two queries, by hand",
        [&] {
            return on_tape(product,
                           {matrix({3, 0, 2, 1, 0, 2}, {3, 2}), matrix({0, 2, 2, 1}, {2, 2})},
                           matrix({0, 0, 0, 2, 1, 0}, {3, 2}))[1];
        },
        matrix({0, 4, 2, 2}, {2, 2}));

    const auto batches = [&](const Shape& of_a, const Shape& of_b) {
        const Tensor A = random(of_a), B = random(of_b);
        Tensor p = copy_of(A), q = copy_of(B);
        p.set_requires_grad();
        q.set_requires_grad();
        const Tensor C = matmul(p, q), G = random(C.shape());
        const std::vector<Tensor> expected = grad(C, {p, q}, false, G);
        judge.equal(
            fmt::format("{} times {}: the gradient of the first", of_a, of_b),
            [=] {
                return on_tape(product, {A, B}, G)[0];
            },
            expected[0]);
        judge.equal(
            fmt::format("{} times {}: the gradient of the second", of_a, of_b),
            [=] {
                return on_tape(product, {A, B}, G)[1];
            },
            expected[1]);
    };
    batches({4, 5}, {5, 3});
    batches({4, 2, 3}, {3, 5});
    batches({2, 3}, {4, 3, 5});
    batches({6, 1, 2, 3}, {4, 3, 5});
    judge.equal(
        "A times A, where one matrix is used twice",
        [&] { return on_tape([](const auto& x) { return my_matmul(x[0], x[0]); }, {a}, g)[0]; },
        matmul(g, transpose(a)) + matmul(transpose(a), g));
}
