// The recurrent encoder: reads the source sentence, and leaves a state for every token of it.
//
//     RecurrentEncoder encoder(50, 64, CellKind::gru, 32, {.bidirectional = true}, rng);
//     Encoded source = encoder(ids, lengths);
//     // source.states [B, K, C]: an annotation for every token
//     // source.summary [B, C]: the last states, all that a decoder without attention sees
//
// (Bahdanau, Cho, Bengio 2015, section 3.2.)
//
// C is the width of the outputs: H, or 2 H for both directions. Padding changes no result: rows
// shorter than the batch stop where they end, backward ones start there.
#pragma once

#include "autograd/tensor/indices.h"
#include "nn/layers/layers.h"
#include "nn/recurrent/recurrent.h"

namespace heed {

struct Encoded {
    Tensor states;   // [B, K, C], 0 at padding
    Tensor summary;  // [B, C]
    Tensor mask;     // [B, 1, K]; not defined when no row is padded
};

struct RecurrentEncoder {
    Embedding embedding;
    Recurrent layers;
    Dropout dropout;  // of the embeddings

    RecurrentEncoder() = default;
    // dropout_rate is that of the embeddings; the one between layers is in the options.
    RecurrentEncoder(int64_t vocabulary, int64_t embedding_width, CellKind cell, int64_t hidden,
                     const RecurrentOptions& options, Rng& rng, double dropout_rate = 0);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("layers", layers);
    }
    int64_t output_size() const { return layers.output_size(); }

    // ids [B, K], lengths [B] (empty: no padding); with dropout the mode must be given. Throws when
    // ids and lengths do not fit.
    Encoded operator()(const Indices& ids, const Indices& lengths = {},
                       Mode mode = {}) const;
};

}  // namespace heed
