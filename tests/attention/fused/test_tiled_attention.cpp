// The tiled kernel, the definition and the plain loops compute the same, for sizes that fill tiles,
// overflow them, and leave some half empty; and the kernel's storage is linear in the length.
#include "attention/fused/plain_attention.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/fused/tiles.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "autograd/base/parallel.h"
#include "autograd/base/pool.h"
#include "tests/catch.h"

using namespace heed;

namespace {

struct Sizes {
    int64_t batch, heads, queries, keys, width, value_width;
    int64_t sharing = 1;  // how many heads of queries share one of keys
};

struct Inputs {
    Tensor q, k, v, g;  // g weighs the context
};

Inputs draw(const Sizes& s, Dtype dtype) {
    Rng rng(1);
    const auto leaf = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, dtype).set_requires_grad();
    };
    const int64_t groups = s.heads / s.sharing;
    return {leaf({s.batch, s.heads, s.queries, s.width}), leaf({s.batch, groups, s.keys, s.width}),
            leaf({s.batch, groups, s.keys, s.value_width}),
            normal({s.batch, s.heads, s.queries, s.value_width}, 0, 1, rng, dtype)};
}

using Attention = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AttentionCall&);

// The context and the gradients of q, k and v.
std::vector<Tensor> both_ways(Attention attention, const Inputs& x, const AttentionCall& options) {
    const Tensor y = attention(x.q, x.k, x.v, options);
    std::vector<Tensor> results = grad(y, {x.q, x.k, x.v}, false, x.g);
    results.push_back(y);
    return results;
}

Tensor by_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                     const AttentionCall& options) {
    return scaled_dot_product_definition(q, k, v, options).context;
}

