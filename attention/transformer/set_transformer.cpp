#include "attention/transformer/set_transformer.h"

#include "attention/scores/pairs.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/shape_ops.h"
#include "nn/layers/init.h"

namespace heed {

namespace {

FeedForward feed_forward_of(const SetTransformerOptions& o, Rng& rng) {
    return FeedForward({.width = o.width,
                        .hidden = o.hidden ? o.hidden : o.width,
                        .activation = o.activation,
                        .dropout = o.dropout},
                       rng);
}

// The learned vectors [M, D], once for each of B sets.
Tensor for_each_set(const Tensor& vectors, const Tensor& x, const char* block) {
    check(x.dim() == 3 && x.size(2) == vectors.size(1), "{}: x {}; expected [B, K, {}]", block,
          x.shape(), vectors.size(1));
    return expand(vectors, {x.size(0), vectors.size(0), vectors.size(1)});
}

}  // namespace

MultiHeadAttentionBlock::MultiHeadAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("MultiHeadAttentionBlock");
    attention = MultiHead({.width = o.width, .heads = o.heads}, rng);
    feed_forward = feed_forward_of(o, rng);
    dropout = Dropout(o.dropout);
    if (!o.layer_norm) return;
    attention_norm = LayerNorm(o.width);
    feed_forward_norm = LayerNorm(o.width);
}

Tensor MultiHeadAttentionBlock::operator()(const Tensor& x, const Tensor& y, const Tensor& mask,
                                           Mode mode) const {
    const UserCall named("MultiHeadAttentionBlock");
    check_defined("MultiHeadAttentionBlock", x, y);
    const auto normed = [](const LayerNorm& norm, const Tensor& h) {
        return norm.weight.defined() ? norm(h) : h;
    };
    const Tensor context =
        attention(x, y, y, {.mask = mask, .dropout = dropout.p, .mode = mode}).context;
    const Tensor h = normed(attention_norm, x + dropout(context, mode));  // [B, Q, D]
    return normed(feed_forward_norm, h + dropout(feed_forward(h, mode), mode));
}

SetAttentionBlock::SetAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("SetAttentionBlock");
    block = MultiHeadAttentionBlock(o, rng);
}

Tensor SetAttentionBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const UserCall named("SetAttentionBlock");
    check_defined("SetAttentionBlock", x);
    return block(x, x, mask, mode);
}

InducedSetAttentionBlock::InducedSetAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("InducedSetAttentionBlock");
    to_points = MultiHeadAttentionBlock(o, rng);
    to_elements = MultiHeadAttentionBlock(o, rng);
    check(o.inducing_points > 0,
          "InducedSetAttentionBlock: {} inducing points; expected at least 1", o.inducing_points);
    inducing_points = parameter(xavier_uniform({o.inducing_points, o.width}, rng));
}

Tensor InducedSetAttentionBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const UserCall named("InducedSetAttentionBlock");
    check_defined("InducedSetAttentionBlock", x);
    const Tensor points = for_each_set(inducing_points, x, "InducedSetAttentionBlock");
    return to_elements(x, to_points(points, x, mask, mode), {}, mode);
}

AttentionPoolingBlock::AttentionPoolingBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("AttentionPoolingBlock");
    feed_forward = feed_forward_of(o, rng);
    block = MultiHeadAttentionBlock(o, rng);
    check(o.seeds > 0, "AttentionPoolingBlock: {} seed vectors; expected at least 1", o.seeds);
    seeds = parameter(xavier_uniform({o.seeds, o.width}, rng));
}

Tensor AttentionPoolingBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const UserCall named("AttentionPoolingBlock");
    check_defined("AttentionPoolingBlock", x);
    const Tensor queries = for_each_set(seeds, x, "AttentionPoolingBlock");
    return block(queries, feed_forward(without_masked(x, mask), mode), mask, mode);
}

}  // namespace heed
