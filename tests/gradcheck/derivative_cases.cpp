// Derivatives of derivatives: what derivatives.h returns can itself be differentiated.
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// A function with a Jacobian that depends on x, from [3] to [2].
Tensor curved(const Tensor& x) { return stack({prod(x) + square(x[0]), tanh(x[1]) * x[2]}); }
Tensor height(const Tensor& x) { return sum(curved(x) * curved(x)); }

std::vector<Case> derivatives() {
    const Tensor x = sample({3}), v = sample({3}, -1, 1, 2), g = sample({2}, -1, 1, 3);
    const auto layer = [](const Xs& in) { return tanh(matmul(in[0], in[1])) * in[0]; };
    return {
        {"vjp", [=](const Xs& in) { return vjp(curved, in[0], like(in[0], g)); }, {x}},
        {"jvp", [=](const Xs& in) { return jvp(curved, in[0], like(in[0], v)); }, {x}},
        {"jacobian", [](const Xs& in) { return jacobian(curved, in[0]); }, {x}},
        {"hvp", [=](const Xs& in) { return hvp(height, in[0], like(in[0], v)); }, {x}},
        {"hessian", [](const Xs& in) { return hessian(height, in[0]); }, {x}},
        {"checkpoint",
         [=](const Xs& in) {
             return checkpoint(layer, {in[0], in[1]});
         },
         {sample({2, 2}), sample({2, 2}, -1, 1, 2)}},
        {"checkpoint of an intermediate result, twice",
         [=](const Xs& in) {
             return checkpoint(layer, {checkpoint(layer, {exp(in[0]), in[1]}), in[1]});
         },
         {sample({2, 2}), sample({2, 2}, -1, 1, 2)}},
        {"checkpoint of a function that uses a leaf besides its inputs",
         [](const Xs& in) {
             return checkpoint([w = in[1]](const Xs& own) { return tanh(own[0]) * w; },
                               {square(in[0]) * in[1]});
         },
         {sample({2, 2}), sample({2, 2}, -1, 1, 2)}},
    };
}

const bool added_derivative = add_cases(derivatives);

}  // namespace
}  // namespace heed
