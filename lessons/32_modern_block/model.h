// The blocks between GPT and Llama: each changes one thing of the one before it. All have as many
// parameters, within 1 %: the number of hidden units makes up for what a change saves or costs.
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/language_model.h"

namespace heed::lesson32 {

struct Sizes {
    int64_t width = 64, heads = 4, layers = 2, context = 32;
    int steps = 300, batch = 16;
};

struct Block {
    std::string name;    // of the change, for tables
    std::string change;  // what it replaces
    TransformerOptions options;
};

// GPT's block, then with RMS norms, gated units, rotary positions and without biases, one after another;
// the last of these is Llama's. Then Llama's with 2 and with 1 heads of keys and values, and with GELU.
std::vector<Block> blocks(const Sizes& sizes, int vocabulary);

// A model of these blocks, whose output weights are the table of embeddings.
LanguageModelOptions model_of(const TransformerOptions& stack, int vocabulary);

// The bytes of keys and values that a stack keeps for each token.
int64_t cache_bytes(const TransformerOptions& stack, int64_t bytes_of_a_number);

}  // namespace heed::lesson32
