// Tokens and their numbers: the words, or the characters, of a language.
//
//     Vocabulary words = Vocabulary::build(sentences, {.min_frequency = 2});
//     std::vector<int> ids = words.encode("나는 학생 이다");
//     std::string text = words.decode(ids);
//
// The first four ids are the same in every vocabulary: padding, begin and end of a sentence, and
// the token that stands for all unknown ones. Text is UTF-8; a character is a code point.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

enum class TokenLevel { word, character };

struct VocabularyOptions {
    TokenLevel level = TokenLevel::word;
    int min_frequency = 1;  // rarer tokens are unknown
    int max_size = 0;       // with the four special tokens; 0: no limit
};

class Vocabulary {
  public:
    static constexpr int pad = 0, bos = 1, eos = 2, unk = 3, specials = 4;

    // Only the special tokens.
    explicit Vocabulary(TokenLevel level = TokenLevel::word);
    // All tokens of the texts, frequent ones first, equally frequent ones in the order of their
    // bytes. Throws for invalid UTF-8 and for limits that make no sense.
    static Vocabulary build(const std::vector<std::string>& texts,
                            const VocabularyOptions& options = {});

    int size() const { return static_cast<int>(tokens_.size()); }
    TokenLevel level() const { return level_; }
    int id(std::string_view token) const;    // unk if it is not known
    const std::string& token(int id) const;  // throws for an id outside [0, size)
    bool contains(std::string_view token) const;

    // Words are what stands between white space (blank, tab, line ends).
    std::vector<std::string> tokenize(std::string_view text) const;
    std::vector<int> encode(std::string_view text) const;
    std::vector<int> encode_sentence(std::string_view text) const;  // with eos at the end
    // Up to the first eos; padding and bos are left out, unknown tokens read "<unk>".
    std::string decode(const std::vector<int>& ids) const;
    std::vector<std::string> decode_tokens(const std::vector<int>& ids) const;

    // As text: a line with the level, then a token a line from id 4 on; line ends and backslashes
    // within tokens are escaped. parse() names `source` and the line in its errors.
    std::string to_text() const;
    static Vocabulary parse(std::string_view text, const std::string& source = "vocabulary");
    void save(const std::string& path) const;
    static Vocabulary load(const std::string& path);

  private:
    bool add(std::string token);  // false if it is there already

    TokenLevel level_;
    std::vector<std::string> tokens_;
    std::unordered_map<std::string, int> ids_;
};

}  // namespace heed
