// Layers one above the other: the encoder and the decoder of a Transformer, without embeddings.
//
//     TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 6}, rng);
//     Tensor memory = encoder(x, {.mask = padding_mask(lengths, T)}).output;    // [B, T, 64]
//
// They take any sequence of vectors: embedded tokens, patches of an image, measurements.
#pragma once

#include <vector>

#include "attention/transformer/layers.h"
#include "nn/module/module.h"

namespace heed {

struct StackResult {
    Tensor output;                      // [B, T, D]
    std::vector<Tensor> weights;        // of every layer [B, H, T, T], if wanted
    std::vector<Tensor> cross_weights;  // of every decoder layer [B, H, T, K], if wanted
};

// Keys and values of every layer. Empty before the first token.
using Cache = std::vector<KeyValue>;
// The same as one list, for the DecodingState of a model being decoded: key and value, layer by layer.
std::vector<Tensor> tensors_of(const Cache& cache);
Cache cache_of(const std::vector<Tensor>& tensors);  // a single one left over is passed over

struct TransformerEncoder {
    std::vector<TransformerEncoderLayer> layers;
    LayerNorm norm;  // with pre-norm, or if asked for

    TransformerEncoder() = default;
    TransformerEncoder(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("layers", layers);
        f("norm", norm);
    }

    StackResult operator()(const Tensor& x, const LayerCall& call = {},
                           Cache* cache = nullptr) const;
};

struct TransformerDecoder {
    std::vector<TransformerDecoderLayer> layers;
    LayerNorm norm;

    TransformerDecoder() = default;
    TransformerDecoder(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("layers", layers);
        f("norm", norm);
    }

    // memory [B, K, D], the encoder's output; or made ready once, for many steps. Self-attention is
    // causal when call.causal says so.
    StackResult operator()(const Tensor& x, const Tensor& memory, const LayerCall& call) const;
    StackResult operator()(const Tensor& x, const Cache& memory, const LayerCall& call,
                           Cache* cache = nullptr) const;
    Cache prepare(const Tensor& memory) const;
};

// What the papers begin with. Scales and shifts of norms stay 1 and 0, all other biases become 0.
// Vaswani et al. 2017, as its authors' code has it: matrices uniform within √(6 / (in + out)) of 0
// (Glorot and Bengio 2010); tables named "embedding" N(0, 1 / √D), for they are multiplied by √D.
void initialise_vaswani(const std::vector<Parameter>& parameters, Rng& rng);
// Radford et al. 2019, section 2.3: N(0, 0.02), but N(0, 0.02 / √(2 layers)) for the last product
// of every sublayer, so that their sum over the depth stays as large.
void initialise_gpt2(const std::vector<Parameter>& parameters, int64_t layers, Rng& rng);

// How many parameters a stack of encoder layers has, or of decoder layers, without making it.
int64_t encoder_parameter_count(const TransformerOptions& options);
int64_t decoder_parameter_count(const TransformerOptions& options);

}  // namespace heed
