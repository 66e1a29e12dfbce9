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

AttentionOutput SelfAttention::operator()(const Tensor& x, const MultiHeadCall& call,
                                          KeyValue* cache) const {
    const Shapes in("SelfAttention", {{"x", x, "B T D"}});
    const int64_t before = cache && cache->key.defined() ? cache->key.size(2) : 0;
    check(before == 0 || cache->key.size(0) == in["B"],
          "x {}, but the cache holds keys {}; a cache belongs to its batch", x.shape(),
          before == 0 ? Shape{} : cache->key.shape());
    const auto rotated = [&](const Tensor& heads) {
        return call.positions.count() > 0 ? positions.rotate(heads, call.positions)
                                          : positions.rotate(heads, before);
    };
    const Tensor q = rotated(multi_head.split_heads(multi_head.query(x)));
    auto [k, v] = keys_and_values(multi_head, x, before == 0 ? call.mask : Tensor());
    k = rotated(k);
    if (before > 0) {
        k = append(cache->key, k, 2);
        v = append(cache->value, v, 2);
    }
    if (cache) *cache = {k, v};

    MultiHeadCall all = call;
    all.causal = call.causal && in["T"] > 1;  // no key is later than the last token
    if (const Tensor bias = positions.bias(q, k.size(2), multi_head.scale); bias.defined())
        all.bias = call.bias.defined() ? call.bias + bias : bias;
    if (positions.kind != PositionKind::relative) return multi_head.attend(q, k, v, all);

    // Shaw's relative positions also add to the context, which takes the weights after dropout.
    const ScaledDotProductOptions options = multi_head.options_of(all, q, k);
    auto [context, weights] = scaled_dot_product_definition(q, k, v, options);
    const Tensor kept = options.dropout == 0 ? weights
                                             : weights * attention_dropout_mask(
                                                             weights.shape(), options.dropout,
                                                             options.dropout_seed, weights.dtype());
    context = context + positions.context(kept);  // [B, H, T, D / H]
    return {multi_head.output(multi_head.join_heads(context)),
            call.need_weights ? weights : Tensor()};
}

KeyValue keys_and_values(const MultiHead& attention, const Tensor& x, const Tensor& mask) {
    const Shapes in("keys_and_values", {{"x", x, "B K D"}});
    const Tensor read = without_masked(x, mask);
    return {attention.split_heads(attention.key(read)),
            attention.split_heads(attention.value(read))};
}

}  // namespace heed
