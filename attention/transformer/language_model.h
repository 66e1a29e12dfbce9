// A decoder-only language model, of the family of GPT: from the tokens so far, the next one
// (Radford et al. 2018, section 3.1; Radford et al. 2019, section 2.3).
//
//     LanguageModel model({.vocabulary = 65, .stack = gpt({.width = 128, .heads = 4, .layers = 4,
//                                                          .places = 64})}, rng);
//     backward(sequence_cross_entropy(model(ids), next_ids, -1));
//     Hypothesis text = sample_decode(model.decodable(prompt), {.temperature = 0.8}, rng,
//                              {.end = -1, .max_length = 30})[0];    // no token ends a text
//
// Layers are pre-norm, attention is causal, one table embeds the tokens and scores the next.
#pragma once

#include "attention/decoding/decode.h"
#include "attention/transformer/stacks.h"

namespace heed {

struct GptSize {
    int64_t width = 64, heads = 4, layers = 2;
    int64_t places = 64;  // the longest sequence
};
// The options of GPT-2: pre-norm, GELU by tanh, learned positions, biases.
TransformerOptions gpt(const GptSize& size);

struct LanguageModelOptions {
    int64_t vocabulary = 0;
    TransformerOptions stack = gpt({});
    bool tied_output = true;
};

struct LanguageModel {
    Embedding embedding;  // [V, D]
    AbsolutePositions positions;
    TransformerEncoder decoder;  // encoder layers, called causal
    Linear head;                 // [V, D], no bias
    Dropout dropout;

    LanguageModel() = default;
    // Begins as initialise_gpt2() says.
    LanguageModel(const LanguageModelOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("positions", positions);
        f("decoder", decoder);
        f("head", head);
    }

    // ids [B, T] -> logits [B, T, V] of the token after each. With dropout the mode must be given.
    Tensor operator()(const Indices& ids, Mode mode = {}) const;
    // The same before the head, with the weights of every layer if wanted.
    StackResult run(const Indices& ids, const LayerCall& call = {}) const;

    // Ready to go on from prompts of equal length, [N, T] with T at least 1: see decode.h. The
    // token the decoder is told to start with does not count: the last of the prompt is fed.
    Decodable decodable(const Indices& prompt) const;
};

// How many parameters the model has, without making it.
int64_t parameter_count(const LanguageModelOptions& options);

}  // namespace heed
