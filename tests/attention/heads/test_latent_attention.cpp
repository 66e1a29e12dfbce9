// Latent attention: against its formula head by head, absorbed against plain, with a cache, and wrong ways
// to absorb that the law catches.
#include <functional>

#include "attention/attention.h"
#include "nn/module/hooks.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {

constexpr int64_t T = 5, D = 12, H = 3, W = 4, C = 5, R = 2;

LatentAttention make_latent() {
    Rng rng(1);
    LatentAttention layer({.width = D, .heads = H, .latent = C, .rotary_width = R, .base = 10},
                          rng);
    to_dtype(layer, f64);
    return layer;
}

// The rows of head i of a projection [H n, ...].
Tensor of_head(const Tensor& weight, int64_t i, int64_t n) {
    return slice(weight, 0, i * n, (i + 1) * n);
}

// The formula of the header for one sequence x [T, D], causal, head by head.
Tensor by_formula(const LatentAttention& layer, const Tensor& x) {
    const Tensor c = layer.down(x), r = rotary(layer.rotary_key(x), 0, layer.base);
    std::vector<Tensor> contexts;
    for (int64_t i = 0; i < H; ++i) {
        const Tensor q = matmul(x, transpose(of_head(layer.query.weight, i, W))),
                     qr = rotary(matmul(x, transpose(of_head(layer.rotary_query.weight, i, R))), 0,
                                 layer.base),
                     k = matmul(c, transpose(of_head(layer.key.weight, i, W))),
                     v = matmul(c, transpose(of_head(layer.value.weight, i, W)));
        const Tensor scores =
            (matmul(q, transpose(k)) + matmul(qr, transpose(r))) / std::sqrt(double(W + R));
        contexts.push_back(matmul(masked_softmax(scores, causal_mask(x.size(0), f64)), v));
    }
    return layer.output(concat(contexts, 1));
}

using Form = std::function<Tensor(const LatentAttention& layer, const Tensor& x)>;

// Law: the same function as the formula says.
bool is_the_formula(const Form& f) {
    const LatentAttention layer = make_latent();
    const Tensor x = numbers({T, D});
    return largest_difference(f(layer, x), by_formula(layer, x)) < 1e-12;
}

// An absorbed form by hand, with a rotation of the latents, a scale, and the matrix of the values.
Form by_hand(bool rotates_latents, double scaled_by, bool values_by_keys, bool key_turns) {
    return [=](const LatentAttention& layer, const Tensor& x) {
        const Tensor c = layer.down(x), raw = layer.rotary_key(x);
        const Tensor r = key_turns ? rotary(raw, 0, layer.base) : raw;
        std::vector<Tensor> contexts;
        for (int64_t i = 0; i < H; ++i) {
            const Tensor K = of_head(layer.key.weight, i, W), V = of_head(layer.value.weight, i, W);
            Tensor q = matmul(x, transpose(of_head(layer.query.weight, i, W)));
            if (rotates_latents) q = rotary(q, 0, layer.base);
            const Tensor qr = rotary(matmul(x, transpose(of_head(layer.rotary_query.weight, i, R))),
                                     0, layer.base);
            const Tensor scores =
                (matmul(matmul(q, K), transpose(c)) + matmul(qr, transpose(r))) / scaled_by;
            const Tensor mixed = matmul(masked_softmax(scores, causal_mask(T, f64)), c);
            contexts.push_back(matmul(mixed, transpose(values_by_keys ? K : V)));
        }
        return layer.output(concat(contexts, 1));
    };
}

}  // namespace

