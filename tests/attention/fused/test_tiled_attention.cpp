// The tiled kernel against its definition, for sizes that fill tiles, overflow them, and leave some
// half empty; and that its memory grows with the length, not with its square.
#include "attention/fused/scaled_dot_product.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "autograd/base/parallel.h"
#include "autograd/base/pool.h"
#include "tests/catch.h"

using namespace heed;

namespace {

struct Sizes {
    int64_t batch, heads, queries, keys, width, value_width;
};

struct Inputs {
    Tensor q, k, v, g;  // g weighs the context
};

Inputs draw(const Sizes& s, Dtype dtype) {
    Rng rng(1);
    const auto leaf = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, dtype).set_requires_grad();
    };
    return {leaf({s.batch, s.heads, s.queries, s.width}), leaf({s.batch, s.heads, s.keys, s.width}),
            leaf({s.batch, s.heads, s.keys, s.value_width}),
            normal({s.batch, s.heads, s.queries, s.value_width}, 0, 1, rng, dtype)};
}

using Attention = Tensor (*)(const Tensor&, const Tensor&, const Tensor&,
                             const ScaledDotProductOptions&);

// The context and the gradients of q, k and v.
std::vector<Tensor> both_ways(Attention attention, const Inputs& x,
                              const ScaledDotProductOptions& options) {
    const Tensor y = attention(x.q, x.k, x.v, options);
    std::vector<Tensor> results = grad(y, {x.q, x.k, x.v}, false, x.g);
    results.push_back(y);
    return results;
}

Tensor by_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                     const ScaledDotProductOptions& options) {
    return scaled_dot_product_definition(q, k, v, options).context;
}

void check_against_definition(const Inputs& x, const ScaledDotProductOptions& options,
                              double tolerance) {
    const auto tiled = both_ways(scaled_dot_product_attention, x, options);
    const auto plain = both_ways(by_definition, x, options);
    for (std::size_t i = 0; i < tiled.size(); ++i)
        CHECK(max(abs(tiled[i] - plain[i])).item() < tolerance);
}

}  // namespace

TEST_CASE("tiled attention equals its definition", "[attention]") {
    const Sizes all[]{{2, 2, 3, 5, 4, 3},     {1, 1, 70, 300, 5, 7},  {2, 3, 64, 256, 16, 16},
                      {1, 1, 300, 600, 8, 8}, {1, 2, 1, 40, 16, 16},  {1, 1, 1, 700, 8, 8},
                      {1, 1, 1, 1, 1, 1},     {3, 3, 17, 257, 33, 1}, {1, 9, 20, 20, 2, 2}};
    for (const Sizes& s : all) {
        INFO("B " << s.batch << " H " << s.heads << " Q " << s.queries << " K " << s.keys << " D "
                  << s.width << " " << s.value_width);
        const Inputs x = draw(s, Dtype::float64), single = draw(s, Dtype::float32);
        Rng rng(2);
        const Tensor bias = normal({s.heads, 1, s.keys}, 0, 1, rng, Dtype::float64);
        std::vector<int> lengths;  // the last sequence has no key that may be attended to
        for (int64_t b = 0; b < s.batch; ++b)
            lengths.push_back(static_cast<int>((s.batch - 1 - b) * s.keys / s.batch));
        const Tensor padding = unsqueeze(padding_mask(lengths, s.keys, Dtype::float64), 1);
        const Tensor any =
            bernoulli({s.batch, s.heads, s.queries, s.keys}, 0.5, rng, Dtype::float64);
        for (bool causal : {false, true}) {
            check_against_definition(x, {.causal = causal}, 1e-12);
            check_against_definition(x, {.mask = padding, .causal = causal, .scale = 0.3}, 1e-12);
            check_against_definition(x, {.mask = any, .bias = bias, .causal = causal}, 1e-12);
            check_against_definition(single, {.causal = causal}, 2e-4);
        }
    }
}

TEST_CASE("tiled attention reads views as they lie", "[attention]") {
    Rng rng(1);
    const Tensor joined = normal({2, 70, 3, 8}, 0, 1, rng, Dtype::float64);  // [B, T, H, D]
    const Tensor heads = transpose(joined, 1, 2), turned = transpose(heads);
    const Inputs views{transpose(joined, 1, 2).set_requires_grad(),
                       transpose(clone(turned)).set_requires_grad(), flip(heads, 2).set_requires_grad(),
                       expand(normal({1, 1, 1, 8}, 0, 1, rng, Dtype::float64), {2, 3, 70, 8})};
    check_against_definition(views, {.causal = true}, 1e-12);
}

TEST_CASE("tiled attention of nothing", "[attention]") {
    const Tensor none = zeros({1, 2, 0, 4}), some = ones({1, 2, 3, 4});
    CHECK(scaled_dot_product_attention(none, some, some).shape() == Shape{1, 2, 0, 4});
    const Tensor blind = scaled_dot_product_attention(some, none, none);
    CHECK(max(abs(blind)).item() == 0);
}

TEST_CASE("a masked key and its value have gradient 0, whatever the value", "[laws][attention]") {
    Inputs x = draw({1, 1, 3, 4, 2, 2}, Dtype::float64);
    for (int64_t i : {6, 7}) x.v.edit<double>()[i] = 1e300;
    const Tensor mask = tensor({1, 1, 1, 0}, {1, 4}, Dtype::float64);
    const auto gradients = both_ways(scaled_dot_product_attention, x, {.mask = mask});
    CHECK(max(abs(slice(gradients[1], 2, 3, 4))).item() == 0);
    CHECK(max(abs(slice(gradients[2], 2, 3, 4))).item() == 0);
    CHECK(max(abs(gradients[0])).item() < 100);
}

TEST_CASE("the memory of tiled attention is linear in the length", "[attention]") {
    const auto peak = [](int64_t length) {
        const Inputs x = draw({1, 8, length, length, 8, 8}, Dtype::float32);
        both_ways(scaled_dot_product_attention, x, {.causal = true});  // work memory is made once
        const std::size_t before = memory_use().in_use;
        reset_peak_memory();
        both_ways(scaled_dot_product_attention, x, {.causal = true});
        return static_cast<double>(memory_use().peak - before);
    };
    const double small = peak(512);
    CHECK(peak(2048) < 5 * small);
    CHECK(small < 8 * 512 * 512 * sizeof(float) / 4);  // far less than the scores
}

TEST_CASE("tiled attention has the same bits with any number of threads", "[attention]") {
    for (const Sizes& s : {Sizes{1, 1, 700, 700, 16, 16}, Sizes{2, 3, 100, 300, 24, 8}}) {
        const Inputs x = draw(s, Dtype::float32);
        const int before = threads();
        set_threads(1);
        const auto one = both_ways(scaled_dot_product_attention, x, {.causal = true});
        set_threads(2);
        const auto two = both_ways(scaled_dot_product_attention, x, {.causal = true});
        set_threads(before);
        for (std::size_t i = 0; i < one.size(); ++i)
            CHECK(one[i].to_vector() == two[i].to_vector());
    }
}
