// Byte-level BPE, the tokens of GPT-2 and of most models since (Sennrich, Haddow, Birch 2016, section
// 3.2; Radford et al. 2019, section 2.2). A word begins as its bytes. Then the pair of neighbours that
// was learned first is joined, and again, until no neighbours are a learned pair:
//
//     h e r e    ->  he r e  ->  he re  ->  here        learned in this order: h e, r e, he re
//
// Each text has tokens, since each byte is one. In files a byte is written as a visible character, a
// space as Ġ (bytes_as_characters).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nn/text/joins.h"

namespace heed {

// Any bytes as GPT-2's files write them, and back. The way back is false for what has other characters.
std::string bytes_as_characters(std::string_view bytes);
bool characters_as_bytes(std::string_view characters, std::string& bytes);

class BytePairs {
  public:
    // `tokens`, `pairs`: the bytes of each. An earlier pair is joined first; throws for one of which a half
    // or the whole is no token. With `whole_words_first` a word that is a token stays this token, whatever the
    // pairs would make of it.
    BytePairs(const std::vector<std::string>& tokens, const std::vector<TokenPair>& pairs,
              bool whole_words_first = false);

    // Appends the ids of a word. A byte that is no token is left out.
    void encode(std::string_view word, std::vector<int>& ids) const;

  private:
    int byte_[256] = {};  // the id of each byte; -1: none
    Joins joins_;
    TokenList words_;
};

}  // namespace heed
