// The Transformer (Vaswani et al. 2017, section 3): an encoder reads the source sequence and a
// decoder generates the target sequence. Both are stacks of attention and feed-forward layers.
//
//     Transformer model({.source_vocabulary = 50, .target_vocabulary = 60,
//                        .stack = {.width = 64, .heads = 4, .layers = 2, .dropout = 0.1}}, rng);
//     auto [logits, weights] = model(source, source_lengths, target_in, Mode::training(rng));
//     backward(sequence_cross_entropy(logits, target_out, Vocabulary::pad));
//     Hypothesis translation = greedy_decode(model.decodable(source, source_lengths))[0];
//
// It is called like the recurrent EncoderDecoder. Positions are sinusoidal by default. The learning
// rate schedule of the paper is schedules::noam() in nn/optim/schedules.h.
#pragma once

#include "attention/decoding/decode.h"
#include "attention/transformer/stacks.h"

namespace heed {

struct TransformerModelOptions {
    int64_t source_vocabulary = 0, target_vocabulary = 0;
    TransformerOptions stack = {};  // of both; .layers each
    // Section 3.4: the head's weight is the table of target embeddings; and, if both languages
    // have one vocabulary, source and target share this table.
    bool tied_output = true;
    bool shared_embedding = false;
    bool head_bias = false;
};

struct Transformer {
    Embedding source_embedding, target_embedding;
    AbsolutePositions source_positions, target_positions;
    TransformerEncoder encoder;
    TransformerDecoder decoder;
    Linear head;  // [V, D]
    Dropout dropout;

    Transformer() = default;
    // Initialised by initialise_vaswani(). Throws for an empty vocabulary, or for a shared
    // embedding of two vocabularies of different size.
    Transformer(const TransformerModelOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("source_embedding", source_embedding);
        f("target_embedding", target_embedding);
        f("source_positions", source_positions);
        f("target_positions", target_positions);
        f("encoder", encoder);
        f("decoder", decoder);
        f("head", head);
    }

    // source [B, K] with lengths [B] (empty: no padding), target_in [B, T] -> logits [B, T, V] and,
    // if wanted, the last layer's attention over the source, its heads averaged, [B, T, K].
    Seq2SeqOutput operator()(const Indices& source, const Indices& lengths,
                             const Indices& target_in, Mode mode = {},
                             Flag need_weights = false) const;

    // Encoder and decoder alone: from source [B, K] to memory [B, K, D], and from that and target_in
    // [B, T] to the output before the head, [B, T, D]. The decoder is always causal.
    Tensor encode(const Indices& source, const AttentionCall& call = {}) const;
    Tensor decode(const Indices& target_in, const Tensor& memory,
                  const AttentionCall& call = {}) const;

    // Ready to translate each row, with a cache of keys and values: see decode.h.
    Decodable decodable(const Indices& source, const Indices& lengths = {},
                        Flag need_weights = false) const;
};

// The number of parameters of a model with these options, without making it.
int64_t parameter_count(const TransformerModelOptions& options);

}  // namespace heed
