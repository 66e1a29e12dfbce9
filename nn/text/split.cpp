#include "nn/text/split.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "autograd/base/utf8.h"
#include "nn/text/unicode.h"

namespace heed {
namespace {

using unicode::digit, unicode::letter, unicode::number, unicode::space;

struct Character {
    char32_t point;
    std::uint16_t classes;
    std::size_t begin;  // its first byte

    bool is(std::uint16_t any) const { return (classes & any) != 0; }
    bool is_newline() const { return point == '\n' || point == '\r'; }
};

std::vector<Character> characters_of(std::string_view text) {
    std::vector<Character> all;
    all.reserve(text.size() + 1);
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const Utf8Point first = byte < 0x80 ? Utf8Point{byte, 1} : utf8_first(text.substr(at));
        all.push_back(first.bytes ? Character{first.value, unicode::classes(first.value), at}
                                  : Character{U'\uFFFD', 0, at});
        at += first.bytes ? static_cast<std::size_t>(first.bytes) : 1;
    }
    return all;
}

// The regular expressions, one function for each, and what they have in common. Each returns where the match
// at a position ends, and the position itself if there is none.
struct Matcher {
    const std::vector<Character>& text;
    std::size_t end;  // of what is looked at

    std::size_t past_if(std::size_t at, const auto& holds) const {
        while (at < end && holds(text[at])) ++at;
        return at;
    }
    std::size_t past(std::size_t at, std::uint16_t any) const {
        return past_if(at, [&](const Character& c) { return c.is(any); });
    }
    static bool is_other(const Character& c) { return !c.is(space | letter | number); }

    // 's|'t|'re|'ve|'m|'ll|'d. Without regard to case, ſ is an s too.
    std::size_t contraction(std::size_t at, bool any_case) const {
        if (text[at].point != '\'') return at;
        const auto letter_at = [&](std::size_t i) -> char32_t {
            if (i >= end) return 0;
            const char32_t c = text[i].point;
            if (!any_case) return c;
            if (c == U'ſ') return 's';
            return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
        };
        const char32_t first = letter_at(at + 1), second = letter_at(at + 2);
        if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
        if ((first == 'r' || first == 'v') && second == 'e') return at + 3;
        return first == 'l' && second == 'l' ? at + 3 : at;
    }

    // \s+(?!\S)|\s+: white space, but the last of it belongs to the word behind it if there is one.
    std::size_t white_space(std::size_t at) const {
        const std::size_t last = past(at, space);
        return last < end && last > at + 1 ? last - 1 : last;
    }

    std::size_t gpt2(std::size_t at) const {
        if (const std::size_t to = contraction(at, false); to > at) return to;
        const std::size_t word = at + (text[at].point == ' ');
        if (word < end && text[word].is(letter)) return past(word, letter);
        if (word < end && text[word].is(number)) return past(word, number);
        if (word < end && is_other(text[word])) return past_if(word, is_other);
        return white_space(at);
    }

    std::size_t llama3(std::size_t at, std::size_t most_digits) const {
        if (const std::size_t to = contraction(at, true); to > at) return to;
        const Character& first = text[at];
        const bool before_word = !first.is_newline() && !first.is(letter | number) && at + 1 < end;
        if (first.is(letter)) return past(at, letter);
        if (before_word && text[at + 1].is(letter)) return past(at + 1, letter);
        if (first.is(number)) return std::min(past(at, number), at + most_digits);
        const std::size_t sign = at + (first.point == ' ');
        if (sign < end && is_other(text[sign]))
            return past_if(past_if(sign, is_other),
                           [](const Character& c) { return c.is_newline(); });
        // \s*[\r\n]+: white space up to its last line end.
        for (std::size_t to = past(at, space); to > at; --to)
            if (text[to - 1].is_newline()) return to;
        return white_space(at);
    }
};

}  // namespace

std::string_view regex_of(Splitting splitting) {
    switch (splitting) {
        case Splitting::gpt2:
            return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
        case Splitting::llama3:
            return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
        case Splitting::qwen2:
            return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
        default:
            return "";
    }
}

std::optional<Splitting> splitting_of_regex(std::string_view regex) {
    for (const Splitting each : {Splitting::gpt2, Splitting::llama3, Splitting::qwen2})
        if (regex == regex_of(each)) return each;
    return std::nullopt;
}

std::vector<std::string_view> split_text(std::string_view text, Splitting splitting) {
    const std::vector<Character> all = characters_of(text);
    std::vector<std::string_view> pieces;
    const auto begin_of = [&](std::size_t at) {
        return at < all.size() ? all[at].begin : text.size();
    };
    for (std::size_t at = 0; at < all.size();) {
        Matcher matcher{all, all.size()};
        std::size_t to = at;
        if (splitting == Splitting::smollm) {
            matcher.end = matcher.past_if(at, [](const Character& c) { return !c.is(digit); });
            to = all[at].is(digit) ? at + 1 : matcher.gpt2(at);
        } else if (splitting == Splitting::gpt2) {
            to = matcher.gpt2(at);
        } else {
            to = matcher.llama3(at, splitting == Splitting::llama3 ? 3 : 1);
        }
        pieces.push_back(text.substr(begin_of(at), begin_of(to) - begin_of(at)));
        at = to;
    }
    return pieces;
}

}  // namespace heed
