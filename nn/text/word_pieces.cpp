#include "nn/text/word_pieces.h"

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"
#include "nn/text/unicode.h"

namespace heed {
namespace {

using unicode::is;

std::u32string points_of(std::string_view text) {
    std::u32string points;
    while (!text.empty()) {
        const Utf8Point first = utf8_first(text);
        points += first.bytes ? first.value : U'\uFFFD';
        text.remove_prefix(first.bytes ? static_cast<std::size_t>(first.bytes) : 1);
    }
    return points;
}

std::u32string cleaned(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text)
        if (!is(c, unicode::removed)) result += is(c, unicode::cleaned_space) ? U' ' : c;
    return result;
}

std::u32string with_spaces_around_ideographs(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text)
        if (is(c, unicode::ideograph))
            result += {U' ', c, U' '};
        else
            result += c;
    return result;
}

}  // namespace

std::vector<std::string> bert_words(std::string_view text, const BertText& options) {
    std::u32string points = points_of(text);
    if (options.clean) points = cleaned(points);
    if (options.ideographs) points = with_spaces_around_ideographs(points);
    if (options.strip_accents) {
        points = unicode::decomposed(points);
        std::erase_if(points, [](char32_t c) { return is(c, unicode::accent); });
    }
    if (options.lower_case) points = unicode::lower_case(points);

    std::vector<std::string> words;
    bool inside = false;  // a word, to which the next character belongs
    for (const char32_t c : points) {
        const bool alone = is(c, unicode::punctuation), between = is(c, unicode::space);
        if (!between && (alone || !inside)) words.emplace_back();
        if (!between) words.back() += utf8_encode(c);
        inside = !between && !alone;
    }
    return words;
}

WordPieces::WordPieces(const std::vector<std::string>& tokens, std::string unknown,
                       std::string prefix, int longest_word)
    : tokens_(tokens),
      prefix_(std::move(prefix)),
      unknown_(tokens_.find(unknown)),
      longest_word_(longest_word) {
    if (unknown_ < 0) fail("WordPieces: the unknown token '{}' is not a token", unknown);
}

void WordPieces::encode(std::string_view word, std::vector<int>& ids) const {
    int characters = 0;
    for (const char c : word) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    const std::size_t before = ids.size();
    bool known = characters <= longest_word_;
    std::string piece;
    for (std::size_t begin = 0; known && begin < word.size();) {
        // The longest piece that begins here.
        known = false;
        for (std::size_t end = word.size(); end > begin && !known; --end) {
            piece = begin > 0 ? prefix_ : "";
            piece += word.substr(begin, end - begin);
            const int id = tokens_.find(piece);
            if (id < 0) continue;
            known = true;
            ids.push_back(id);
            begin = end;
        }
    }
    if (known) return;
    ids.resize(before);
    ids.push_back(unknown_);
}

std::string WordPieces::decode(const std::vector<std::string>& pieces) const {
    std::string text;
    for (const std::string& piece : pieces)
        if (!text.empty() && !prefix_.empty() && piece.starts_with(prefix_))
            text += piece.substr(prefix_.size());
        else
            text += (text.empty() ? "" : " ") + piece;
    return text;
}

}  // namespace heed
