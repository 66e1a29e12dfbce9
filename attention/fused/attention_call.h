// How attention is called, the same at every level: scaled_dot_product_attention(), MultiHead,
// SelfAttention, the layers of a Transformer and whole stacks.
//
//     Tensor y = attention(x, x, x, {.mask = padding_mask(lengths, T)});
//     Tensor z = encoder(x, {.causal = true, .mode = Mode::training(rng)});
//
// The result is a Tensor, so that layers compose. Who also wants the weights says where to put them, or
// reads them by their name inside a model (nn/module/hooks.h):
//
//     std::vector<Tensor> weights;
//     Tensor y = encoder(x, {.weights = &weights});    // weights[l], of layer l: [B, H, T, T]
//     auto [z, w] = with_weights(attention, x, source, source, {.mask = mask});
#pragma once

#include <optional>
#include <vector>

#include "attention/scores/soft.h"
#include "autograd/tensor/indices.h"
#include "nn/module/mode.h"

namespace heed {

// Keys and values split into heads, keys rotated; not defined before the first token. With grouped
// queries there are G of them, otherwise as many as heads of queries.
struct KeyValue {
    Tensor key, value;  // [B, G, T, D / H]
};
// Those of every layer of a stack. Empty before the first token.
using KeyValueCache = std::vector<KeyValue>;

struct AttentionCall {
    // 1 = may attend, 0 = may not. It broadcasts to the scores [B, H, Q, K]; layers also take [1, Q, K],
    // [B, 1, K] and [B, Q, K], the same for all heads. Not defined: all may attend to all.
    Tensor mask = {};
    Tensor bias = {};     // added to the scaled scores, broadcast to [B, H, Q, K]; or not defined
    bool causal = false;  // query i, at position K - Q + i, attends to no later key
    Mode mode = {};       // must be given with dropout
    // Where the weights [B, H, Q, K] before dropout are put, one after another in the order of the
    // layers. Null: they are not computed.
    std::vector<Tensor>* weights = nullptr;

    // Self-attention, alone or in a stack.
    Indices positions = {};  // of the tokens, [B, T], for rotary ones; empty: one after another
    KeyValueCache* cache = nullptr;  // of earlier tokens: see heads/self_attention.h
    int64_t layer = 0;               // which entry of the cache; a stack counts
    // Where layers with experts put the scores of their routers [B, T, E], one after another: see
    // transformer/experts.h.
    std::vector<Tensor>* router = nullptr;

    // Layers that also attend to an encoder's output, the memory.
    Tensor memory_mask = {};                        // as mask
    std::vector<Tensor>* memory_weights = nullptr;  // as weights

    // scaled_dot_product_attention(); layers have theirs from when they were made.
    double scale = 0;  // of the scores; 0: 1 / √D
    // The probability p with which a weight becomes 0; the others are divided by 1 - p.
    double dropout = 0;
    // The seed says which, so that two calls with one seed drop the same weights. If it is not given, it
    // is drawn from the mode, and in evaluation nothing is dropped.
    std::optional<uint64_t> dropout_seed = {};

    // Of a layer that attends to its own sequence and to a memory: the call of each.
    AttentionCall of_self() const;
    AttentionCall of_memory() const;
};

// The entry of this layer in the cache of the call, for the layer of this name; null without a cache.
KeyValue* cache_entry(const char* name, const AttentionCall& call);

// Which of the fields above a function reads besides mask, bias, causal, mode and weights.
struct CallUses {
    bool tokens = false, memory = false, numbers = false;
};
// Throws if others are set, which would have no effect.
void check_call(const char* name, const AttentionCall& call, CallUses uses);

// The result of an attention layer, [B, Q, D], and its weights, [B, H, Q, K]; of a stack, those of the last
// layer.
template <class Layer>
AttentionOutput with_weights(const Layer& layer, const Tensor& x, AttentionCall call = {}) {
    std::vector<Tensor> weights;
    call.weights = &weights;
    const Tensor y = layer(x, call);
    return {y, weights.empty() ? Tensor() : weights.back()};
}
template <class Layer>
AttentionOutput with_weights(const Layer& layer, const Tensor& q, const Tensor& k, const Tensor& v,
                             const AttentionCall& call = {}) {
    return with_weights(
        [&](const Tensor& x, const AttentionCall& wanted) { return layer(x, k, v, wanted); }, q,
        call);
}

}  // namespace heed
