// The adding problem of lesson 07: its labels, and the models.
#include "lessons/07_recurrence/data.h"
#include "lessons/07_recurrence/experiment.h"
#include "lessons/07_recurrence/model.h"
#include "tests/catch.h"

namespace heed::lesson07 {
namespace {

TEST_CASE("adding problem: one mark in each half, and the sum of the marked values", "[lesson]") {
    Rng rng(3);
    constexpr int count = 400, length = 7;
    const Problems problems = adding_problems(count, length, rng);
    REQUIRE(problems.x.shape() == Shape{count, length, 2});
    REQUIRE(problems.t.shape() == Shape{count});
    std::vector<int> marked(length);
    double squares = 0;
    for (int b = 0; b < count; ++b) {
        double total = 0;
        int first = 0, second = 0;
        for (int i = 0; i < length; ++i) {
            const double value = problems.x.at({b, i, 0}), mark = problems.x.at({b, i, 1});
            CHECK((value >= 0 && value < 1));
            CHECK((mark == 0 || mark == 1));
            total += value * mark;
            (i < length / 2 ? first : second) += mark == 1;
            marked[i] += mark == 1;
        }
        CHECK(first == 1);
        CHECK(second == 1);
        CHECK(std::abs(problems.t.at({b}) - total) < 1e-6);
        squares += std::pow(problems.t.at({b}) - 1, 2) / count;
    }
    for (int times : marked) CHECK(times > count / 10);  // every position is marked at times
    CHECK(std::abs(squares - error_of_the_mean) < 0.04);
}

TEST_CASE("adders: three kinds of cells with about the same number of parameters", "[lesson]") {
    Rng rng(1);
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm}) {
        const auto count = parameter_count(make_adder(kind, rng));
        CHECK(count > 3200);
        CHECK(count < 3700);
    }
}

TEST_CASE("adders: the bias of the gate that keeps the state is raised", "[lesson]") {
    for (CellKind kind : {CellKind::gru, CellKind::lstm}) {
        Rng rng(1);
        RecurrentCell cell(kind, 3, 4, rng);
        const std::vector<double> before = cell.bias_hh.to_vector();
        raise_keep_bias(cell, 20);  // so large that the gate is 1
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double raised = i / 4 == 1 ? 20 : 0;
            CHECK(std::abs(cell.bias_hh.to_vector()[i] - before[i] - raised) < 1e-5);
        }
        const RecurrentState state{normal({2, 4}, 0, 1, rng), normal({2, 4}, 0, 1, rng)};
        const RecurrentState gru{state.hidden, {}};
        const RecurrentState next = cell(zeros({2, 3}), kind == CellKind::gru ? gru : state);
        if (kind == CellKind::gru)
            CHECK(max(abs(next.hidden - state.hidden)).item() < 1e-5);
        else  // at most 1 is added to the old cell state
            CHECK(max(abs(next.cell - state.cell)).item() < 1);
    }
}

TEST_CASE("adders: the recurrent matrix of each gate is orthogonal", "[lesson]") {
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm}) {
        Rng rng(1);
        RecurrentCell cell(kind, 3, 5, rng);
        make_orthogonal(cell, rng, 2);
        for (int gate = 0; gate < gates_of(kind); ++gate) {
            const Tensor w = slice(cell.weight_hh, 0, 5 * gate, 5 * gate + 5);
            CHECK(max(abs(matmul(w, transpose(w)) - 4 * eye(5))).item() < 1e-5);
        }
    }
}

}  // namespace
}  // namespace heed::lesson07
