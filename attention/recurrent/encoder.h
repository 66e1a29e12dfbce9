// The recurrent encoder: computes a state for every token of the source sentence.
//
//     RecurrentEncoder encoder(50, 64, CellKind::gru, 32, {.bidirectional = true}, rng);
//     EncoderOutput source = encoder(ids, lengths);
//     // source.states [B, K, C]: an annotation for every token
//     // source.summary [B, C]: the last states, all that a decoder without attention gets
//
// (Bahdanau, Cho, Bengio 2015, section 3.2.)
//
// C is the width of the outputs: H, or 2 H for two directions. Padding changes no result: in a
// shorter row the forward direction ends at its last token, and the backward direction starts
// there.
#pragma once

#include "autograd/tensor/indices.h"
#include "nn/layers/layers.h"
#include "nn/recurrent/recurrent.h"

namespace heed {

struct EncoderOutput {
    Tensor states;   // [B, K, C], 0 at padding
    Tensor summary;  // [B, C]
    Tensor mask;     // [B, 1, K], 1 at tokens and 0 at padding; not defined without padding
};

struct RecurrentEncoder {
    Embedding embedding;
    Recurrent layers;
    Dropout dropout;  // of the embeddings

    RecurrentEncoder() = default;
    // dropout_rate is that of the embeddings; the rate between layers is in the options.
    RecurrentEncoder(Integer vocabulary, Integer embedding_width, CellKind cell, Integer hidden,
                     const RecurrentOptions& options, Rng& rng, double dropout_rate = 0);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("layers", layers);
    }
    int64_t output_size() const { return layers.output_size(); }

    // ids [B, K], lengths [B] (empty: no padding); with dropout the mode must be given. Throws
    // unless there is one length for each row.
    EncoderOutput operator()(const Indices& ids, const Indices& lengths = {}, Mode mode = {}) const;
};

}  // namespace heed
