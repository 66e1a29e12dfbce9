// What a sum loses when it is long. Added one after another in float32, a million times 0.1 is 100,958.
// Here is every operation that adds up numbers of a batch, in its result or in a gradient.
#include <cmath>
#include <functional>

#include "attention/attention.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr int64_t n = 1'000'000;
constexpr double term = 0.1;

Tensor tenths(const Shape& shape) { return full(shape, term); }
Indices all_ones() { return Indices(std::vector<int>(n, 1), {n}); }

// Of L = Σ y, weighed with 0.1.
Tensor gradient(const Tensor& y, const Tensor& x) {
    return grad(y, {x}, false, tenths(y.shape()))[0];
}

struct LongSum {
    const char* name;
    std::function<Tensor()> compute;
    double expected;  // the sum, which is the largest number of what is computed
};

const std::vector<LongSum>& long_sums() {
    static const Tensor leaf = zeros({3}).set_requires_grad();
    static const Tensor table = zeros({3, 2}).set_requires_grad();
    static const Tensor weight = zeros({2, 3}).set_requires_grad();
    static const Tensor bias = zeros({2}).set_requires_grad();
    static const Tensor filter = zeros({2, 1, 1, 1}).set_requires_grad();
    static const auto image = [](int64_t channels) { return tenths({1, channels, 1000, 1000}); };
    static const std::vector<LongSum> all{
        {"sum", [] { return sum(tenths({n})); }, n * term},
        {"sum down columns",
         [] {
             return sum(tenths({n, 3}), 0);
         },
         n * term},
        {"sum, of a broadcast",
         [] {
             return gradient(leaf + tenths({n, 3}), leaf);
         },
         n * term},
        {"mean", [] { return mean(tenths({n})); }, term},
        {"cumsum", [] { return cumsum(tenths({n}), 0); }, n * term},
        {"norm", [] { return norm(tenths({n})); }, std::sqrt(n * term * term)},
        {"matmul, one number",
         [] {
             return matmul(tenths({1, n}), ones({n, 1}));
         },
         n * term},
        {"matmul, a row",
         [] {
             return matmul(tenths({1, n}), ones({n, 20}));
         },
         n * term},
        {"matmul, columns",
         [] {
             return matmul(transpose(tenths({n, 7})), ones({n, 20}));
         },
         n * term},
        {"linear, weight",
         [] {
             return gradient(linear(ones({n, 3}), weight, bias), weight);
         },
         n * term},
        {"linear, bias",
         [] {
             return gradient(linear(ones({n, 3}), weight, bias), bias);
         },
         n * term},
        {"embedding", [] { return gradient(embedding(table, all_ones()), table); }, n * term},
        {"index_select", [] { return gradient(index_select(leaf, 0, all_ones()), leaf); },
         n * term},
        {"index_add",
         [] {
             return index_add({3, 2}, 0, all_ones(), tenths({n, 2}));
         },
         n * term},
        {"gather", [] { return gradient(gather(leaf, 0, all_ones()), leaf); }, n * term},
        {"scatter_add", [] { return scatter_add({3}, 0, all_ones(), tenths({n})); }, n * term},
        {"segment_sum",
         [] {
             return segment_sum(tenths({n, 2}), Segments(all_ones(), 3));
         },
         n * term},
        {"avg_pool2d",
         [] {
             return avg_pool2d(image(1), {1000, 1000});
         },
         term},
        {"adaptive_avg_pool2d",
         [] {
             return adaptive_avg_pool2d(image(1), {1, 1});
         },
         term},
        {"conv2d, weight",
         [] {
             return gradient(conv2d(ones({1, 1, 1000, 1000}), filter), filter);
         },
         n * term},
        {"conv2d, bias",
         [] {
             return gradient(conv2d(ones({1, 1, 1000, 1000}), filter, bias), bias);
         },
         n * term},
        {"layer_norm, bias",
         [] {
             return gradient(layer_norm(tenths({n, 2}), ones({2}), bias), bias);
         },
         n * term},
    };
    return all;
}

}  // namespace

TEST_CASE("no operation loses digits over a million numbers", "[oracle]") {
    for (const LongSum& one : long_sums()) {
        INFO(one.name);
        CHECK(max(one.compute()).item() == Approx(one.expected).epsilon(1e-5));
    }
}
