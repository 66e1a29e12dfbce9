#include "nn/text/byte_pairs.h"

#include <array>

#include "autograd/base/utf8.h"

namespace heed {
namespace {

// Bytes that are visible in Latin-1 are written as themselves; the others, in order, as U+0100, U+0101, ...
// (encoder.py of GPT-2, bytes_to_unicode).
bool is_visible(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::array<char32_t, 256> characters_of_bytes() {
    std::array<char32_t, 256> characters;
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte)
        characters[byte] = is_visible(byte) ? static_cast<char32_t>(byte) : next++;
    return characters;
}

const std::array<char32_t, 256>& byte_characters() {
    static const std::array<char32_t, 256> table = characters_of_bytes();
    return table;
}

}  // namespace

std::string bytes_as_characters(std::string_view bytes) {
    std::string characters;
    for (const char c : bytes)
        characters += utf8_encode(byte_characters()[static_cast<unsigned char>(c)]);
    return characters;
}

bool characters_as_bytes(std::string_view characters, std::string& bytes) {
    static const auto byte_of = [] {
        std::array<int, 0x200> table;
        table.fill(-1);
        for (int byte = 0; byte < 256; ++byte) table[byte_characters()[byte]] = byte;
        return table;
    }();
    bytes.clear();
    while (!characters.empty()) {
        const Utf8Point first = utf8_first(characters);
        if (first.bytes == 0 || first.value >= byte_of.size() || byte_of[first.value] < 0)
            return false;
        bytes += static_cast<char>(byte_of[first.value]);
        characters.remove_prefix(static_cast<std::size_t>(first.bytes));
    }
    return true;
}

BytePairs::BytePairs(const std::vector<std::string>& tokens, const std::vector<TokenPair>& pairs,
                     bool whole_words_first) {
    TokenList list(tokens);
    for (int byte = 0; byte < 256; ++byte)
        byte_[byte] = list.find(std::string(1, static_cast<char>(byte)));
    joins_ = Joins(joins_in_order(pairs, list, "BytePairs", bytes_as_characters));
    if (whole_words_first) words_ = std::move(list);
}

void BytePairs::encode(std::string_view word, std::vector<int>& ids) const {
    if (const int id = words_.find(word); id >= 0) {
        ids.push_back(id);
        return;
    }
    const std::size_t begin = ids.size();
    for (const char c : word)
        if (const int id = byte_[static_cast<unsigned char>(c)]; id >= 0) ids.push_back(id);
    joins_.apply(ids, begin);
}

}  // namespace heed
