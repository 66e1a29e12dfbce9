#include "attention/transformer/set_transformer.h"

#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
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
    const Shapes in(block, {{"x", x, "B K D"}}, {{"D", vectors.size(1)}});
    return expand(vectors, {in["B"], vectors.size(0), in["D"]});
}

}  // namespace

MultiHeadAttentionBlock::MultiHeadAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("MultiHeadAttentionBlock");
    attention = MultiHead({.width = o.width, .heads = o.heads, .dropout = o.dropout}, rng);
    feed_forward = feed_forward_of(o, rng);
    dropout = Dropout(o.dropout);
    if (!o.layer_norm) return;
    attention_norm = LayerNorm(o.width);
    feed_forward_norm = LayerNorm(o.width);
}

Tensor MultiHeadAttentionBlock::operator()(const Tensor& x, const Tensor& y, const Tensor& mask,
                                           Mode mode) const {
    const Shapes in("MultiHeadAttentionBlock", {{"x", x, "B Q D"}, {"y", y, "B K D"}});
    const auto normed = [](const LayerNorm& norm, const Tensor& h) {
        return norm.weight.defined() ? norm(h) : h;
    };
    const Tensor context = attention(x, y, y, {.mask = mask, .mode = mode});
    const Tensor h = normed(attention_norm, x + dropout(context, mode));  // [B, Q, D]
    return normed(feed_forward_norm, h + dropout(feed_forward(h, mode), mode));
}

SetAttentionBlock::SetAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("SetAttentionBlock");
    block = MultiHeadAttentionBlock(o, rng);
}

Tensor SetAttentionBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const Shapes in("SetAttentionBlock", {{"x", x, "B K D"}});
    return block(x, x, mask, mode);
}

InducedSetAttentionBlock::InducedSetAttentionBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("InducedSetAttentionBlock");
    to_points = MultiHeadAttentionBlock(o, rng);
    to_elements = MultiHeadAttentionBlock(o, rng);
    check_positive("InducedSetAttentionBlock", {{"inducing_points", o.inducing_points}});
    inducing_points = parameter(xavier_uniform({o.inducing_points, o.width}, rng));
}

Tensor InducedSetAttentionBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const Shapes in("InducedSetAttentionBlock", {{"x", x, "B K D"}});
    const Tensor points = for_each_set(inducing_points, x, "InducedSetAttentionBlock");
    return to_elements(x, to_points(points, x, mask, mode), {}, mode);
}

AttentionPoolingBlock::AttentionPoolingBlock(const SetTransformerOptions& o, Rng& rng) {
    const UserCall named("AttentionPoolingBlock");
    feed_forward = feed_forward_of(o, rng);
    block = MultiHeadAttentionBlock(o, rng);
    check_positive("AttentionPoolingBlock", {{"seeds", o.seeds}});
    seeds = parameter(xavier_uniform({o.seeds, o.width}, rng));
}

Tensor AttentionPoolingBlock::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const Shapes in("AttentionPoolingBlock", {{"x", x, "B K D"}});
    const Tensor queries = for_each_set(seeds, x, "AttentionPoolingBlock");
    return block(queries, feed_forward(without_masked(x, mask), mode), mask, mode);
}

}  // namespace heed
