#include "attention/transformer/layers.h"

#include "attention/scores/pairs.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

MultiHeadOptions heads_of(const TransformerOptions& o) {
    return {.width = o.width, .heads = o.heads, .bias = o.bias, .output_bias = o.bias};
}

}  // namespace

FeedForward::FeedForward(const TransformerOptions& o, Rng& rng) {
    const UserCall named("FeedForward");
    const int64_t units = o.hidden ? o.hidden : 4 * o.width;
    hidden = Linear(o.width, units, rng, o.bias);
    output = Linear(units, o.width, rng, o.bias);
    activation = o.activation;
    dropout = Dropout(o.hidden_dropout.value_or(o.dropout));
}

Tensor FeedForward::operator()(const Tensor& x, Mode mode) const {
    const Shapes in("FeedForward", {{"x", x, "... D"}});
    const Tensor sums = hidden(x);
    const Tensor units = activation == Activation::relu        ? relu(sums)
                         : activation == Activation::gelu      ? gelu(sums)
                         : activation == Activation::gelu_tanh ? gelu_tanh(sums)
                                                               : silu(sums);
    return output(dropout(units, mode));
}

ResidualConnection::ResidualConnection(const TransformerOptions& o) {
    const UserCall named("ResidualConnection");
    norm = LayerNorm(o.width, o.bias);
    dropout = Dropout(o.dropout);
    pre_norm = o.pre_norm;
    residual = o.residual;
}

Tensor ResidualConnection::add(const Tensor& x, const Tensor& y, Mode mode) const {
    return residual ? x + dropout(y, mode) : dropout(y, mode);
}

TransformerEncoderLayer::TransformerEncoderLayer(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerEncoderLayer");
    attention = SelfAttention(heads_of(o), o.positions, rng);
    attention_norm = ResidualConnection(o);
    feed_forward = FeedForward(o, rng);
    feed_forward_norm = ResidualConnection(o);
    attention_dropout = Dropout(o.attention_dropout.value_or(o.dropout)).p;
}

TransformerLayerOutput TransformerEncoderLayer::operator()(const Tensor& x,
                                                           const TransformerCall& call,
                                                           KeyValue* cache) const {
    const Shapes in("TransformerEncoderLayer", {{"x", x, "B T D"}});
    TransformerLayerOutput result;
    result.output = attention_norm(x, call.mode, [&](const Tensor& y) {
        auto [context, weights] = attention(y,
                                            {.mask = call.mask,
                                             .causal = call.causal,
                                             .need_weights = call.need_weights,
                                             .dropout = attention_dropout,
                                             .mode = call.mode,
                                             .positions = call.positions},
                                            cache);
        result.weights = weights;
        return context;
    });
    result.output = feed_forward_norm(result.output, call.mode,
                                      [&](const Tensor& y) { return feed_forward(y, call.mode); });
    return result;
}

TransformerDecoderLayer::TransformerDecoderLayer(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerDecoderLayer");
    attention = SelfAttention(heads_of(o), o.positions, rng);
    attention_norm = ResidualConnection(o);
    cross_attention = MultiHead(heads_of(o), rng);
    cross_attention_norm = ResidualConnection(o);
    feed_forward = FeedForward(o, rng);
    feed_forward_norm = ResidualConnection(o);
    attention_dropout = Dropout(o.attention_dropout.value_or(o.dropout)).p;
}

TransformerLayerOutput TransformerDecoderLayer::operator()(const Tensor& x, const Tensor& memory,
                                                           const TransformerCall& call) const {
    const Shapes in("TransformerDecoderLayer", {{"x", x, "B T D"}, {"memory", memory, "B K D"}});
    return (*this)(x, prepare(without_masked(memory, call.memory_mask)), call);
}

TransformerLayerOutput TransformerDecoderLayer::operator()(const Tensor& x, const KeyValue& memory,
                                                           const TransformerCall& call,
                                                           KeyValue* cache) const {
    const Shapes in("TransformerDecoderLayer", {{"x", x, "B T D"}});
    TransformerLayerOutput result;
    MultiHeadCall how{.mask = call.mask,
                      .causal = call.causal,
                      .need_weights = call.need_weights,
                      .dropout = attention_dropout,
                      .mode = call.mode,
                      .positions = call.positions};
    result.output = attention_norm(x, call.mode, [&](const Tensor& y) {
        auto [context, weights] = attention(y, how, cache);
        result.weights = weights;
        return context;
    });
    how.mask = call.memory_mask;
    how.causal = false;
    result.output = cross_attention_norm(result.output, call.mode, [&](const Tensor& y) {
        const Tensor query =
            cross_attention.split_heads(cross_attention.query(y));  // [B, H, T, D']
        auto [context, weights] = cross_attention.attend(query, memory.key, memory.value, how);
        result.cross_weights = weights;
        return context;
    });
    result.output = feed_forward_norm(result.output, call.mode,
                                      [&](const Tensor& y) { return feed_forward(y, call.mode); });
    return result;
}

}  // namespace heed
