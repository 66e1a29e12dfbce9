#include "nn/text/byte_pairs.h"

#include <array>
#include <bit>
#include <queue>

#include "autograd/base/error.h"
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

std::uint64_t key_of(int left, int right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
}

std::uint64_t hashed(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 20; }

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

BytePairs::BytePairs(const std::vector<std::string>& tokens, const std::vector<BytePair>& pairs,
                     bool whole_words_first)
    : joins_(std::bit_ceil(2 * pairs.size() + 2)) {
    std::unordered_map<std::string, int> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i) ids.emplace(tokens[i], static_cast<int>(i));
    for (int byte = 0; byte < 256; ++byte) {
        const auto found = ids.find(std::string(1, static_cast<char>(byte)));
        byte_[byte] = found == ids.end() ? -1 : found->second;
    }
    int order = 0;
    for (const BytePair& pair : pairs) {
        const auto id = [&](const std::string& token) {
            const auto found = ids.find(token);
            if (found == ids.end())
                fail("BytePairs: pair {} is '{}' and '{}', but '{}' is not a token", order + 1,
                     bytes_as_characters(pair.left), bytes_as_characters(pair.right),
                     bytes_as_characters(token));
            return found->second;
        };
        const std::uint64_t key = key_of(id(pair.left), id(pair.right));
        const int joined = id(pair.left + pair.right);
        slot(key) = {key, order++, joined};
    }
    if (whole_words_first) words_ = std::move(ids);
}

BytePairs::Join& BytePairs::slot(std::uint64_t pair) {
    std::size_t at = hashed(pair) & (joins_.size() - 1);
    while (joins_[at].pair != none && joins_[at].pair != pair) at = (at + 1) & (joins_.size() - 1);
    return joins_[at];
}

const BytePairs::Join* BytePairs::find(int left, int right) const {
    const std::uint64_t pair = key_of(left, right);
    for (std::size_t at = hashed(pair) & (joins_.size() - 1);;
         at = (at + 1) & (joins_.size() - 1)) {
        if (joins_[at].pair == pair) return &joins_[at];
        if (joins_[at].pair == none) return nullptr;
    }
}

namespace {

struct Candidate {
    int order, at;  // of the pair; where its left half is
    int joined;

    bool operator<(const Candidate& other) const {  // the first one is the largest
        return order != other.order ? order > other.order : at > other.at;
    }
};

// A token of a word and its neighbours; -1: there is none.
struct Link {
    int id, before, after;
};

}  // namespace

void BytePairs::encode(std::string_view word, std::vector<int>& ids) const {
    if (!words_.empty())
        if (const auto found = words_.find(std::string(word)); found != words_.end()) {
            ids.push_back(found->second);
            return;
        }
    std::vector<Link> links;
    links.reserve(word.size());
    for (const char c : word)
        if (const int id = byte_[static_cast<unsigned char>(c)]; id >= 0) {
            const int at = static_cast<int>(links.size());
            links.push_back({id, at - 1, at + 1});
        }
    if (links.empty()) return;
    links.back().after = -1;

    // The queue has each pair of neighbours that can be joined. A pair of which a half has been joined
    // with something else since is passed over.
    std::vector<Candidate> empty;
    empty.reserve(2 * links.size());
    std::priority_queue<Candidate> queue({}, std::move(empty));
    const auto offer = [&](int left) {
        if (left < 0 || links[left].after < 0) return;
        if (const Join* join = find(links[left].id, links[links[left].after].id))
            queue.push({join->order, left, join->joined});
    };
    for (int at = 0; at < std::ssize(links); ++at) offer(at);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Link& left = links[best.at];
        if (left.id < 0 || left.after < 0) continue;
        Link& right = links[left.after];
        const Join* join = find(left.id, right.id);
        if (!join || join->order != best.order) continue;
        left.id = best.joined;
        right.id = -1;
        left.after = right.after;
        if (left.after >= 0) links[left.after].before = best.at;
        offer(left.before);
        offer(best.at);
    }
    for (int at = 0; at >= 0; at = links[at].after) ids.push_back(links[at].id);
}

}  // namespace heed
