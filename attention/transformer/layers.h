// The layers of the Transformer (Vaswani et al. 2017, section 3.1). A layer is a chain of sublayers
// f, each with a residual connection and a layer normalisation:
//
//     post-norm, as published                  y = norm(x + f(x))
//     pre-norm (Xiong et al. 2020, table 1)    y = x + f(norm(x))
//
//     encoder layer: f = self-attention, then a feed-forward network
//     decoder layer: f = self-attention, attention to the encoder's output, feed-forward network
//
//     TransformerEncoderLayer layer({.width = 64, .heads = 4, .pre_norm = true}, rng);
//     Tensor y = layer(x, {.mask = padding_mask(lengths, T)});    // [B, T, 64]
//
// A decoder-only model is made of encoder layers called with .causal = true. All are called as
// attention is (fused/attention_call.h).
#pragma once

#include <optional>

#include "attention/heads/latent_attention.h"
#include "attention/heads/self_attention.h"
#include "attention/transformer/experts.h"
#include "autograd/tensor/shapes.h"

namespace heed {

enum class Activation {
    relu,
    gelu,       // exact
    gelu_tanh,  // by tanh, as in GPT-2
    silu,       // x sigmoid(x), also called swish, as in the Conformer
};

enum class NormKind { layer, rms };  // LayerNorm, RmsNorm

struct TransformerOptions {
    int64_t width = 64;  // D
    int64_t heads = 4;
    int64_t key_value_heads = 0;  // grouped queries: heads/multi_head.h; 0: as many as heads
    // Latent attention in place of self-attention: heads/latent_attention.h. It has no biases, and its
    // positions are rotary ones.
    int64_t latent = 0;        // numbers of the latent, C; 0: no latent attention
    int64_t rotary_width = 0;  // of its rotary key, R; 0: half the width of a head, or one more
    int64_t layers = 2;
    int64_t hidden = 0;       // of the feed-forward network; 0: 4 width
    bool pre_norm = false;    // false: post-norm
    bool residual = true;     // false leaves out the x + of every sublayer, to show its effect
    bool final_norm = false;  // a norm after the last layer, as in PyTorch's nn.Transformer; with
                              // pre-norm there always is one
    NormKind norm = NormKind::layer;  // of all norms
    double norm_eps = 0;              // theirs; 0: 1e-5 of LayerNorm, and RmsNorm's default
    Activation activation = Activation::relu;
    bool gated = false;   // of the feed-forward network: three matrices instead of two
    int64_t experts = 0;  // feed-forward networks to choose from: experts.h; 0: one
    int64_t experts_for_each_token = 2;  // how many of them a token uses
    bool renormalise_experts = true;     // their weights sum to 1; must be false for one of several
    bool bias = true;                    // of all products and norms
    std::optional<bool> query_key_value_bias = {};  // that of these three products, if it differs
    // The rate at the output of every sublayer (section 5.4) and of the embeddings. As in PyTorch,
    // attention weights and hidden units of the feed-forward network are dropped at the same rate,
    // unless theirs is given.
    double dropout = 0;
    std::optional<double> attention_dropout = {};
    std::optional<double> hidden_dropout = {};
    PositionOptions positions = {};  // its width and heads are set from those above
};

// Two dense layers, applied to every token separately: W₂ f(W₁ x + b₁) + b₂ (section 3.3). Gated, each
// hidden unit is multiplied by another, linear one (Shazeer 2020, section 2):
//
//     W₂ (f(W x) * V x)         f = silu: SwiGLU        f = gelu: GEGLU
//
// Three matrices with 2/3 of the hidden units have as many parameters as two. With options.experts it is a
// mixture of such networks (experts.h).
struct FeedForward {
    Linear hidden, output;  // W₁ or V [F, D], W₂ [D, F]
    Linear gate;            // W [F, D], or not defined
    Activation activation = Activation::relu;
    Dropout dropout;  // of the hidden units, options.hidden_dropout

    // A mixture: the layers above are not defined, and each expert has its own.
    Linear router;  // R [E, D]
    std::vector<FeedForward> experts;
    int64_t experts_for_each_token = 2;
    bool renormalise_experts = true;

    FeedForward() = default;
    // Throws when there are fewer experts than a token uses, and for one of several with weights that
    // sum to 1.
    FeedForward(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
        f("gate", gate);
        f("router", router);
        f("experts", experts);
    }

