#include "attention/heads/multi_head.h"

#include <string_view>

#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {

MultiHead::MultiHead(const MultiHeadOptions& o, Rng& rng)
    : heads(o.heads),
      key_value_heads(o.key_value_heads ? o.key_value_heads : o.heads),
      scale(o.scale),
      dropout(o.dropout) {
    const UserCall named("MultiHead");
    check_rate("MultiHead", {{"dropout", dropout}});
    check(o.width > 0 && heads > 0 && o.width % heads == 0,
          "MultiHead: a width of {} cannot be divided among {} heads; the heads must divide the "
          "width",
          o.width, heads);
    check(key_value_heads > 0 && heads % key_value_heads == 0,
          "MultiHead: {} heads of keys and values for {} of queries; the first must divide the "
          "second",
          key_value_heads, heads);
    const int64_t key_width = o.width / heads * key_value_heads;
    const auto or_width = [&](int64_t given) { return given ? given : o.width; };
    query = Linear(or_width(o.query_width), o.width, rng, o.bias);
    key = Linear(or_width(o.key_width), key_width, rng, o.bias);
    value = Linear(or_width(o.value_width), key_width, rng, o.bias);
    output = Linear(o.width, o.width, rng, o.output_bias);
}

namespace {

Tensor split(const Tensor& x, int64_t heads) {
    const Shapes in("MultiHead", {{"x", x, "B T D"}});
    check(in["D"] % heads == 0, "MultiHead: the {} heads do not divide the width of {}", heads,
          x.shape());
    return transpose(reshape(x, {in["B"], in["T"], heads, in["D"] / heads}), 1, 2);
}

}  // namespace

Tensor MultiHead::split_heads(const Tensor& x) const { return split(x, heads); }
Tensor MultiHead::split_groups(const Tensor& x) const {
    return split(x, key_value_heads ? key_value_heads : heads);
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

Tensor MultiHead::contexts(const Tensor& q, const Tensor& k, const Tensor& v,
                           const AttentionCall& call, Tensor* kept) const {
    const Shapes in("MultiHead",
                    {{"query", q, "B H Q W"}, {"key", k, "B G K W"}, {"value", v, "B G K Wv"}});
    check_call("MultiHead", call, {});
    if (dropout > 0) call.mode.is_training("MultiHead");  // throws if the mode was not given
    AttentionCall one = call;
    one.mask = mask_of_heads(call.mask, q, k);
    one.scale = scale;
    one.dropout = dropout;

    const Tensor qs = hook(*this, "q", q), ks = hook(*this, "k", k), vs = hook(*this, "v", v);
    const auto each = [&](const char* name, const Tensor& x) {
        const Tensor y = hook(*this, name, x);
        if (kept && std::string_view(name) == "kept") *kept = y;
        return y;
    };
    // The kernel never stores the weights.
    const bool stored = kept || is_hooked(*this, "scores") || is_hooked(*this, "weights") ||
                        is_hooked(*this, "kept");
    return hook(*this, "heads",
                stored ? scaled_dot_product_definition(qs, ks, vs, one, each).context
                       : scaled_dot_product_attention(qs, ks, vs, one));
}

Tensor MultiHead::attend(const Tensor& q, const Tensor& k, const Tensor& v,
                         const AttentionCall& call) const {
    const UserCall named("MultiHead");
    return output(join_heads(contexts(q, k, v, call)));
}

Tensor MultiHead::operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                             const AttentionCall& call) const {
    const Shapes in("MultiHead",
                    {{"query", q, "B Q Dq"}, {"key", k, "B K Dk"}, {"value", v, "B K Dv"}});
    return attend(split_heads(query(q)), split_groups(key(without_masked(k, call.mask))),
                  split_groups(value(without_masked(v, call.mask))), call);
}

}  // namespace heed
