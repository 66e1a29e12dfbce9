// A vocabulary: the tokens (words or characters) of a language, and an id for each.
//
//     Vocabulary words = Vocabulary::build(sentences, {.min_frequency = 2});
//     std::vector<int> ids = words.encode("나는 학생 이다");
//     std::string text = words.decode(ids);
//
// The first four ids are the same in every vocabulary: padding, beginning of a sentence, end of a
// sentence, and the token that replaces all unknown ones. Text is UTF-8; a character is a code
// point.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

enum class TokenLevel { word, character };

struct VocabularyOptions {
    TokenLevel level = TokenLevel::word;
    int min_frequency = 1;  // less frequent tokens are left out
    int max_size = 0;       // the largest number of tokens, special ones included; 0: no limit
};

class Vocabulary {
  public:
    static constexpr int pad = 0, bos = 1, eos = 2, unk = 3, specials = 4;

    // A vocabulary of the special tokens only.
    explicit Vocabulary(TokenLevel level = TokenLevel::word);
    // All tokens of the texts, the most frequent first; equally frequent ones are sorted by their
    // bytes. Throws for invalid UTF-8 and for limits that leave no tokens.
    static Vocabulary build(const std::vector<std::string>& texts,
                            const VocabularyOptions& options = {});

    int size() const { return static_cast<int>(tokens_.size()); }
    TokenLevel level() const { return level_; }
    int id(std::string_view token) const;    // unk if the vocabulary does not have it
    const std::string& token(int id) const;  // throws for an id outside [0, size)
    bool contains(std::string_view token) const;

    // Words are separated by white space (spaces, tabs, line ends).
    std::vector<std::string> tokenize(std::string_view text) const;
    std::vector<int> encode(std::string_view text) const;
    std::vector<int> encode_sentence(std::string_view text) const;  // with eos at the end
    // Up to the first eos; without padding and bos. The unknown token becomes "<unk>".
    std::string decode(const std::vector<int>& ids) const;
    std::vector<std::string> decode_tokens(const std::vector<int>& ids) const;

    // As text: one line with the level, then one line for each token from id 4 on; line ends and
    // backslashes in tokens are escaped. parse() names `source` and the line in its errors.
    std::string to_text() const;
    static Vocabulary parse(std::string_view text, const std::string& source = "vocabulary");
    void save(const std::string& path) const;
    static Vocabulary load(const std::string& path);

  private:
    bool add(std::string token);  // false if the vocabulary has it already

    TokenLevel level_{};
    std::vector<std::string> tokens_;
    std::unordered_map<std::string, int> ids_;
};

}  // namespace heed
