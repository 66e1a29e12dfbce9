#include "attention/transformer/layers.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {

namespace {

MultiHeadOptions heads_of(const TransformerOptions& o) {
    return {.width = o.width,
            .heads = o.heads,
            .key_value_heads = o.key_value_heads,
            .bias = o.query_key_value_bias.value_or(o.bias),
            .output_bias = o.bias,
            .dropout = o.attention_dropout.value_or(o.dropout)};
}

}  // namespace

FeedForward::FeedForward(const TransformerOptions& o, Rng& rng) {
    const UserCall named("FeedForward");
    check_not_negative("FeedForward", {{"experts", o.experts}});
    if (o.experts > 0) {
        experts_for_each_token = o.experts_for_each_token;
        renormalise_experts = o.renormalise_experts;
        check(experts_for_each_token >= 1 && experts_for_each_token <= o.experts,
              "{} experts for each token, of {}", experts_for_each_token, o.experts);
        check(experts_for_each_token > 1 || o.experts == 1 || !renormalise_experts,
              "one of {} experts for each token: renormalised, its weight is always 1, and the "
              "router learns nothing; set .renormalise_experts = false",
              o.experts);
        router = Linear(o.width, o.experts, rng, false);
        TransformerOptions each = o;
        each.experts = 0;
        for (int64_t e = 0; e < o.experts; ++e) experts.emplace_back(each, rng);
        return;
    }
    const int64_t units = o.hidden ? o.hidden : 4 * o.width;
    hidden = Linear(o.width, units, rng, o.bias);
    output = Linear(units, o.width, rng, o.bias);
    if (o.gated) gate = Linear(o.width, units, rng, o.bias);
    activation = o.activation;
    dropout = Dropout(o.hidden_dropout.value_or(o.dropout));
}

namespace {

Tensor activated(const Tensor& x, Activation by) {
    return by == Activation::relu        ? relu(x)
           : by == Activation::gelu      ? gelu(x)
           : by == Activation::gelu_tanh ? gelu_tanh(x)
                                         : silu(x);
}

}  // namespace

Tensor FeedForward::operator()(const Tensor& x, Mode mode, std::vector<Tensor>* scores) const {
    const Shapes in("FeedForward", {{"x", x, "... D"}});
    if (!experts.empty()) return mixture(x, mode, scores);
    const Tensor sums = hidden(x);
    const Tensor units =
        gate.defined() ? activated(gate(x), activation) * sums : activated(sums, activation);
    return output(hook(*this, "units", dropout(units, mode)));
}

Tensor FeedForward::mixture(const Tensor& x, Mode mode, std::vector<Tensor>* scores) const {
    const Tensor s = hook(*this, "router", router(x));
    const Tensor chosen = hook(*this, "chosen", chosen_experts(s, experts_for_each_token));
    const Tensor w = hook(*this, "expert_weights", expert_weights(s, chosen, renormalise_experts));
    if (scores) scores->push_back(s);
    return mix_experts(x, chosen, w,
                       [&](int64_t e, const Tensor& tokens) { return experts[e](tokens, mode); });
}

TransformerNorm::TransformerNorm(const TransformerOptions& o)
    : LayerNorm(o.width, o.bias && o.norm == NormKind::layer), kind(o.norm) {
    check(std::isfinite(o.norm_eps) && o.norm_eps >= 0,
          "TransformerNorm: norm_eps {}; expected a finite number, or 0 for the norm's own",
          o.norm_eps);
    if (o.norm_eps > 0 || kind == NormKind::rms) eps = o.norm_eps;
}

Tensor TransformerNorm::operator()(const Tensor& x) const {
    const Shapes in("TransformerNorm", {{"x", x, "... D"}, {"weight", weight, "D"}});
    if (kind == NormKind::layer) return LayerNorm::operator()(x);
    RmsNorm rms;
    rms.weight = weight;
    rms.eps = eps;
    return rms(x);
}

ResidualConnection::ResidualConnection(const TransformerOptions& o) {
    const UserCall named("ResidualConnection");
    norm = TransformerNorm(o);
    dropout = Dropout(o.dropout);
    pre_norm = o.pre_norm;
    residual = o.residual;
}

