// Models that others have trained and published, read from their files into the models of heed:
//
//     GGUF                       the Llama family (Llama 2 and 3, TinyLlama, SmolLM2, Mistral), Qwen2
//     config.json, safetensors   the same, GPT-2, and BERT: a folder such as all-MiniLM-L6-v2
//
//     const PublishedLanguageModel smol = load_language_model(file);
//     const std::vector<int> ids = smol.tokenizer.encode("Attention is");
//     Hypothesis more = greedy_decode(smol.model.decodable(Indices(ids, {1, std::ssize(ids)})),
//                                     {.end = smol.end})[0];
//
//     const PublishedEncoder mini = load_encoder(folder);
//     Tensor x = sentence_vectors(mini, {"a dog", "a puppy"});      // [2, 384]
//
// The models are LanguageModel and Bert with the options that the file asks for. A file that asks for
// what they do not have is refused, and the error names it. Weights of 8 and 4 bits stay as they are in
// the file (Q8_0, Q4_0, Q4_1); others become float32. No weight is in memory twice.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "attention/transformer/bert.h"
#include "attention/transformer/language_model.h"
#include "nn/text/tokenizer.h"

namespace heed {

struct PublishedLanguageModel {
    LanguageModel model = {};
    Tokenizer tokenizer;
    std::string description = {};    // in one line: the name, the family, its sizes
    std::string chat_template = {};  // as in the file; empty: none
    int64_t max_positions = 0;       // the longest text that it was trained on
    int end = -1;                    // the token that ends a text or an answer; -1: not known
};

struct PublishedEncoder {
    Bert model = {};
    Tokenizer tokenizer;
    std::string description = {};
    int64_t max_positions = 0;
};

using Published = std::variant<PublishedLanguageModel, PublishedEncoder>;

// `path`: a GGUF file, or a folder with config.json, a tokenizer, and model.safetensors or
// model.safetensors.index.json. Throws InputError, with the name of the file, for what is missing,
// malformed or not known.
Published load_published(const std::string& path);

// The same for one of the two kinds. Throws InputError if it is the other one.
PublishedLanguageModel load_language_model(const std::string& path);
PublishedEncoder load_encoder(const std::string& path);

// A vector of length 1 for each text, [N, D]: the mean of the encoder's outputs over the text's tokens,
// normalised (Reimers and Gurevych 2019, section 3). Texts are near each other in meaning if the dot
// product is near 1. A longer text than the encoder reads is cut.
Tensor sentence_vectors(const PublishedEncoder& encoder, const std::vector<std::string>& texts);

}  // namespace heed
