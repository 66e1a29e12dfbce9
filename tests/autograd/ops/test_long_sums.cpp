// What a sum loses when it is long. Added one after another in float32, a million times 0.1 is 100,958.
// Here is every operation that adds up numbers of a batch, in its result or in a gradient.
#include <cmath>
#include <functional>

#include "attention/attention.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr int64_t n = 1'000'000;
constexpr int64_t m = 20'000;  // where there are as many sums as terms
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
    static const Tensor picture = zeros({1, 1, 2, 2}).set_requires_grad();
    static const Tensor row = zeros({1, 1, 1, 2 * m - 1}).set_requires_grad();
    static const Tensor peak = [] {  // the largest of every window
        std::vector<double> pixels(2 * m - 1, 0.);
        pixels[m - 1] = 1;
        return tensor(pixels, {1, 1, 1, 2 * m - 1});
    }();
    static const Tensor pair = zeros({1, 1, 2, 1}).set_requires_grad();
    static const Tensor one_and_zero = tensor({1, 0}, {1, 1, 2, 1});
    static const Tensor one = zeros({1, 1, 1}).set_requires_grad();
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
        {"conv2d, weight over images",
         [] {
             return gradient(conv2d(ones({n, 1, 1, 1}), filter), filter);
         },
         n * term},
        {"conv2d, channels",
         [] {
             return conv2d(tenths({1, n, 2, 2}), ones({1, n, 1, 1}));
         },
         n * term},
        {"conv2d, taps",
         [] {
             return conv2d(tenths({1, 1, n, 2}), ones({1, 1, n, 1}));
         },
         n * term},
        {"conv2d, image",
         [] {
             return gradient(conv2d(picture, ones({n, 1, 1, 1})), picture);
         },
         n * term},
        {"conv2d, image in steps of two",
         [] {
             return gradient(conv2d(row, ones({1, 1, 1, m}), {}, {.stride = {1, 2}}), row);
         },
         m / 2 * term},
        {"avg_pool2d, image",
         [] {
             return gradient(avg_pool2d(row, {1, m}, {.stride = 1}), row);
         },
         term},
        {"max_pool2d, image",
         [] {
             return gradient(max_pool2d(row + peak, {1, m}, {.stride = 1}), row);
         },
         m * term},
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
        // Two keys, equal weights: each value has half of the gradient, and dsⱼ = ± 1/4 of it.
        {"attention, value",
         [] {
             return gradient(
                 scaled_dot_product_attention(ones({1, 1, n, 1}), zeros({1, 1, 2, 1}), pair), pair);
         },
         n * term / 2},
        {"attention, key",
         [] {
             return gradient(scaled_dot_product_attention(ones({1, 1, n, 1}), pair, one_and_zero),
                             pair);
         },
         n * term / 4},
        {"block-sparse attention, value",
         [] {
             const BlockPattern pattern(n, {.global = {0}});
             const Tensor q = ones({1, 1, n, 1}), v = zeros({1, 1, n, 1}).set_requires_grad();
             return gradient(block_sparse_attention(q, zeros({1, 1, n, 1}), v, pattern), v);
         },
         n * term / 2},
        {"additive scores, query",
         [] {
             return gradient(additive_scores(one, zeros({1, n, 1}), ones({1})), one);
         },
         n * term},
        {"additive scores, key",
         [] {
             return gradient(additive_scores(zeros({1, n, 1}), one, ones({1})), one);
         },
         n * term},
        {"additive scores, v",
         [] {
             const Tensor v = ones({1}).set_requires_grad();
             return gradient(additive_scores(ones({1, n, 1}), zeros({1, 1, 1}), v), v);
         },
         n * term * std::tanh(1.)},
    };
    return all;
}

}  // namespace

TEST_CASE("no operation loses digits over a million numbers", "[oracle][unsanitized]") {
    for (const LongSum& one : long_sums()) {
        INFO(one.name);
        CHECK(max(one.compute()).item() == Approx(one.expected).epsilon(1e-5));
    }
}