void check_against_definition(const Inputs& x, const AttentionCall& options, double tolerance) {
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

TEST_CASE("grouped queries: the tiles, the loops and the definition agree", "[attention]") {
    for (const Sizes& s : {Sizes{2, 4, 3, 5, 4, 3, 2}, Sizes{2, 6, 70, 300, 8, 5, 3},
                           Sizes{1, 4, 1, 40, 16, 16, 4}, Sizes{1, 4, 600, 600, 8, 8, 2}}) {
        const Inputs x = draw(s, Dtype::float64);
        Rng rng(5);
        // A mask and a bias for each head of queries.
        AttentionCall call{
            .mask = bernoulli({s.batch, s.heads, s.queries, s.keys}, 0.7, rng, Dtype::float64),
            .bias = normal({s.heads, s.queries, s.keys}, 0, 1, rng, Dtype::float64)};
        check_against_definition(x, call, 1e-11);
        call.dropout = 0.3;
        call.dropout_seed = 7;
        call.causal = true;
        check_against_definition(x, call, 1e-11);
        check_against_definition(draw(s, Dtype::float32), {.causal = true}, 2e-4);

        // The plain loops.
        call.scale = 0.4;
        const AttentionForward loops = plain_attention(x.q, x.k, x.v, call);
        CHECK(max(abs(transpose(loops.context, 1, 2) -
                      scaled_dot_product_attention(x.q, x.k, x.v, call)))
                  .item() < 1e-11);
        const auto by_loops =
            plain_attention_backward(transpose(x.g, 1, 2), x.q, x.k, x.v, loops, call);
        const auto by_tiles = both_ways(scaled_dot_product_attention, x, call);
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(max(abs(by_loops[i] - by_tiles[i])).item() < 1e-10);
    }
}

TEST_CASE("grouped queries: views of joined heads, and a NaN in a masked key", "[attention]") {
    Rng rng(2);
    const auto heads = [&](int64_t count) {  // as MultiHead makes them
        const Tensor x = normal({2, 70, count * 8}, 0, 1, rng, Dtype::float64).set_requires_grad();
        return transpose(reshape(x, {2, 70, count, 8}), 1, 2);
    };
    const Inputs x{heads(4), heads(2), heads(2), normal({2, 4, 70, 8}, 0, 1, rng, Dtype::float64)};
    check_against_definition(x, {.causal = true}, 1e-12);

    const Tensor allowed = arange(70, Dtype::float64) != 3;
    Inputs bad = x;
    bad.k = where(reshape(allowed, {70, 1}), detach(x.k), NAN).set_requires_grad();
    const auto tiled = both_ways(scaled_dot_product_attention, bad, {.mask = allowed});
    const auto plain = both_ways(by_definition, bad, {.mask = allowed});
    for (std::size_t i = 0; i < tiled.size(); ++i)
        CHECK(max(abs(tiled[i] - plain[i])).item() < 1e-12);
}

TEST_CASE("tiled attention skips tiles that a mask closes, wherever they are", "[attention]") {
    const Inputs x = draw({1, 2, 150, 800, 4, 3}, Dtype::float64);
    // Queries that see only keys in the middle, only the last ones, only the first ones, or a band.
    const auto open = [](int64_t first, int64_t end) {
        std::vector<double> keys(800, 0.);
        std::fill(keys.begin() + first, keys.begin() + end, 1.);
        return tensor(keys, {1, 1, 1, 800}, Dtype::float64);
    };
    for (const auto& [first, end] : {std::pair<int64_t, int64_t>{300, 400}, {799, 800}, {0, 10}}) {
        INFO("keys " << first << " to " << end);
        check_against_definition(x, {.mask = open(first, end)}, 1e-12);
        check_against_definition(x, {.mask = open(first, end), .causal = true}, 1e-12);
    }
    Tensor band = zeros({150, 800}, Dtype::float64);
    for (int64_t i = 0; i < 150; ++i)
        for (int64_t j = std::max<int64_t>(5 * i - 20, 0); j <= 5 * i; ++j)
            band.edit<double>()[i * 800 + j] = 1;
    check_against_definition(x, {.mask = reshape(band, {1, 1, 150, 800})}, 1e-12);
}

TEST_CASE("tiled attention drops the weights that the definition drops", "[attention]") {
    for (const Sizes& s : {Sizes{2, 2, 3, 5, 4, 3}, Sizes{1, 2, 70, 600, 5, 7}}) {
        const Inputs x = draw(s, Dtype::float64), single = draw(s, Dtype::float32);
        Rng rng(2);
        const Tensor any =
            bernoulli({s.batch, s.heads, s.queries, s.keys}, 0.5, rng, Dtype::float64);
        for (double p : {0.1, 0.9})
            for (bool causal : {false, true}) {
                const AttentionCall options{
                    .causal = causal, .dropout = p, .dropout_seed = rng.next()};
                check_against_definition(x, options, 1e-11);
                check_against_definition(single, options, 2e-3);
                AttentionCall masked = options;
                masked.mask = any;
                check_against_definition(x, masked, 1e-11);
            }
    }
}

TEST_CASE("tiled attention equals the plain loops", "[attention]") {
    for (const Sizes& s : {Sizes{2, 2, 3, 5, 4, 3}, Sizes{1, 1, 70, 300, 5, 7}}) {
        const Inputs x = draw(s, Dtype::float64);
        Rng rng(3);
        const Tensor mask = bernoulli({s.batch, 1, s.queries, s.keys}, 0.7, rng, Dtype::float64);
        const Tensor bias = normal({s.heads, 1, s.keys}, 0, 1, rng, Dtype::float64);
        for (double dropout : {0.0, 0.4}) {
            const AttentionCall options{.mask = mask,
                                        .bias = bias,
                                        .causal = true,
                                        .scale = 0.3,
                                        .dropout = dropout,
                                        .dropout_seed = 5};
            const AttentionForward plain = plain_attention(x.q, x.k, x.v, options);
            const auto gradients =
                plain_attention_backward(transpose(x.g, 1, 2), x.q, x.k, x.v, plain, options);
            const auto tiled = both_ways(scaled_dot_product_attention, x, options);
            CHECK(max(abs(tiled[3] - transpose(plain.context, 1, 2))).item() < 1e-12);
            for (int i = 0; i < 3; ++i) CHECK(max(abs(tiled[i] - gradients[i])).item() < 1e-12);
        }
    }
}

TEST_CASE("dropout of weights: its rate, its scale, its seed", "[attention]") {
    const Shape shape{2, 3, 64, 100};
    for (double p : {0.1, 0.5, 0.9}) {
        const Tensor mask = attention_dropout_mask(shape, p, 11, Dtype::float64);
        const double count = static_cast<double>(shape.numel());
        CHECK(std::abs(mean(mask).item() - 1) < 5 * std::sqrt(p / (1 - p) / count));
        for (double each : mask.to_vector()) CHECK((each == 0 || each == 1 / (1 - p)));
        // Neither along queries nor along keys are neighbours dropped together.
        const Tensor kept = mask * (1 - p) - (1 - p);  // mean 0, variance p (1 - p)
        const double bound = 5 * p * (1 - p) / std::sqrt(count);
        for (int axis : {2, 3}) {
            const int64_t n = shape[axis];
            const Tensor product = slice(kept, axis, 0, n - 1) * slice(kept, axis, 1, n);
            CHECK(std::abs(mean(product).item()) < 1.1 * bound);
        }
    }
    const auto of_seed = [&](uint64_t seed) {
        return attention_dropout_mask(shape, 0.5, seed).to_vector();
    };
    CHECK(of_seed(1) == of_seed(1));
    CHECK(of_seed(1) != of_seed(2));
    for (double one : attention_dropout_mask(shape, 0, 1).to_vector()) CHECK(one == 1);
}

TEST_CASE("the bits behind dropout are those of SplitMix64", "[attention]") {
    // The first three numbers of the generator with seed 0, whose state grows by the same odd number.
    constexpr uint64_t step = 0x9E3779B97F4A7C15;
    CHECK(tiles::mixed(0) == 0xE220A8397B1DCDAF);
    CHECK(tiles::mixed(step) == 0x6E789E6AA1B965F4);
    CHECK(tiles::mixed(2 * step) == 0x06C45D188009454F);
}

TEST_CASE("tiled attention of views with any strides", "[attention]") {
    Rng rng(1);
    const Tensor joined = normal({2, 70, 3, 8}, 0, 1, rng, Dtype::float64);  // [B, T, H, D]
    const Tensor heads = transpose(joined, 1, 2), across = transpose(heads);
    const Inputs views{transpose(joined, 1, 2).set_requires_grad(),
                       transpose(clone(across)).set_requires_grad(),
                       flip(heads, 2).set_requires_grad(),
                       expand(normal({1, 1, 1, 8}, 0, 1, rng, Dtype::float64), {2, 3, 70, 8})};
    check_against_definition(views, {.causal = true}, 1e-12);
}

TEST_CASE("tiled attention without queries or without keys", "[attention]") {
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

TEST_CASE("the storage of tiled attention is linear in the length", "[attention]") {
    const auto peak = [](int64_t length) {
        const Inputs x = draw({1, 8, length, length, 8, 8}, Dtype::float32);
        both_ways(scaled_dot_product_attention, x,
                  {.causal = true, .dropout = 0.1, .dropout_seed = 1});  // buffers are made once
        const std::size_t before = memory_use().in_use;
        reset_peak_memory();
        both_ways(scaled_dot_product_attention, x,
                  {.causal = true, .dropout = 0.1, .dropout_seed = 1});
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
        const AttentionCall options{.causal = true, .dropout = 0.2, .dropout_seed = 7};
        const auto one = both_ways(scaled_dot_product_attention, x, options);
        set_threads(2);
        const auto two = both_ways(scaled_dot_product_attention, x, options);
        set_threads(before);
        for (std::size_t i = 0; i < one.size(); ++i)
            CHECK(one[i].to_vector() == two[i].to_vector());
    }
}
