#include "attention/heads/self_attention.h"

#include "autograd/ops/binary.h"
#include "autograd/ops/growing.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"

namespace heed {

SelfAttention::SelfAttention(const MultiHeadOptions& options, PositionOptions where, Rng& rng)
    : multi_head(options, rng) {
    where.width = options.width;
    where.heads = options.heads;
    positions = RelativePositions(where, rng);
}

AttentionOutput SelfAttention::operator()(const Tensor& x, const MultiHeadCall& call,
                                   KeyValue* cache) const {
    check(x.dim() == 3, "SelfAttention: x {}; expected [B, T, D]", x.shape());
    const int64_t before = cache && cache->key.defined() ? cache->key.size(2) : 0;
    check(before == 0 || cache->key.size(0) == x.size(0),
          "SelfAttention: x {}, but the cache holds keys {}; a cache belongs to its batch",
          x.shape(), before == 0 ? Shape{} : cache->key.shape());
    const Tensor q = positions.turned(multi_head.split_heads(multi_head.query(x)), before);
    auto [k, v] = keys_and_values(multi_head, x);
    k = positions.turned(k, before);
    if (before > 0) {
        k = append(cache->key, k, 2);
        v = append(cache->value, v, 2);
    }
    if (cache) *cache = {k, v};

    MultiHeadCall all = call;
    all.causal = call.causal && x.size(1) > 1;  // the last token sees all
    if (const Tensor bias = positions.bias(q, k.size(2)); bias.defined())
        all.bias = call.bias.defined() ? call.bias + bias : bias;
    if (positions.kind != PositionKind::relative) return multi_head.attend(q, k, v, all);

    // Shaw's distances add to the context too, by the weights, so that these are needed.
    const Tensor mask = MultiHead::mask_of_heads(all.mask, q, k);
    const Tensor weights =
        scaled_dot_product_definition(q, k, v, {mask, all.bias, all.causal}).weights;
    const Tensor kept = Dropout(call.dropout)(weights, call.mode);
    const Tensor context = matmul(kept, v) + positions.context(kept);  // [B, H, T, D / H]
    return {multi_head.output(multi_head.join_heads(context)),
            call.need_weights ? weights : Tensor()};
}

KeyValue keys_and_values(const MultiHead& attention, const Tensor& memory) {
    check(memory.dim() == 3, "keys_and_values: memory {}; expected [B, K, D]", memory.shape());
    return {attention.split_heads(attention.key(memory)),
            attention.split_heads(attention.value(memory))};
}

}  // namespace heed
