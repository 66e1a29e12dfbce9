// The layers of the Transformer (Vaswani et al. 2017, section 3.1), each a chain of sublayers
// around which the input is carried past:
//
//     post-norm, as published                  y = norm(x + f(x))
//     pre-norm (Xiong et al. 2020, table 1)    y = x + f(norm(x))
//
//     encoder layer: f = self-attention, then a feed-forward network
//     decoder layer: f = self-attention, attention over the memory, then the network
//
//     TransformerEncoderLayer layer({.width = 64, .heads = 4, .pre_norm = true}, rng);
//     Tensor y = layer(x, {.mask = padding_mask(lengths, T)}).output;    // [B, T, 64]
//
// A decoder-only model is made of encoder layers called with causal. Dropout is where the paper has
// it (section 5.4), at what a sublayer gives; and as in its authors' code and in PyTorch also at
// the weights and inside the network.
#pragma once

#include "attention/heads/self_attention.h"

namespace heed {

enum class Activation { relu, gelu, gelu_tanh };  // GELU exact, or by tanh as in GPT-2

struct TransformerOptions {
    int64_t width = 64;  // D
    int64_t heads = 4;
    int64_t layers = 2;
    int64_t hidden = 0;       // of the feed-forward network; 0: 4 width
    bool pre_norm = false;    // as against post-norm
    bool residual = true;     // the way past each sublayer; without it, to see what it is for
    bool final_norm = false;  // one after the last layer with post-norm too, as in PyTorch's
                              // nn.Transformer; with pre-norm there always is one
    Activation activation = Activation::relu;
    bool bias = true;  // of products and of norms
    double dropout = 0;
    PositionOptions positions = {};  // width and heads are filled in
};

// How a layer, or a stack of them, is called.
struct LayerCall {
    Tensor mask = {};         // of self-attention, as in MultiHeadCall
    bool causal = false;      // self-attention to no later token
    Tensor memory_mask = {};  // decoder layers: of the attention over the memory
    bool need_weights = false;
    Mode mode = {};  // must be given with dropout
};

struct LayerResult {
    Tensor output;         // [B, T, D]
    Tensor weights;        // [B, H, T, T] of self-attention, if wanted
    Tensor cross_weights;  // [B, H, T, K] of a decoder layer, if wanted
};

// Two dense layers, applied to every token alone: W₂ f(W₁ x + b₁) + b₂ (section 3.3).
struct FeedForward {
    Linear hidden, output;  // [F, D], [D, F]
    Activation activation = Activation::relu;
    Dropout dropout;  // of the hidden units

    FeedForward() = default;
    FeedForward(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }

    Tensor operator()(const Tensor& x, Mode mode = {}) const;  // [..., D] -> [..., D]
};

// What stands around every sublayer: the way past it, its norm, its dropout.
struct Residual {
    LayerNorm norm;
    Dropout dropout;
    bool pre_norm = false;
    bool carries = true;  // x past the sublayer

    Residual() = default;
    explicit Residual(const TransformerOptions& options);
    template <class F>
    void visit(F&& f) {
        norm.visit(f);
    }

    // f [B, T, D] -> [B, T, D]
    template <class F>
    Tensor around(const Tensor& x, Mode mode, F f) const {
        if (pre_norm) return plus(x, f(norm(x)), mode);
        return norm(plus(x, f(x), mode));
    }

  private:
    Tensor plus(const Tensor& x, const Tensor& y, Mode mode) const;
};

struct TransformerEncoderLayer {
    SelfAttention attention;
    Residual attention_norm;
    FeedForward feed_forward;
    Residual feed_forward_norm;

    TransformerEncoderLayer() = default;
    TransformerEncoderLayer(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("attention_norm", attention_norm);
        f("feed_forward", feed_forward);
        f("feed_forward_norm", feed_forward_norm);
    }

    // x [B, T, D]; with a cache its newest tokens, see self_attention.h.
    LayerResult operator()(const Tensor& x, const LayerCall& call = {},
                           KeyValue* cache = nullptr) const;
};

struct TransformerDecoderLayer {
    SelfAttention attention;
    Residual attention_norm;
    MultiHead cross_attention;
    Residual cross_attention_norm;
    FeedForward feed_forward;
    Residual feed_forward_norm;

    TransformerDecoderLayer() = default;
    TransformerDecoderLayer(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("attention_norm", attention_norm);
        f("cross_attention", cross_attention);
        f("cross_attention_norm", cross_attention_norm);
        f("feed_forward", feed_forward);
        f("feed_forward_norm", feed_forward_norm);
    }

    // x [B, T, D], memory [B, K, D]; or the memory's keys and values, made ready once by prepare().
    LayerResult operator()(const Tensor& x, const Tensor& memory, const LayerCall& call = {}) const;
    LayerResult operator()(const Tensor& x, const KeyValue& memory, const LayerCall& call = {},
                           KeyValue* cache = nullptr) const;
    KeyValue prepare(const Tensor& memory) const {
        return keys_and_values(cross_attention, memory);
    }
};

}  // namespace heed
