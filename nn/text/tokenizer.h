// The tokenizer of a published model, read from its file: from a text to the ids that the model was
// trained on, and back.
//
//     const Tokenizer tokenizer = load_tokenizer("MiniLM");        // a folder, or one of its files
//     tokenizer.encode("Attention is all you need");               // [CLS] attention is ... [SEP]
//     tokenizer.decode({101, 3086, 2003, 102});                    // "attention is"
//
// Three kinds are known: the WordPiece of BERT (word_pieces.h), the byte-level BPE of GPT-2, Llama 3,
// Qwen 2 and SmolLM (split.h, byte_pairs.h), and SentencePiece's BPE of Llama 2, TinyLlama and Mistral
// (sentence_pieces.h). A file that asks for anything else, such as SentencePiece's Unigram, is refused,
// and the error says what that is. With the same file the package `tokenizers` gives the same ids
// (tests/parity/random_texts.py).
//
// Special tokens, such as <|im_end|>, are the structure of a conversation. A text that a stranger has
// written may contain their names. These are encoded as any other characters, unless the caller asks for
// special tokens.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nn/saved/gguf.h"
#include "nn/text/byte_pairs.h"
#include "nn/text/sentence_pieces.h"
#include "nn/text/split.h"
#include "nn/text/token_list.h"
#include "nn/text/word_pieces.h"

namespace heed {

struct EncodeOptions {
    bool specials_in_text = false;  // names of special tokens in the text become these tokens
    bool ends = true;               // with the tokens before and behind each text: [CLS], [SEP]
    int behind = -1;                // the token that the text continues; -1: none, the text begins
};

// What gets a space in front before it is encoded, so that its first word is a word like all others.
enum class SpaceInFront {
    none,
    text,    // a text, unless it begins with a space
    parts,   // each part of a text between special tokens, unless it begins with a space
    always,  // each part
};

// What the algorithms are made of. `tokens` are in the order of their ids, as they stand in the file.
struct WordPieceParts {
    std::vector<std::string> tokens;
    BertText text = {};
    std::string unknown = "[UNK]", prefix = "##";
    int longest_word = WordPieces::most_characters;
};
struct BytePairParts {
    std::vector<std::string> tokens;    // characters for bytes
    std::vector<TokenPair> pairs = {};  // likewise
    Splitting splitting = Splitting::gpt2;
    bool whole_words_first = false, space_in_front = false;
};
struct SentencePieceParts {
    std::vector<std::string> tokens = {};  // ▁ for spaces
    std::vector<Join> joins = {};          // joins_by_score, or joins_in_order
    SentencePieceOptions options = {};
    SpaceInFront space_in_front = SpaceInFront::always;
    bool space_removed = true;  // by decode(), the first one
};
struct SpecialParts {
    std::vector<int> special = {};              // ids
    std::vector<int> before = {}, behind = {};  // the ends of each text
};

class Tokenizer {
  public:
    // Throws for pairs of what is no token, an unknown token that is missing, a special id that is no id.
    explicit Tokenizer(WordPieceParts parts, SpecialParts special = {});
    explicit Tokenizer(BytePairParts parts, SpecialParts special = {});
    explicit Tokenizer(SentencePieceParts parts, SpecialParts special = {});

    int size() const { return tokens_.size(); }
    std::string_view token(int id) const;  // as in the file; throws for an id outside [0, size)
    int id(std::string_view token) const;  // throws if there is none of that name
    bool has(std::string_view token) const { return tokens_.find(token) >= 0; }
    bool is_special(int id) const;  // throws likewise

    std::vector<int> encode(std::string_view text, const EncodeOptions& options = {}) const;
    // Without special tokens, unless they are asked for. Byte-level BPE gives the text back byte for
    // byte, if the vocabulary has all bytes. So does SentencePiece, but for ▁, which becomes a space;
    // it takes one space away where the text begins. WordPiece gives small letters, and spaces between
    // words.
    std::string decode(const std::vector<int>& ids, bool with_specials = false) const;
    // A token by itself, as it stands in the middle of a text, where a space in front is kept.
    std::string text_of(int id) const;

  private:
    void add_specials(const SpecialParts& special);
    void encode_plain(std::string_view text, int behind, std::vector<int>& ids) const;
    bool gets_space(std::string_view text, int behind) const;
    std::string_view special_at(std::string_view text) const;

    struct Words {
        WordPieces pieces;
        BertText text;
    };
    struct Bytes {
        BytePairs pairs;
        Splitting splitting = Splitting::gpt2;

        void encode(std::string_view text, std::vector<int>& ids) const;
    };
    struct Pieces {
        SentencePieces pieces;
        bool space_removed = true;
    };
    TokenList tokens_;
    std::vector<bool> special_;
    std::vector<std::string> special_names_;  // the longest first
    bool begins_special_[256] = {};
    std::vector<int> before_, behind_;
    SpaceInFront space_in_front_ = SpaceInFront::none;
    std::variant<Words, Bytes, Pieces> kind_;
};

// A folder with tokenizer.json, vocab.txt, or vocab.json and merges.txt; one of these files; or a GGUF
// file. Throws InputError, with the name of the file, for what is malformed or not known.
Tokenizer load_tokenizer(const std::string& path);

// The same from bytes in memory; errors call them `name`.
Tokenizer parse_tokenizer_json(std::string_view json, const std::string& name);
Tokenizer parse_vocabulary_txt(std::string_view lines, const std::string& name,
                               const BertText& text = {});
Tokenizer parse_vocabulary_json(std::string_view vocabulary, std::string_view merges,
                                const std::string& name, Splitting splitting = Splitting::gpt2);
Tokenizer tokenizer_of(const Gguf& file);

}  // namespace heed
