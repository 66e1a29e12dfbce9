// Multi-head attention: the laws, and the same computed as a sum over heads.
#include "attention/heads/multi_head.h"
#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "nn/module/hooks.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/attention/laws/require.h"
#include "tests/attention/laws/wrong_versions.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

MultiHead make(const MultiHeadOptions& options) {
    Rng rng(1);
    MultiHead layer(options, rng);
    to_dtype(layer, f64);
    return layer;
}

AttentionFunction as_function(const MultiHead& layer) {
    return [layer](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
        return with_weights(layer, q, k, v, {.mask = mask});
    };
}

Tensor random(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, f64);
}

}  // namespace

TEST_CASE("multi-head attention obeys the laws", "[laws][attention]") {
    for (int heads : {1, 2, 4}) {
        const laws::Sizes sizes{.key_width = 5, .value_width = 3};
        const MultiHead layer =
            make({.width = 4, .heads = heads, .key_width = 5, .value_width = 3});
        for (const laws::Verdict& verdict : laws::check_all(as_function(layer), sizes))
            require(verdict);

        // A bias of the keys shifts all scores of a query alike: its gradient is 0.
        std::vector<std::pair<std::string, Tensor>> named;
        for (const Parameter& p : parameters(layer))
            if (p.name != "key.bias") named.emplace_back(p.name, p.tensor);
        require(laws::every_parameter(as_function(layer), named, sizes));
    }
    const MultiHead layer = make({.width = 4, .heads = 2});
    require(
        laws::causal([&](const Tensor& q, const Tensor& k, const Tensor& v,
                         const Tensor&) { return with_weights(layer, q, k, v, {.causal = true}); },
                     {.value_width = 4}));
}

TEST_CASE("heads split without a transposition mix the positions", "[laws][attention]") {
    // reshape [B, T, D] -> [B, H, T, D / H] in one step: the shape is right, the numbers are not.
    const AttentionFunction mixed = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) -> AttentionOutput {
        const auto split = [](const Tensor& x) {
            return reshape(x, {x.size(0), 2, x.size(1), x.size(2) / 2});
        };
        const auto [context, weights] = scaled_dot_product_definition(
            split(q), split(k), split(v), {.mask = mask.defined() ? unsqueeze(mask, 1) : mask});
        return {reshape(context, {q.size(0), q.size(1), v.size(2)}), weights};
    };
    const laws::Sizes sizes{.keys = 5, .query_width = 4, .key_width = 4, .value_width = 4};
    CHECK_FALSE(laws::permutation(mixed, sizes).holds);
    CHECK_FALSE(laws::masked_keys(mixed, sizes).holds);
}

TEST_CASE("multi-head attention is a sum over heads", "[attention]") {
    const MultiHead layer = make({.width = 6, .heads = 3});
    const Tensor x = random({2, 4, 6}, 1), y = random({2, 5, 6}, 2);
    const AttentionOutput together = with_weights(layer, x, y, y);
    Tensor sum_of_heads = layer.output.bias;
    for (int h = 0; h < 3; ++h) {
        const auto rows = [h](const Linear& l, const Tensor& input) {
            return linear(input, slice(l.weight, 0, 2 * h, 2 * h + 2),
                          slice(l.bias, 0, 2 * h, 2 * h + 2));
        };
        const auto [context, weights] = soft_attention(
            wrong::scaled(rows(layer.query, x), rows(layer.key, y)), rows(layer.value, y));
        CHECK(max(abs(weights - select(together.weights, 1, h))).item() < 1e-12);
        sum_of_heads =
            sum_of_heads + linear(context, slice(layer.output.weight, 1, 2 * h, 2 * h + 2));
    }
    CHECK(max(abs(sum_of_heads - together.context)).item() < 1e-12);
    CHECK(max(abs(layer(x, y, y) - together.context)).item() < 1e-12);
}

