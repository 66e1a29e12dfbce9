// A decoder-only language model, of the family of GPT: from the tokens so far, the next one
// (Radford et al. 2018, section 3.1; Radford et al. 2019, section 2.3).
//
//     LanguageModel model({.vocabulary = 65, .stack = gpt({.width = 128, .heads = 4, .layers = 4,
//                                                          .max_positions = 64})}, rng);
//     backward(sequence_cross_entropy(model(ids), next_ids, -1));
//     Hypothesis text = sample_decode(model.decodable(prompt), {.temperature = 0.8}, rng,
//                                     {.end = -1, .max_length = 30})[0];    // no token ends a text
//
// Layers are pre-norm and attention is causal. The table of embeddings is also the weight of the
// head, which scores the next token.
#pragma once

#include "attention/decoding/decode.h"
#include "attention/transformer/stacks.h"

namespace heed {

struct GptSize {
    int64_t width = 64, heads = 4, layers = 2;
    int64_t max_positions = 64;  // the longest sequence
};
// The options of GPT-2: pre-norm, GELU by tanh, learned positions, biases (Radford et al. 2019,
// section 2.3).
TransformerOptions gpt(const GptSize& size);

struct LlamaSize {
    int64_t width = 64, heads = 4, layers = 2;
    int64_t key_value_heads = 0;  // 0: as many as heads
    int64_t hidden = 0;           // 0: 8/3 width, rounded up to a multiple of 8
    double rotary_base = 10000;
};
// The options of Llama: RMS norms before the sublayers, SwiGLU, rotary positions in halves, grouped
// queries and no biases (Touvron et al. 2023a, section 2.2; 2023b, section 2.2). The published models
// do not tie the head: {.stack = llama(size), .tied_output = false}.
TransformerOptions llama(const LlamaSize& size);

struct LanguageModelOptions {
    int64_t vocabulary = 0;
    TransformerOptions stack = gpt({});
    bool tied_output = true;  // the head's weight is the table of embeddings
    bool head_bias = false;
};

struct LanguageModel {
    Embedding embedding;  // [V, D]
    AbsolutePositions positions;
    TransformerEncoder stack;  // called causal, which makes a decoder of it: "decoder" in files
    Linear head;               // [V, D]
    Dropout dropout;

    LanguageModel() = default;
    // Initialised by initialise_gpt2(). Throws for an empty vocabulary.
    LanguageModel(const LanguageModelOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("positions", positions);
        f("decoder", stack);
        f("head", head);
    }

    // ids [B, T] -> logits [B, T, V] of the token after each. Throws when T is larger than the
    // number of learned positions, and with dropout unless the mode is given.
    Tensor operator()(const Indices& ids, Mode mode = {}) const;
    // The same before the head, [B, T, D]. Positions are those of the call. If it has none but a padding mask [B, 1, T], they count the tokens that are no padding, so
    // that texts may be padded on either side.
    Tensor run(const Indices& ids, const AttentionCall& call = {}) const;

    // Ready to continue prompts [N, T], T at least 1: see decode.h. Prompts of unequal length are padded
    // on the left: the last lengths[n] tokens of row n, at least one, are continued as they would be
    // alone. Without lengths [N] all have length T. The last token of each prompt is fed first;
    // DecodeOptions::start is not used. A model of P learned positions can continue a prompt of length T
    // by P - T + 1 tokens with .end = -1, and by P - T otherwise. The cache begins with room for so many
    // tokens; without it, or beyond it, the cache is copied when it has doubled, and the copies stay in the pool.
    Decodable decodable(const Indices& prompt, const Indices& lengths = {}, int64_t room = 0) const;
};

// The number of parameters of a model with these options, without making it.
int64_t parameter_count(const LanguageModelOptions& options);

}  // namespace heed
