// Operations without parameters: the same numbers as PyTorch, values and gradients, to 1e-10 in float64.
// The file is made by make.py beside this one (its function operations()).
#include <map>

#include "nn/saved/safetensors.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// Laid out by hand: one operation a line.
// clang-format off
const std::map<std::string, Tensor (*)(const Xs&)> operations{
    {"log1p", [](const Xs& x) { return log1p(x[0]); }},
    {"expm1", [](const Xs& x) { return expm1(x[0]); }},
    {"atan", [](const Xs& x) { return atan(x[0]); }},
    {"logsigmoid", [](const Xs& x) { return log_sigmoid(x[0]); }},
    {"round", [](const Xs& x) { return round(x[0]); }},
    {"clamp", [](const Xs& x) { return clamp(x[0], -0.5, 0.5); }},
    {"atan2", [](const Xs& x) { return atan2(x[0], x[1]); }},
    {"logaddexp", [](const Xs& x) { return logaddexp(x[0], x[1]); }},
    {"std", [](const Xs& x) { return stddev(x[0], 1); }},
    {"var", [](const Xs& x) { return var(x[0], 0, true); }},
    {"norm", [](const Xs& x) { return norm(x[0], 2, 1); }},
    {"norm_3", [](const Xs& x) { return norm(x[0], 3, 0); }},
    {"norm_of_zeros", [](const Xs& x) { return norm(x[0], 2, 1); }},
    {"prod", [](const Xs& x) { return prod(x[0], 1); }},
    {"cumsum", [](const Xs& x) { return cumsum(x[0], 1); }},
    {"cumprod", [](const Xs& x) { return cumprod(x[0], 1); }},
    {"max", [](const Xs& x) { return max_with_indices(x[0], 1).values; }},
    {"min", [](const Xs& x) { return min_with_indices(x[0], 0, true).values; }},
    {"amax", [](const Xs& x) { return max(x[0], 1); }},
    {"sort", [](const Xs& x) { return sort(x[0], 1).values; }},
    {"sort_descending", [](const Xs& x) { return sort(x[0], 0, true).values; }},
    {"topk", [](const Xs& x) { return topk(x[0], 2, 1).values; }},
    {"topk_smallest", [](const Xs& x) { return topk(x[0], 2, 0, false).values; }},
    {"tril", [](const Xs& x) { return tril(x[0], -1); }},
    {"triu", [](const Xs& x) { return triu(x[0], 1); }},
    {"diag", [](const Xs& x) { return diag(x[0], 1); }},
    {"diag_of_vector", [](const Xs& x) { return diag(x[0], -1); }},
    {"diagonal", [](const Xs& x) { return diagonal(x[0], 1, 0, 2); }},
    {"outer", [](const Xs& x) { return outer(x[0], x[1]); }},
    {"dot", [](const Xs& x) { return dot(x[0], x[1]); }},
    {"repeat", [](const Xs& x) { return repeat(x[0], {2, 1, 3}); }},
    {"repeat_interleave", [](const Xs& x) { return repeat_interleave(x[0], 2, 1); }},
    {"roll", [](const Xs& x) { return roll(x[0], 1, 1); }},
    {"split", [](const Xs& x) { return split(x[0], 3, 1)[1] * split(x[0], {2, 1, 1}, 1)[1]; }},
    {"chunk", [](const Xs& x) { return chunk(x[0], 2, 1)[1]; }},
    {"einsum", [](const Xs& x) { return einsum("bij,bkj->kbi", x); }},
    {"einsum_three", [](const Xs& x) { return einsum("ij,jk,ik->j", x); }},
    {"einsum_diagonal", [](const Xs& x) { return einsum("iji->j", x); }},
    {"masked_select", [](const Xs& x) { return masked_select(x[0], tensor({1, 0, 1, 1})); }},
    {"cumprod_of_zeros", [](const Xs& x) { return cumprod(x[0], 1); }},
};
// clang-format on

TEST_CASE("operations without parameters as in PyTorch", "[parity]") {
    const Safetensors file =
        load_safetensors(HEED_SOURCE_DIR "/tests/parity/operations.safetensors");
    std::size_t read = 0;
    const auto at = [&](const std::string& name) {
        const Tensor* x = file.find(name);
        INFO(name);
        REQUIRE(x);
        ++read;
        return *x;
    };
    for (const auto& [name, f] : operations) {
        INFO(name);
        Xs leaves;
        while (file.find(fmt::format("{}.input.{}", name, leaves.size())))
            leaves.push_back(
                clone(at(fmt::format("{}.input.{}", name, leaves.size()))).set_requires_grad());
        REQUIRE_FALSE(leaves.empty());
        const Tensor y = f(leaves);
        CHECK(largest_difference(y, at(name + ".output")) < 1e-10);
        const Xs gradients = grad(y, leaves, false, at(name + ".covector"));
        for (std::size_t i = 0; i < leaves.size(); ++i)
            CHECK(largest_difference(gradients[i], at(fmt::format("{}.gradient.{}", name, i))) <
                  1e-10);
    }
    const Tensor x = at("sort.input.0");
    CHECK(sort(x, 1).indices == to_indices(at("sort.indices")));
    CHECK(topk(x, 2, 1).indices == to_indices(at("topk.indices")));
    CHECK(nonzero(at("prod.input.0")) == to_indices(at("nonzero")));
    CHECK(bincount(sort(x, 1).indices, 6) == to_indices(at("bincount")));
    CHECK(read == file.tensors.size() + 2);  // nothing was left out, and two were read twice
}

}  // namespace
}  // namespace heed