Tensor ResidualConnection::add(const Tensor& x, const Tensor& y, Mode mode) const {
    const Tensor added = hook(*this, "added", dropout(y, mode));
    return hook(*this, "sum", residual ? x + added : added);
}

TransformerAttention::TransformerAttention(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerAttention");
    check_not_negative("TransformerAttention",
                       {{"latent", o.latent}, {"rotary_width", o.rotary_width}});
    if (o.latent == 0) {
        check(o.rotary_width == 0,
              "a rotary_width of {} without latent attention, which .latent switches on",
              o.rotary_width);
        static_cast<SelfAttention&>(*this) = SelfAttention(heads_of(o), o.positions, rng);
        return;
    }
    check(o.key_value_heads == 0,
          "latent attention keeps one latent for all heads; leave "
          "key_value_heads, which is {}, at 0",
          o.key_value_heads);
    check(o.positions.kind == PositionKind::rotary,
          "latent attention has rotary positions; expected .positions = {{.kind = "
          "PositionKind::rotary}}, got {}",
          name_of(o.positions.kind));
    latent = LatentAttention({.width = o.width,
                              .heads = o.heads,
                              .latent = o.latent,
                              .rotary_width = rotary_width(o),
                              .layout = o.positions.layout,
                              .base = o.positions.base,
                              .interpolation = o.positions.interpolation,
                              .dropout = o.attention_dropout.value_or(o.dropout)},
                             rng);
}

int64_t TransformerAttention::rotary_width(const TransformerOptions& o) {
    const int64_t half = o.width / std::max<int64_t>(o.heads, 1) / 2;
    return o.rotary_width ? o.rotary_width : std::max<int64_t>(half + half % 2, 2);
}

Tensor TransformerAttention::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("TransformerAttention", {{"x", x, "B T D"}});
    return latent.down.weight.defined() ? latent(x, call) : SelfAttention::operator()(x, call);
}

TransformerEncoderLayer::TransformerEncoderLayer(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerEncoderLayer");
    attention = TransformerAttention(o, rng);
    attention_residual = ResidualConnection(o);
    feed_forward = FeedForward(o, rng);
    feed_forward_residual = ResidualConnection(o);
}

Tensor TransformerEncoderLayer::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("TransformerEncoderLayer", {{"x", x, "B T D"}});
    const Tensor y = attention_residual(x, call.mode, [&](Tensor h) { return attention(h, call); });
    return feed_forward_residual(y, call.mode,
                                 [&](Tensor h) { return feed_forward(h, call.mode, call.router); });
}

TransformerDecoderLayer::TransformerDecoderLayer(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerDecoderLayer");
    attention = TransformerAttention(o, rng);
    attention_residual = ResidualConnection(o);
    cross_attention = MultiHead(heads_of(o), rng);
    cross_attention_residual = ResidualConnection(o);
    feed_forward = FeedForward(o, rng);
    feed_forward_residual = ResidualConnection(o);
}

Tensor TransformerDecoderLayer::operator()(const Tensor& x, const Tensor& memory,
                                           const AttentionCall& call) const {
    const Shapes in("TransformerDecoderLayer", {{"x", x, "B T D"}, {"memory", memory, "B K D"}});
    return (*this)(x, prepare(without_masked(memory, call.memory_mask)), call);
}

Tensor TransformerDecoderLayer::operator()(const Tensor& x, const KeyValue& memory,
                                           const AttentionCall& call) const {
    const Shapes in("TransformerDecoderLayer", {{"x", x, "B T D"}});
    const auto read_self = [&](Tensor h) { return attention(h, call.of_self()); };
    const auto read_memory = [&](const Tensor& h) {
        const Tensor query = cross_attention.split_heads(cross_attention.query(h));
        return cross_attention.attend(query, memory.key, memory.value, call.of_memory());
    };
    const Tensor y = attention_residual(x, call.mode, read_self);
    const Tensor z = cross_attention_residual(y, call.mode, read_memory);
    return feed_forward_residual(z, call.mode,
                                 [&](Tensor h) { return feed_forward(h, call.mode, call.router); });
}

}  // namespace heed
