// A tokenizer learned from texts: byte-level BPE (Sennrich, Haddow, Birch 2016, algorithm 1).
//
//     const LearnedTokenizer learned = learn_byte_pairs(lines, {.size = 4000});
//     const Tokenizer tokenizer(learned.parts, learned.special);
//     save_tokenizer(learned, "tokenizer.json");                       // load_tokenizer() reads it
//
// At first the 256 bytes are the tokens. Then the pair of neighbours that occurs most often, over all words of
// the texts, becomes a token, and again, until there are as many as asked for. Of pairs that occur equally
// often the one with the smaller ids is first, as in the package `tokenizers`; from the same texts both
// learn the same.
#pragma once

#include <string>
#include <vector>

#include "autograd/base/arguments.h"
#include "nn/text/tokenizer.h"

namespace heed {

struct LearnOptions {
    int size = 4000;                         // of the vocabulary, with bytes and special tokens
    Splitting splitting = Splitting::gpt2;   // pairs do not reach from one word to the next
    std::vector<std::string> specials = {};  // the first ids
    int64_t least = 2;                       // a pair that occurs less often is not joined
};

struct LearnedTokenizer {
    BytePairParts parts;
    SpecialParts special;
};

// Throws for a size below that of the bytes and the special tokens. The vocabulary is smaller than asked for
// if there are no more pairs.
LearnedTokenizer learn_byte_pairs(const std::vector<std::string>& texts,
                                  const LearnOptions& options = {});

// Writes tokenizer.json, which the package `tokenizers` reads too. Throws if the file cannot be written.
void save_tokenizer(const LearnedTokenizer& learned, const std::string& path);

}  // namespace heed
