// Gradients where σ and tanh are nearly constant. There 1 - y² and y (1 - y) have no digit left in
// float32, although the gradient is far from 0 in float's range: a fused kernel has to compute them
// from the argument, as the operations do. Each element is compared, however small, with float64.
#include <cmath>

#include "attention/attention.h"
#include "tests/catch.h"

using namespace heed;

namespace {

// The gradients of Σ of f's result, as numbers.
template <class F>
std::vector<double> gradients(const F& f, const std::vector<Tensor>& values, Dtype dtype) {
    std::vector<Tensor> xs;
    for (const Tensor& x : values) xs.push_back(to_dtype(x, dtype).set_requires_grad());
    std::vector<double> all;
    for (const Tensor& g : grad(sum(f(xs)), xs))
        for (double number : g.to_vector()) all.push_back(number);
    return all;
}

template <class F, class Definition>
void check_like_float64(const F& f, const Definition& definition,
                        const std::vector<Tensor>& values) {
    const std::vector<double> fused = gradients(f, values, Dtype::float32),
                              exact = gradients(definition, values, Dtype::float64);
    REQUIRE(fused.size() == exact.size());
    for (std::size_t i = 0; i < fused.size(); ++i) {
        INFO("gradient " << i << " of " << fused.size());
        CHECK(std::abs(fused[i] - exact[i]) <= 1e-4 * std::abs(exact[i]) + 1e-36);
    }
}

}  // namespace

TEST_CASE("recurrent cells: gradients keep their digits where gates are saturated", "[recurrent]") {
    for (const auto& [kind, gates, states] :
         {std::tuple{CellKind::rnn_tanh, 1, 1}, {CellKind::gru, 3, 1}, {CellKind::lstm, 4, 2}})
        for (double a = -30; a <= 30; a += 2.5) {
            INFO("kind " << static_cast<int>(kind) << ", argument " << a);
            std::vector<Tensor> values{full({1, gates}, a, Dtype::float64),
                                       full({1, gates}, 0.3, Dtype::float64),
                                       full({1, 1}, 0.7, Dtype::float64)};
            if (states == 2) values.push_back(full({1, 1}, 1.1, Dtype::float64));
            const CellKind cell = kind;
            const auto state = [](const std::vector<Tensor>& x) {
                return RecurrentState{x[2], x.size() > 3 ? x[3] : Tensor()};
            };
            const auto all = [](const RecurrentState& next) {
                return next.cell.defined() ? next.hidden + next.cell : next.hidden;
            };
            check_like_float64(
                [&](const auto& x) { return all(recurrent_step(cell, x[0], x[1], state(x))); },
                [&](const auto& x) {
                    return all(recurrent_step_definition(cell, x[0], x[1], state(x)));
                },
                values);
        }
}

TEST_CASE("additive scores: gradients keep their digits where tanh is saturated", "[attention]") {
    for (double a = -30; a <= 30; a += 2.5) {
        INFO("argument " << a);
        check_like_float64(
            [](const auto& x) { return additive_scores(x[0], x[1], x[2]); },
            [](const auto& x) { return additive_scores_definition(x[0], x[1], x[2]); },
            {full({1, 2, 3}, a, Dtype::float64), full({1, 2, 3}, 0.3, Dtype::float64),
             full({3}, 0.7, Dtype::float64)});
    }
}