TEST_CASE("grouped queries are multi-head attention with equal keys in a group", "[attention]") {
    const Tensor x = random({2, 5, 8}, 1);
    for (int64_t groups : {1, 2, 4}) {
        const MultiHead grouped = make({.width = 8, .heads = 4, .key_value_heads = groups});
        CHECK(grouped.key.weight.shape() == Shape{2 * groups, 8});
        // The rows of each head of keys once for every head of queries that shares it.
        MultiHead whole = make({.width = 8, .heads = 4});
        whole.query = grouped.query, whole.output = grouped.output;
        const auto repeated = [&](const Tensor& w) {  // [2 G, ...]
            std::vector<Tensor> rows;
            for (int64_t h = 0; h < 4; ++h)
                rows.push_back(slice(w, 0, h * groups / 4 * 2, h * groups / 4 * 2 + 2));
            return concat(rows, 0);
        };
        for (const auto& [from, to] :
             {std::pair(&grouped.key, &whole.key), std::pair(&grouped.value, &whole.value)}) {
            to->weight = repeated(from->weight);
            to->bias = repeated(from->bias);
        }
        for (const AttentionCall& call :
             {AttentionCall{}, AttentionCall{.mask = padding_mask({5, 3}, 5, f64)},
              AttentionCall{.causal = true}}) {
            CHECK(max(abs(grouped(x, x, x, call) - whole(x, x, x, call))).item() < 1e-12);
            const AttentionOutput a = with_weights(grouped, x, x, x, call),
                                  b = with_weights(whole, x, x, x, call);
            CHECK(max(abs(a.weights - b.weights)).item() < 1e-12);
        }
    }
    // As many groups as heads: the same layer from the same random numbers.
    CHECK(max(abs(make({.width = 8, .heads = 4, .key_value_heads = 4})(x, x, x) -
                  make({.width = 8, .heads = 4})(x, x, x)))
              .item() == 0);
    CHECK_THROWS_WITH(make({.width = 8, .heads = 4, .key_value_heads = 3}),
                      ContainsSubstring("3 heads of keys and values for 4 of queries"));
    CHECK_THROWS_WITH(make({.width = 8, .heads = 4, .key_value_heads = 8}),
                      ContainsSubstring("8 heads of keys and values for 4 of queries"));
}

TEST_CASE("grouped queries drop weights, and offer their values to hooks", "[attention]") {
    const MultiHead layer = make({.width = 8, .heads = 4, .key_value_heads = 2, .dropout = 0.4});
    const Tensor x = random({2, 5, 8}, 1);
    Rng one(3), other(3);
    const Tensor fused = layer(x, x, x, {.mode = Mode::training(one)});
    const Tensor stored = with_weights(layer, x, x, x, {.mode = Mode::training(other)}).context;
    CHECK(max(abs(fused - stored)).item() < 1e-12);
    std::map<std::string, Shape> seen;
    with_hooks(layer,
               {{"*", [&](const Tensor& v, const std::string& name) { seen[name] = v.shape(); }}},
               [&] { return layer(x, x, x, {.mode = Mode::evaluation()}); });
    CHECK(seen.at("q") == Shape{2, 4, 5, 2});
    CHECK(seen.at("k") == Shape{2, 2, 5, 2});
    CHECK(seen.at("v") == Shape{2, 2, 5, 2});
    CHECK(seen.at("weights") == Shape{2, 4, 5, 5});
}

TEST_CASE("masks for all heads or each, causality and biases", "[attention]") {
    const MultiHead layer = make({.width = 4, .heads = 2});
    const Tensor x = random({2, 3, 4}, 1);
    const auto weights = [&](AttentionCall call) {
        return with_weights(layer, x, x, x, call).weights;
    };
    const Tensor causal = weights({.causal = true});
    CHECK(max(abs(causal - weights({.mask = causal_mask(3, f64)}))).item() == 0);
    CHECK(causal.at({1, 1, 0, 1}) == 0);
    const Tensor padded = weights({.mask = padding_mask({3, 2}, 3, f64)});
    CHECK(padded.at({1, 0, 1, 2}) == 0);
    CHECK(padded.at({0, 0, 1, 2}) > 0);
    Tensor each = ones({2, 2, 3, 3}, f64);
    each.edit<double>()[0] = 0;  // sequence 0, head 0, query 0, key 0
    CHECK(weights({.mask = each}).at({0, 0, 0, 0}) == 0);
    CHECK(weights({.mask = each}).at({0, 1, 0, 0}) > 0);
    // A bias of -1e9 masks a key.
    const Tensor far = where(causal_mask(3, f64), zeros({3, 3}, f64), -1e9);
    CHECK(max(abs(causal - weights({.bias = far}))).item() < 1e-12);
}

