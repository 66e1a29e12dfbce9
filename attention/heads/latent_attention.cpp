#include "attention/heads/latent_attention.h"

#include <cmath>

#include "attention/fused/scaled_dot_product.h"
#include "attention/heads/multi_head.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/growing.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {

LatentAttention::LatentAttention(const LatentAttentionOptions& o, Rng& rng)
    : heads(o.heads),
      layout(o.layout),
      base(o.base),
      interpolation(o.interpolation),
      dropout(o.dropout) {
    const UserCall named("LatentAttention");
    check_rate("LatentAttention", {{"dropout", dropout}});
    check_positive("LatentAttention",
                   {{"width", o.width}, {"heads", o.heads}, {"latent", o.latent}});
    check_positive("LatentAttention", {{"base", o.base}, {"interpolation", o.interpolation}});
    check(std::isfinite(o.base) && std::isfinite(o.interpolation),
          "a base of {} and an interpolation of {}; expected finite numbers", o.base,
          o.interpolation);
    check(o.width % o.heads == 0, "a width of {} cannot be divided among {} heads", o.width,
          o.heads);
    check(o.rotary_width > 0 && o.rotary_width % 2 == 0,
          "a rotary width of {}; expected an even number, for pairs are rotated", o.rotary_width);
    query = Linear(o.width, o.width, rng, false);
    rotary_query = Linear(o.width, o.heads * o.rotary_width, rng, false);
    down = Linear(o.width, o.latent, rng, false);
    rotary_key = Linear(o.width, o.rotary_width, rng, false);
    key = Linear(o.latent, o.width, rng, false);
    value = Linear(o.latent, o.width, rng, false);
    output = Linear(o.width, o.width, rng, false);
}

namespace {

// [B, T, H W] -> [B, H, T, W], and back.
Tensor in_heads(const Tensor& x, int64_t heads) {
    return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}
Tensor joined(const Tensor& x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

// What both forms begin with: queries of all heads, latents and rotary keys of all tokens so far.
struct Projected {
    Tensor q, rotary_q;       // [B, H, T, W], [B, H, T, R]
    Tensor latent, r;         // [B, 1, K, C], [B, 1, K, R]
    AttentionCall call = {};  // of the attention itself
};

Projected project(const LatentAttention& layer, const Tensor& x, const AttentionCall& call) {
    check_call("LatentAttention", call, {.tokens = true});
    if (layer.dropout > 0) call.mode.is_training("LatentAttention");  // throws if it was not given
    KeyValue* const past = cache_entry("LatentAttention", call);
    const int64_t before = past && past->key.defined() ? past->key.size(2) : 0;
    check(before == 0 || past->key.size(0) == x.size(0),
          "x {}, but the cache holds latents {}; a cache belongs to its batch", x.shape(),
          before == 0 ? Shape{} : past->key.shape());
    const auto rotated = [&](const Tensor& all) {
        const auto at = [&](const auto& positions) {
            return rotary(all, positions, layer.base, layer.layout, layer.interpolation);
        };
        return call.positions.count() > 0 ? at(call.positions) : at(Integer(before));
    };
    Projected p{.q = in_heads(layer.query(x), layer.heads),
                .rotary_q = rotated(in_heads(layer.rotary_query(x), layer.heads)),
                .latent = unsqueeze(hook(layer, "latent", layer.down(x)), 1),
                .r = rotated(unsqueeze(layer.rotary_key(x), 1))};
    if (before > 0) {
        p.latent = append(past->key, p.latent, 2);
        p.r = append(past->value, p.r, 2);
    }
    if (past) *past = {p.latent, p.r};
    p.call = {.mask = MultiHead::mask_of_heads(call.mask, p.q, p.latent),
              .bias = call.bias,
              .causal = call.causal && x.size(1) > 1,
              .mode = call.mode,
              .weights = call.weights,
              .scale = 1 / std::sqrt(static_cast<double>(p.q.size(3) + p.r.size(3))),
              .dropout = layer.dropout};
    return p;
}

}  // namespace

Tensor LatentAttention::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("LatentAttention", {{"x", x, "B T D"}});
    if (call.cache) return absorbed(x, call);
    const Projected p = project(*this, x, call);
    const Tensor latent = squeeze(p.latent, 1);  // [B, T, C]
    const Tensor k = in_heads(key(latent), heads), v = in_heads(value(latent), heads);
    const Tensor r = expand(p.r, {in["B"], heads, in["T"], p.r.size(3)});  // one for all heads
    const Tensor contexts =
        scaled_dot_product_attention(concat({p.q, p.rotary_q}, 3), concat({k, r}, 3), v, p.call);
    return output(joined(contexts));
}

Tensor LatentAttention::absorbed(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("LatentAttention", {{"x", x, "B T D"}});
    const Projected p = project(*this, x, call);
    const int64_t latent = p.latent.size(3), width = in["D"] / heads;
    const Tensor K = reshape(key.weight, {heads, width, latent}),  // [H, W, C]
        V = reshape(value.weight, {heads, width, latent});
    const Tensor q = matmul(p.q, K);  // Kᵀ q [B, H, T, C]
    const Tensor contexts = scaled_dot_product_attention(
        concat({q, p.rotary_q}, 3), concat({p.latent, p.r}, 3), p.latent, p.call);
    return output(joined(matmul(contexts, transpose(V))));  // V Σ w c [B, H, T, W]
}

}  // namespace heed
