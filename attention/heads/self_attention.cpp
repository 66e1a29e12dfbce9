#include "attention/heads/self_attention.h"

#include "attention/scores/pairs.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/shape/growing.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

SelfAttention::SelfAttention(const MultiHeadOptions& options, PositionOptions position_options,
                             Rng& rng)
    : multi_head(options, rng) {
    check(options.query_width == 0 && options.key_width == 0 && options.value_width == 0,
          "SelfAttention: queries, keys and values are one sequence; leave query_width, key_width "
          "and value_width at 0");
    position_options.width = options.width;
    position_options.heads = options.heads;
    positions = RelativePositions(position_options, rng);
}

Tensor SelfAttention::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("SelfAttention", {{"x", x, "B T D"}});
    check_call("SelfAttention", call, {.tokens = true});
    KeyValue* const past = cache_entry("SelfAttention", call);
    const int64_t before = past && past->key.defined() ? past->key.size(2) : 0;
    check(before == 0 || past->key.size(0) == in["B"],
          "x {}, but the cache holds keys {}; a cache belongs to its batch", x.shape(),
          before == 0 ? Shape{} : past->key.shape());
    const auto rotated = [&](const Tensor& heads) {
        return call.positions.count() > 0 ? positions.rotate(heads, call.positions)
                                          : positions.rotate(heads, before);
    };
    const Tensor q = rotated(multi_head.split_heads(multi_head.query(x)));
    auto [k, v] = keys_and_values(multi_head, x, before == 0 ? call.mask : Tensor());
    k = rotated(k);
    if (before > 0) {
        k = append(past->key, k, 2);
        v = append(past->value, v, 2);
    }
    if (past) *past = {k, v};

    AttentionCall all{.mask = call.mask,
                      .bias = call.bias,
                      .causal = call.causal && in["T"] > 1,  // no key is later than the last token
                      .mode = call.mode,
                      .weights = call.weights};
    if (const Tensor bias = positions.bias(q, k.size(2), multi_head.scale); bias.defined())
        all.bias = call.bias.defined() ? call.bias + bias : bias;
    if (positions.kind != PositionKind::relative) return multi_head.attend(q, k, v, all);

    // Shaw's relative positions also add to the context, which takes the weights after dropout.
    Tensor kept;
    const Tensor context = multi_head.contexts(q, k, v, all, &kept);  // [B, H, T, D / H]
    return multi_head.output(multi_head.join_heads(context + positions.context(kept)));
}

KeyValue keys_and_values(const MultiHead& attention, const Tensor& x, const Tensor& mask) {
    const Shapes in("keys_and_values", {{"x", x, "B K D"}});
    const Tensor read = without_masked(x, mask);
    return {attention.split_groups(attention.key(read)),
            attention.split_groups(attention.value(read))};
}

}  // namespace heed