    // [..., D] -> [..., D]. Its value for hooks: "units", the hidden ones after dropout. Those of a
    // mixture: "router", the scores s, "chosen", 1 or 0, and "expert_weights", w, all [..., E]. If `scores`
    // is not null, a mixture puts s there.
    Tensor operator()(const Tensor& x, Mode mode = {}, std::vector<Tensor>* scores = nullptr) const;

  private:
    Tensor mixture(const Tensor& x, Mode mode, std::vector<Tensor>* scores) const;
};

// The norm of a stack: LayerNorm, or RmsNorm as one with a weight [D] and no bias.
struct TransformerNorm : LayerNorm {
    NormKind kind = NormKind::layer;

    TransformerNorm() = default;
    explicit TransformerNorm(const TransformerOptions& options);

    Tensor operator()(const Tensor& x) const;  // x [..., D] -> [..., D]
};

// The residual connection of a sublayer, with its norm and its dropout.
struct ResidualConnection {
    TransformerNorm norm;
    Dropout dropout;  // of the sublayer's output
    bool pre_norm = false;
    bool residual = true;  // false: x is not added

    ResidualConnection() = default;
    explicit ResidualConnection(const TransformerOptions& options);
    template <class F>
    void visit(F&& f) {
        norm.visit(f);
    }

    // x [B, T, D], sublayer f: [B, T, D] -> [B, T, D]. Values for hooks: "added", what f gives, and
    // "sum", with x.
    template <class F>
    Tensor operator()(const Tensor& x, Mode mode, F f) const {
        const Shapes in("ResidualConnection", {{"x", x, "B T D"}});
        if (pre_norm) return add(x, f(norm(x)), mode);
        return norm(add(x, f(x), mode));
    }

  private:
    Tensor add(const Tensor& x, const Tensor& y, Mode mode) const;
};

// The self-attention of a layer, or with options.latent the latent attention in its place.
struct TransformerAttention : SelfAttention {
    LatentAttention latent;  // or not defined; then the layers of SelfAttention are

    TransformerAttention() = default;
    // Throws for latent attention with key_value_heads, or with positions that are not rotary.
    TransformerAttention(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        SelfAttention::visit(f);
        latent.visit(f);
    }

    // The width of the rotary key of latent attention.
    static int64_t rotary_width(const TransformerOptions& options);

    // x [B, T, D] -> [B, T, D]; see heads/self_attention.h and heads/latent_attention.h.
    Tensor operator()(const Tensor& x, const AttentionCall& call = {}) const;
};

struct TransformerEncoderLayer {
    TransformerAttention attention;
    ResidualConnection attention_residual;
    FeedForward feed_forward;
    ResidualConnection feed_forward_residual;

    TransformerEncoderLayer() = default;
    TransformerEncoderLayer(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("attention_norm", attention_residual);
        f("feed_forward", feed_forward);
        f("feed_forward_norm", feed_forward_residual);
    }

    // x [B, T, D] -> [B, T, D]; with a cache, x are the newest tokens, see self_attention.h.
    Tensor operator()(const Tensor& x, const AttentionCall& call = {}) const;
};

struct TransformerDecoderLayer {
    TransformerAttention attention;
    ResidualConnection attention_residual;
    MultiHead cross_attention;
    ResidualConnection cross_attention_residual;
    FeedForward feed_forward;
    ResidualConnection feed_forward_residual;

    TransformerDecoderLayer() = default;
    TransformerDecoderLayer(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("attention_norm", attention_residual);
        f("cross_attention", cross_attention);
        f("cross_attention_norm", cross_attention_residual);
        f("feed_forward", feed_forward);
        f("feed_forward_norm", feed_forward_residual);
    }

    // x [B, T, D], memory [B, K, D], the encoder's output, or its keys and values from prepare()
    // -> [B, T, D]. Throws when x and memory differ in B.
    Tensor operator()(const Tensor& x, const Tensor& memory, const AttentionCall& call = {}) const;
    Tensor operator()(const Tensor& x, const KeyValue& memory,
                      const AttentionCall& call = {}) const;
    KeyValue prepare(const Tensor& memory) const {
        return keys_and_values(cross_attention, memory);
    }
};

}  // namespace heed
