// Stacks of layers: the encoder and the decoder of a Transformer, without embeddings.
//
//     TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 6}, rng);
//     Tensor memory = encoder(x, {.mask = padding_mask(lengths, T)});    // [B, T, 64]
//
// They take any sequence of vectors: embedded tokens, patches of an image, measurements.
#pragma once

#include <vector>

#include "attention/transformer/layers.h"
#include "nn/module/module.h"

namespace heed {

namespace decoding {

// The sequences of a cache in a new order: row i becomes what row rows[i] was.
void select_rows(KeyValueCache& cache, const std::vector<int>& rows);
// Forgets the last `count` tokens. It copies nothing, and the next tokens are written over them
// (ops/shape/growing.h).
void back(KeyValueCache& cache, Integer count);
// Makes room for `tokens` tokens in all, so that none of them causes a copy. For a cache that has some.
void reserve(KeyValueCache& cache, Integer tokens);

}  // namespace decoding

struct TransformerEncoder {
    std::vector<TransformerEncoderLayer> layers;
    TransformerNorm norm;  // with pre_norm or final_norm; otherwise not defined

    TransformerEncoder() = default;
    TransformerEncoder(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("layers", layers);
        f("norm", norm);
    }

    // x [B, T, D] -> [B, T, D]. With a cache, x are the newest T tokens; see heads/self_attention.h.
    // Throws for a cache of another number of layers. Its value for hooks: "input", x.
    Tensor operator()(const Tensor& x, const AttentionCall& call = {}) const;
};

struct TransformerDecoder {
    std::vector<TransformerDecoderLayer> layers;
    TransformerNorm norm;  // as in TransformerEncoder

    TransformerDecoder() = default;
    TransformerDecoder(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("layers", layers);
        f("norm", norm);
    }

    // x [B, T, D], memory [B, K, D], the encoder's output, -> [B, T, D]. For many steps over one memory
    // prepare() computes its keys and values once. Self-attention is causal only if call.causal is
    // set. Throws when x and memory differ in B, and for a cache of another number of layers. Its
    // value for hooks: "input", x.
    Tensor operator()(const Tensor& x, const Tensor& memory, const AttentionCall& call) const;
    Tensor operator()(const Tensor& x, const KeyValueCache& memory,
                      const AttentionCall& call) const;
    KeyValueCache prepare(const Tensor& memory) const;
};

// Weight initialisation as in the papers. Biases become 0; scales of norms stay 1.
// Vaswani et al. 2017, as in their published code: matrices uniform in ±√(6 / (in + out)) (Glorot
// and Bengio 2010); tables named "embedding" N(0, 1 / √D), since embeddings are multiplied by √D.
void initialise_vaswani(const ParameterList& parameters, Rng& rng);
// Radford et al. 2019, section 2.3: N(0, 0.02), but N(0, 0.02 / √(2 layers)) for the last matrix of
// every sublayer, so that the variance of the residual sum does not grow with the depth.
void initialise_gpt2(const ParameterList& parameters, Integer layers, Rng& rng);

// The number of parameters of a stack of encoder layers, and of decoder layers, without making it.
int64_t encoder_parameter_count(const TransformerOptions& options);
int64_t decoder_parameter_count(const TransformerOptions& options);

}  // namespace heed
