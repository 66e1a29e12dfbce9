#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "nn/recurrent/cells.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"LstmCell", "Lstm", "RecurrentCell", "Recurrent", "forward", "lstm_step"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Weights one{zeros({4, 1}, Dtype::float64), zeros({4, 1}, Dtype::float64),
                      f64({3, 0, 1, 0}, {4})};
    const States two{f64({2}, {1, 1}), f64({0.5}, {1, 1})};
    const Tensor none = f64({0}, {1, 1});
    const double f = 1 / (1 + std::exp(-3.)), n = std::tanh(1.), c = 2 * f + 0.5 * n;
    judge.given({{"x", none}});
    judge.equal(
        "c of the example: 2.286", [&] { return my_lstm_step(one, none, two).c; }, f64({c}, {1, 1}),
        {.formula = "c_t = f c_(t-1) + i n",
         .mistakes = {
             {"the gates f and i are exchanged", f64({1 + f * n}, {1, 1})},
             {"the candidate n has a tanh, not a sigmoid",
              f64({2 * f + 0.5 / (1 + std::exp(-1.))}, {1, 1})},
             {"the new c is made as in the GRU, with 1 - f in the place of i",
              f64({2 * f + (1 - f) * n}, {1, 1})},
             {"the part of the old c is missing", f64({0.5 * n}, {1, 1})},
             {"f multiplies the old h, and not the old c", f64({0.5 * f + 0.5 * n}, {1, 1})}}});
    judge.equal("h of the example: 0.490", [&] { return my_lstm_step(one, none, two).h; },
                f64({0.5 * std::tanh(c)}, {1, 1}),
                {.formula = "h_t = o tanh(c_t)",
                 .mistakes = {{"the tanh of c is missing in h", f64({0.5 * c}, {1, 1})},
                              {"h is made from the old c", f64({0.5 * std::tanh(2.)}, {1, 1})}}});

    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Weights w{random({16, 4}), random({16, 5}), random({16})};  // D = 4, X = 5
    const Tensor x = random({3, 5});
    const States before{random({3, 4}), random({3, 4})};
    // The library's cell has the order i, f, n, o.
    using recurrence::LstmCell;
    const auto parts = [](const Tensor& a) {
        const std::vector<Tensor> p = chunk(a, 4, 1);
        return std::array<Tensor, 4>{p[1], p[0], p[2], p[3]};
    };
    const auto library = [&](const Tensor& from_x, const Tensor& from_h, const States& s) {
        const auto [h, cell] =
            LstmCell::forward<Tensor>(parts(from_x), parts(from_h), {s.h, s.c}).next;
        return States{cell, h};
    };
    const auto step = [&](const Tensor& input, const States& s) {
        return library(matmul(input, transpose(w.U)) + w.b, matmul(s.h, transpose(w.W)), s);
    };
    const States right = step(x, before);
    const Tensor from_x = matmul(x, transpose(w.U)), from_h = matmul(before.h, transpose(w.W));
    const course::Comparison of_c{
        .formula = "c_t = f c_(t-1) + i n, each gate from W h_(t-1) + U x_t + b",
        .mistakes = {
            {"the bias is left out", library(from_x, from_h, before).c},
            {"the gates do not see the state h", library(from_x + w.b, from_h * 0., before).c},
            {"W multiplies c, and not h",
             library(from_x + w.b, matmul(before.c, transpose(w.W)), before).c},
            {"f multiplies the old h, and not the old c",
             library(from_x + w.b, from_h, {before.h, before.h}).c}}};
    judge.equal(
        "c of three random lists, D = 4 and inputs of width 5",
        [&] { return my_lstm_step(w, x, before).c; }, right.c, of_c);
    judge.equal("h of the same", [&] { return my_lstm_step(w, x, before).h; }, right.h,
                {.formula = "h_t = o tanh(c_t)"});
    judge.equal(
        "the state h after five steps",
        [&] {
            States s = before;
            for (int t = 0; t < 5; ++t) s = my_lstm_step(w, x * (t + 1.), s);
            return s.h;
        },
        [&] {
            States s = before;
            for (int t = 0; t < 5; ++t) s = step(x * (t + 1.), s);
            return s.h;
        }());
    judge.gradient("the gradients of weights, input and states",
                   [](const auto& in) {
                       const States s = my_lstm_step({in[0], in[1], in[2]}, in[3], {in[4], in[5]});
                       return concat({s.c, s.h}, 1);
                   },
                   {w.W, w.U, w.b, x, before.c, before.h});
}
