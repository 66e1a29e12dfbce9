// WordPiece, the tokens of BERT (Devlin et al. 2019, section 3.2; Wu et al. 2016, section 4.1). A text
// is made of words, and a word of the longest pieces that the vocabulary has, from left to right. A
// piece inside a word begins with ##.
//
//     "Unaffable, naïve!"   words    unaffable , naive !
//                           pieces   un ##aff ##able , naive !
//
// A word that cannot be put together is one unknown token, and so is a very long one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nn/text/token_list.h"

namespace heed {

// How BERT cleans a text before it looks for words.
struct BertText {
    bool clean = true;          // control characters are removed, all white space is a space
    bool ideographs = true;     // each Chinese character is a word
    bool strip_accents = true;  // é becomes e
    bool lower_case = true;
};

// The words of a text: between white space, and each punctuation mark by itself. Bytes that are no UTF-8
// are read as U+FFFD.
std::vector<std::string> bert_words(std::string_view text, const BertText& options = {});

// The ids of the pieces of words.
class WordPieces {
  public:
    static constexpr int most_characters = 100;  // of a word; a longer one is unknown

    // Pieces inside a word begin with `prefix`. Throws if `unknown` is not among the tokens.
    WordPieces(const std::vector<std::string>& tokens, std::string unknown = "[UNK]",
               std::string prefix = "##", int longest_word = most_characters);

    void encode(std::string_view word, std::vector<int>& ids) const;  // appends
    // Words with spaces between them; no space before a piece that begins with the prefix.
    std::string decode(const std::vector<std::string>& pieces) const;

  private:
    TokenList tokens_;
    std::string prefix_;
    int unknown_ = 0, longest_word_ = 0;
};

}  // namespace heed
