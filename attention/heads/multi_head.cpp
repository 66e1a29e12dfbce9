#include "attention/heads/multi_head.h"

#include "attention/scores/pairs.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

MultiHead::MultiHead(const MultiHeadOptions& o, Rng& rng) : heads(o.heads), scale(o.scale) {
    const UserCall named("MultiHead");
    check(o.width > 0 && heads > 0 && o.width % heads == 0,
          "MultiHead: a width of {} cannot be divided among {} heads; the heads must divide the "
          "width",
          o.width, heads);
    const auto or_width = [&](int64_t given) { return given ? given : o.width; };
    query = Linear(or_width(o.query_width), o.width, rng, o.bias);
    key = Linear(or_width(o.key_width), o.width, rng, o.bias);
    value = Linear(or_width(o.value_width), o.width, rng, o.bias);
    output = Linear(o.width, o.width, rng, o.output_bias);
}

Tensor MultiHead::split_heads(const Tensor& x) const {
    const Shapes in("MultiHead", {{"x", x, "B T D"}});
    check(in["D"] % heads == 0, "MultiHead: the {} heads do not divide the width of {}", heads,
          x.shape());
    return transpose(reshape(x, {in["B"], in["T"], heads, in["D"] / heads}), 1, 2);
}

Tensor MultiHead::join_heads(const Tensor& x) const {
    const Shapes in("MultiHead", {{"x", x, "B H T W"}}, {{"H", heads}});
    return reshape(transpose(x, 1, 2), {in["B"], in["T"], heads * in["W"]});
}

Tensor MultiHead::mask_of_heads(const Tensor& mask, const Tensor& q, const Tensor& k) {
    if (!mask.defined() || mask.dim() != 3) return mask;
    const Shape scores{q.size(0), q.size(-2), k.size(-2)};
    check(broadcasts_to(mask.shape(), scores),
          "MultiHead: the mask {} does not broadcast to the scores {} of each head; a padding mask "
          "is [B, 1, K], a causal one [1, Q, K]",
          mask.shape(), scores);
    return unsqueeze(mask, 1);
}

ScaledDotProductOptions MultiHead::options_of(const MultiHeadCall& call, const Tensor& q,
                                              const Tensor& k) const {
    const bool drops = call.dropout > 0 && call.mode.is_training("MultiHead");
    return {.mask = mask_of_heads(call.mask, q, k),
            .bias = call.bias,
            .causal = call.causal,
            .scale = scale,
            .dropout = drops ? call.dropout : 0,
            .dropout_seed = drops ? call.mode.rng("MultiHead").next() : 0};
}

AttentionOutput MultiHead::attend(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const MultiHeadCall& call) const {
    const Shapes in("MultiHead",
                    {{"query", q, "B H Q W"}, {"key", k, "B H K W"}, {"value", v, "B H K Wv"}});
    const ScaledDotProductOptions options = options_of(call, q, k);
    if (!call.need_weights)
        return {output(join_heads(scaled_dot_product_attention(q, k, v, options))), {}};
    const auto [context, weights] = scaled_dot_product_definition(q, k, v, options);
    return {output(join_heads(context)), weights};
}

AttentionOutput MultiHead::operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                                      const MultiHeadCall& call) const {
    const Shapes in("MultiHead",
                    {{"query", q, "B Q Dq"}, {"key", k, "B K Dk"}, {"value", v, "B K Dv"}});
    return attend(split_heads(query(q)), split_heads(key(without_masked(k, call.mask))),
                  split_heads(value(without_masked(v, call.mask))), call);
}

}  // namespace heed