TEST_CASE("latent attention is its formula; wrong ways to absorb are caught", "[laws][attention]") {
    const auto first = [](const Tensor& y) { return squeeze(y, 0); };
    CHECK(is_the_formula([&](const LatentAttention& layer, const Tensor& x) {
        return first(layer(unsqueeze(x, 0), {.causal = true}));
    }));
    CHECK(is_the_formula([&](const LatentAttention& layer, const Tensor& x) {
        return first(layer.absorbed(unsqueeze(x, 0), {.causal = true}));
    }));
    const double scale = std::sqrt(double(W + R));
    CHECK(is_the_formula(by_hand(false, scale, false, true)));
    // The queries turn before they are absorbed, as if the keys of the content turned with them.
    CHECK_FALSE(is_the_formula(by_hand(true, scale, false, true)));
    // Scaled by the width of the absorbed query.
    CHECK_FALSE(is_the_formula(by_hand(false, std::sqrt(double(C + R)), false, true)));
    // The context leaves through the matrix of the keys.
    CHECK_FALSE(is_the_formula(by_hand(false, scale, true, true)));
    // The shared key is kept as it was before the rotation.
    CHECK_FALSE(is_the_formula(by_hand(false, scale, false, false)));
}

TEST_CASE("latent attention: absorbed matrices give the plain numbers and gradients",
          "[laws][attention]") {
    const LatentAttention layer = make_latent();
    const Tensor x = numbers({2, T, D});
    const Indices positions({0, 0, 1, 2, 3, 0, 1, 2, 3, 4}, {2, T});
    const Tensor mask = left_padding_mask({4, 5}, T, f64);
    for (const AttentionCall& call : {AttentionCall{}, AttentionCall{.causal = true},
                                      AttentionCall{.mask = mask, .positions = positions}}) {
        CHECK(largest_difference(layer(x, call), layer.absorbed(x, call)) < 1e-12);
        const AttentionOutput plain = with_weights(layer, x, call);
        const AttentionOutput absorbed = with_weights(
            [&](const Tensor& y, const AttentionCall& c) { return layer.absorbed(y, c); }, x, call);
        CHECK(largest_difference(plain.weights, absorbed.weights) < 1e-12);
    }
    std::vector<Tensor> tensors;
    for (const Parameter& p : parameters(layer)) tensors.push_back(p.tensor);
    const auto plain = grad(weighed(layer(x)), tensors),
               absorbed = grad(weighed(layer.absorbed(x)), tensors);
    for (std::size_t i = 0; i < tensors.size(); ++i)
        CHECK(largest_difference(plain[i], absorbed[i]) < 1e-12);
}

TEST_CASE("latent attention: the cache holds C + R numbers for a token, and gives the same",
          "[attention]") {
    const LatentAttention layer = make_latent();
    const Tensor x = numbers({2, T, D}), all = layer(x, {.causal = true});
    KeyValueCache cache;
    std::vector<Tensor> steps{layer(slice(x, 1, 0, 2), {.causal = true, .cache = &cache})};
    for (int64_t t = 2; t < T; ++t)
        steps.push_back(layer(slice(x, 1, t, t + 1), {.causal = true, .cache = &cache}));
    CHECK(largest_difference(concat(steps, 1), all) < 1e-12);
    CHECK(cache[0].key.numel() + cache[0].value.numel() == 2 * T * (C + R));
    KeyValueCache whole;  // of multi-head attention of the same width
    Rng rng(1);
    SelfAttention plain({.width = D, .heads = H}, {.kind = PositionKind::rotary}, rng);
    plain(to_dtype(x, Dtype::float32), {.cache = &whole});
    CHECK(whole[0].key.numel() + whole[0].value.numel() == 2 * T * 2 * D);
}

TEST_CASE("latent attention: the latent is a value for hooks", "[attention]") {
    const LatentAttention layer = make_latent();
    const Tensor x = numbers({1, T, D});
    const auto [y, values] = run_and_read(layer, x, {"latent"});
    CHECK(largest_difference(values.at("latent"), layer.down(x)) == 0);
    const Tensor silent = run_with(layer, x, {{"latent", [](const Tensor& c) { return c * 0.0; }}});
    CHECK(max(abs(silent)).item() == 0);
}
