// The Transformer (Vaswani et al. 2017, section 3): an encoder reads the source, a decoder writes
// the target, with attention for all that passes between tokens.
//
//     Transformer model({.source_vocabulary = 50, .target_vocabulary = 60,
//                        .stack = {.width = 64, .heads = 4, .layers = 2, .dropout = 0.1}}, rng);
//     auto [logits, weights] = model(source, source_lengths, target_in, Mode::training(rng));
//     backward(sequence_cross_entropy(logits, target_out, Vocabulary::pad));
//     Hypothesis translation = greedy_decode(model.decodable(source, source_lengths))[0];
//
// The same calls as those of the recurrent EncoderDecoder. Positions are sinusoidal unless others
// are asked for. For the schedule of the paper see schedules::noam() in nn/optim/schedules.h.
#pragma once

#include "attention/decoding/decode.h"
#include "attention/recurrent/encoder_decoder.h"
#include "attention/transformer/stacks.h"

namespace heed {

struct TransformerModelOptions {
    int64_t source_vocabulary = 0, target_vocabulary = 0;
    TransformerOptions stack = {};  // of both; .layers each
    // Section 3.4: one table embeds the target and scores the output; and, where both languages
    // share one vocabulary, the source as well.
    bool tied_output = true;
    bool shared_embedding = false;
};

struct Transformer {
    Embedding source_embedding, target_embedding;
    AbsolutePositions source_positions, target_positions;
    TransformerEncoder encoder;
    TransformerDecoder decoder;
    Linear head;  // [V, D], no bias
    Dropout dropout;

    Transformer() = default;
    // Begins as initialise_vaswani() says.
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
    // if wanted, the last layer's attention over the source, its heads averaged, [B, T, K]. With
    // dropout the mode must be given.
    Translation operator()(const Indices& source, const Indices& lengths, const Indices& target_in,
                           Mode mode = {}, bool need_weights = false) const;

    // The two halves of it, with the weights of every layer.
    StackResult encode(const Indices& source, const LayerCall& call = {}) const;
    StackResult decode(const Indices& target_in, const Tensor& memory,
                       const LayerCall& call = {}) const;  // causal

    // Ready to write a translation for each row, with a cache of keys and values: see decode.h.
    Decodable decodable(const Indices& source, const Indices& lengths = {},
                        bool need_weights = false) const;
};

// How many parameters the model has, without making it.
int64_t parameter_count(const TransformerModelOptions& options);

}  // namespace heed
