#include "nn/text/sentence_pieces.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"

namespace heed {
namespace {

// A token of n bytes is compared with n - 1 pairs, so a very long one would take very long.
constexpr std::size_t longest_token = 256;

TokenList each_once(const std::vector<std::string>& tokens) {
    TokenList list(tokens);
    for (int id = 0; id < list.size(); ++id)
        if (const int first = list.find(list[id]); first != id)
            fail("SentencePieces: expected each token once, found '{}' for the ids {} and {}",
                 excerpt(list[id]), first, id);
    return list;
}

// The byte of <0xE2>; -1 if the token is none.
int byte_of(std::string_view token) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
    const int high = digit(token[3]), low = digit(token[4]);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
}

bool is_character(std::string_view token) {
    return !token.empty() && utf8_first(token).bytes == std::ssize(token);
}

}  // namespace

std::vector<Join> joins_by_score(const std::vector<std::string>& tokens,
                                 const std::vector<double>& scores) {
    check(scores.size() == tokens.size(),
          "SentencePieces: expected a score for each token, found {} tokens and {} scores",
          tokens.size(), scores.size());
    const TokenList list = each_once(tokens);
    std::vector<Join> joins;
    std::vector<double> different;  // scores
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view token = tokens[i];
        if (std::isnan(scores[i]))
            fail("SentencePieces: the score of '{}' is not a number", excerpt(token));
        if (token.size() > longest_token)
            fail("SentencePieces: expected tokens of at most {} bytes, found {} in '{}'",
                 longest_token, token.size(), excerpt(token));
        different.push_back(scores[i]);
        for (std::size_t cut = 1; cut < token.size(); ++cut) {
            const int left = list.find(token.substr(0, cut)), right = list.find(token.substr(cut));
            if (left >= 0 && right >= 0) joins.push_back({left, right, 0, static_cast<int>(i)});
        }
    }
    // Equal scores are an equal order.
    std::sort(different.begin(), different.end(), std::greater<>());
    for (Join& join : joins) {
        const double score = scores[static_cast<std::size_t>(join.joined)];
        join.order = static_cast<int>(
            std::lower_bound(different.begin(), different.end(), score, std::greater<>()) -
            different.begin());
    }
    return joins;
}

SentencePieces::SentencePieces(const std::vector<std::string>& tokens, std::vector<Join> joins,
                               const std::vector<int>& reserved,
                               const SentencePieceOptions& options)
    : bytes_(options.bytes), fuse_unknown_(options.fuse_unknown) {
    const TokenList list = each_once(tokens);
    if (!options.unknown.empty()) {
        unknown_ = list.find(options.unknown);
        if (unknown_ < 0)
            fail("SentencePieces: the unknown token '{}' is not a token", options.unknown);
    }
    std::vector<bool> kept(tokens.size());
    for (const int id : reserved) {
        check(id >= 0 && id < std::ssize(tokens),
              "SentencePieces: the special id {} is outside a vocabulary of {}", id, tokens.size());
        kept[static_cast<std::size_t>(id)] = true;
    }
    if (unknown_ >= 0) kept[static_cast<std::size_t>(unknown_)] = true;

    // Bytes are tokens that only a character without a token becomes.
    std::fill(std::begin(byte_), std::end(byte_), -1);
    std::fill(std::begin(ascii_), std::end(ascii_), -1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (kept[i]) continue;
        const int id = static_cast<int>(i), byte = bytes_ ? byte_of(tokens[i]) : -1;
        if (byte >= 0) byte_[byte] = id, kept[i] = true;
        if (!is_character(tokens[i])) continue;
        characters_.emplace(tokens[i], id);
        if (tokens[i].size() == 1) ascii_[static_cast<unsigned char>(tokens[i][0])] = id;
    }
    std::erase_if(joins, [&](const Join& join) {
        return kept.at(static_cast<std::size_t>(join.left)) ||
               kept.at(static_cast<std::size_t>(join.right)) ||
               kept.at(static_cast<std::size_t>(join.joined));
    });
    joins_ = Joins(joins);
}

void SentencePieces::add_character(std::string_view character, std::vector<int>& ids) const {
    const auto unsigned_of = [](char c) { return static_cast<unsigned char>(c); };
    const bool is_ascii = character.size() == 1 && unsigned_of(character[0]) < 128;
    if (is_ascii && ascii_[unsigned_of(character[0])] >= 0) {
        ids.push_back(ascii_[unsigned_of(character[0])]);
        return;
    }
    if (!is_ascii)
        if (const auto found = characters_.find(std::string(character));
            found != characters_.end()) {
            ids.push_back(found->second);
            return;
        }
    const bool has_bytes = std::all_of(character.begin(), character.end(),
                                       [&](char c) { return byte_[unsigned_of(c)] >= 0; });
    if (has_bytes)
        for (const char c : character) ids.push_back(byte_[unsigned_of(c)]);
    else if (unknown_ >= 0)
        ids.push_back(unknown_);
}

void SentencePieces::encode(std::string_view text, bool space_in_front,
                            std::vector<int>& ids) const {
    const std::size_t begin = ids.size();
    if (space_in_front) add_character(space, ids);
    while (!text.empty()) {
        const int bytes = std::max(utf8_first(text).bytes, 1);
        const std::string_view character = text.substr(0, static_cast<std::size_t>(bytes));
        add_character(character == " " ? space : character, ids);
        text.remove_prefix(character.size());
    }
    if (fuse_unknown_) {
        const auto both_unknown = [&](int a, int b) { return a == unknown_ && b == unknown_; };
        ids.erase(
            std::unique(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end(), both_unknown),
            ids.end());
    }
    joins_.apply(ids, begin);
}

std::string SentencePieces::as_text(std::string_view token) const {
    if (const int byte = bytes_ ? byte_of(token) : -1; byte >= 0)
        return std::string(1, static_cast<char>(byte));
    std::string text;
    for (std::string_view rest = token; !rest.empty();) {
        const bool is_space = rest.starts_with(space);
        text += is_space ? ' ' : rest[0];
        rest.remove_prefix(is_space ? space.size() : 1);
    }
    return text;
}

}  // namespace heed