TEST_CASE("widths, biases and scale of multi-head attention are options", "[attention]") {
    const MultiHead layer = make({.width = 4,
                                  .heads = 2,
                                  .query_width = 3,
                                  .key_width = 5,
                                  .value_width = 6,
                                  .bias = false,
                                  .scale = 0.25});
    CHECK(layer.query.weight.shape() == Shape{4, 3});
    CHECK_FALSE(layer.query.bias.defined());
    CHECK_FALSE(layer.value.bias.defined());
    CHECK(layer.output.bias.shape() == Shape{4});
    CHECK_FALSE(make({.width = 4, .output_bias = false}).output.bias.defined());
    CHECK(make({.width = 4, .output_bias = false}).query.bias.defined());

    const Tensor q = random({2, 3, 3}, 1), k = random({2, 5, 5}, 2), v = random({2, 5, 6}, 3);
    const Tensor scores =
        matmul(layer.split_heads(layer.query(q)), transpose(layer.split_heads(layer.key(k))));
    const AttentionOutput y = with_weights(layer, q, k, v);
    CHECK(max(abs(y.weights - softmax(scores * 0.25))).item() < 1e-12);
    CHECK(max(abs(y.context - layer(q, k, v))).item() < 1e-12);
    const laws::Sizes sizes{.query_width = 3, .key_width = 5, .value_width = 6};
    for (const laws::Verdict& verdict : laws::check_all(as_function(layer), sizes))
        require(verdict);
}

TEST_CASE("dropout drops the same weights whether weights are returned or not", "[attention]") {
    const MultiHead layer = make({.width = 4, .heads = 2, .dropout = 0.4});
    const Tensor x = random({2, 6, 4}, 1);
    Rng one(3), other(3);
    const Tensor fused = layer(x, x, x, {.mode = Mode::training(one)});
    const AttentionOutput stored = with_weights(layer, x, x, x, {.mode = Mode::training(other)});
    const AttentionOutput whole = with_weights(layer, x, x, x, {.mode = Mode::evaluation()});
    CHECK(max(abs(fused - stored.context)).item() < 1e-12);
    CHECK(max(abs(fused - whole.context)).item() > 1e-3);
    CHECK(max(abs(stored.weights - whole.weights)).item() < 1e-12);
}

TEST_CASE("dropout of weights keeps the expectation", "[attention]") {
    const MultiHead layer = make({.width = 4, .heads = 2, .dropout = 0.3});
    const Tensor x = random({1, 3, 4}, 1);
    Rng rng(1);
    Tensor total = zeros({1, 3, 4}, f64);
    const int draws = 4000;
    for (int i = 0; i < draws; ++i) total = total + layer(x, x, x, {.mode = Mode::training(rng)});
    CHECK(max(abs(total / draws - layer(x, x, x, {.mode = Mode::evaluation()}))).item() < 0.03);
}

TEST_CASE("multi-head attention refuses what does not fit", "[attention][errors]") {
    CHECK_THROWS_WITH(make({.width = 6, .heads = 4}),
                      ContainsSubstring("width of 6 cannot be divided among 4 heads"));
    const MultiHead layer = make({.width = 4, .heads = 2});
    const Tensor x = random({2, 3, 4}, 1);
    CHECK_THROWS_WITH(layer(x, random({2, 5, 4}, 1), x),
                      ContainsSubstring("K is 5 in key [2, 5, 4] and 3 in value [2, 3, 4]"));
    CHECK_THROWS_WITH(
        layer(x, x, x, {.mask = ones({3, 4}, f64)}),
        ContainsSubstring("mask [3, 4] does not broadcast to the scores [2, 2, 3, 3]"));
    CHECK_THROWS_WITH(
        layer(x, x, x, {.bias = ones({3, 4}, f64)}),
        ContainsSubstring("bias [3, 4] does not broadcast to the scores [2, 2, 3, 3]"));
    CHECK_THROWS_WITH(scaled_dot_product_attention(x, x, x),
                      ContainsSubstring("expected q [B, H, Q, D]"));
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(random({1, 2, 5, 3}, 1), random({1, 2, 4, 3}, 1),
                                     random({1, 2, 4, 3}, 1), {.causal = true, .scale = 1}),
        ContainsSubstring("5 queries but only 4 keys"));
}
