// SentencePiece's BPE, the tokens of Llama 2, TinyLlama and Mistral (Kudo and Richardson 2018; the
// pairs as in byte_pairs.h). A text is not cut into words. Its spaces become ▁, with one more in front,
// and it begins as its characters. Then the neighbours whose joined token has the best score are
// joined, and again, until no neighbours make a token:
//
//     "he here"   ▁ h e ▁ h e r e  ->  ▁ he ▁ he r e  ->  ▁he ▁he r e  ->  ▁he ▁he re  ->  ▁he ▁here
//
//     best score first: he, ▁he, re, ▁here
//
// A character that is no token becomes its bytes, <0xE2> and so on, if each of them is a token, and
// otherwise the unknown token. Bytes that are no UTF-8 are characters of one byte.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nn/text/joins.h"

namespace heed {

// All pairs of tokens that make a token, those with the best score first. A file from SentencePiece has
// no list of pairs, but a score for each token. Throws for a score that is not a number, and for lists
// of two lengths.
std::vector<Join> joins_by_score(const std::vector<std::string>& tokens,
                                 const std::vector<double>& scores);

struct SentencePieceOptions {
    std::string unknown = "<unk>";  // empty: characters that are no tokens are left out
    bool bytes = true;              // a character may become bytes
    bool fuse_unknown = true;       // unknown characters in a row are one token
};

class SentencePieces {
  public:
    static constexpr std::string_view space = "▁";

    // No text gets one of the `reserved` ids, which are those of special tokens. Throws for a token
    // that stands twice, and for an unknown token that is none.
    SentencePieces(const std::vector<std::string>& tokens, std::vector<Join> joins,
                   const std::vector<int>& reserved, const SentencePieceOptions& options = {});

    // Appends the ids of a text.
    void encode(std::string_view text, bool space_in_front, std::vector<int>& ids) const;
    // A token as it stands in a text: spaces for ▁, the byte for <0xE2>.
    std::string as_text(std::string_view token) const;

  private:
    void add_character(std::string_view character, std::vector<int>& ids) const;

    std::unordered_map<std::string, int> characters_;
    int ascii_[128] = {}, byte_[256] = {};  // ids; -1: none
    int unknown_ = -1;
    bool bytes_ = true, fuse_unknown_ = true;
    Joins joins_;
};

}  // namespace heed
