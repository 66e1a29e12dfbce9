// Words as the pieces that byte-pair merges make of them, and what of a text is unknown.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/material/corpora/texts.h"

namespace heed::workshop5 {

using course::Sentence;
using course::Texts;

using Pieces = std::vector<std::string>;
using Merge = std::pair<std::string, std::string>;

// How often each word occurs. Each word has a blank in front of it, so that the pieces of a text, put
// one after the other, are the text again. Only the `most` most frequent ones, if that is not 0.
std::map<std::string, int64_t> word_counts(const std::vector<Sentence>& sentences,
                                           std::size_t most = 0);

// The single bytes of a word.
Pieces bytes_of(const std::string& word);

// The pieces for the terminal: a blank as _ and bytes that are no complete character as <EA>.
std::string shown(const Pieces& pieces);

// Mean numbers of tokens a sentence when words are the tokens, characters, bytes.
struct TokenCounts {
    double words = 0, characters = 0, bytes = 0;
};
TokenCounts token_counts(const std::vector<Sentence>& sentences);

// The share of the words, and of the characters, of some sentences that do not occur in others.
struct Unknown {
    double words = 0, characters = 0;
    int word_kinds = 0, character_kinds = 0;  // known ones
};
Unknown unknown_share(const std::vector<Sentence>& known, const std::vector<Sentence>& sentences);

// The mean over up to ten sets of `size` known sentences each, one set after the other.
Unknown mean_unknown_share(const std::vector<Sentence>& known,
                           const std::vector<Sentence>& sentences, std::size_t size);

}  // namespace heed::workshop5
