#include "nn/text/joins.h"

#include <bit>
#include <queue>

#include "autograd/base/error.h"

namespace heed {
namespace {

std::uint64_t key_of(int left, int right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
}

std::uint64_t hashed(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 20; }

// A pair that can be joined: its order, and where its left half is.
struct Candidate {
    int order, at;

    bool operator<(const Candidate& other) const {  // the first one is the largest
        return order != other.order ? order > other.order : at > other.at;
    }
};

// A token and its neighbours; -1: there is none.
struct Link {
    int id, before, after;
};

}  // namespace

Joins::Joins(const std::vector<Join>& all) : entries_(std::bit_ceil(2 * all.size() + 2)) {
    for (const Join& join : all) {
        const std::uint64_t pair = key_of(join.left, join.right);
        entries_[index_of(pair)] = {pair, join.order, join.joined};
    }
}

// Where the pair is, or would be.
std::size_t Joins::index_of(std::uint64_t pair) const {
    std::size_t at = hashed(pair) & (entries_.size() - 1);
    while (entries_[at].pair != none && entries_[at].pair != pair)
        at = (at + 1) & (entries_.size() - 1);
    return at;
}

const Joins::Entry* Joins::find(int left, int right) const {
    const Entry& entry = entries_[index_of(key_of(left, right))];
    return entry.pair == none ? nullptr : &entry;
}

void Joins::apply(std::vector<int>& ids, std::size_t begin) const {
    const int count = static_cast<int>(ids.size() - begin);
    if (count < 2) return;
    std::vector<Link> links;
    links.reserve(static_cast<std::size_t>(count));
    for (int at = 0; at < count; ++at)
        links.push_back({ids[begin + static_cast<std::size_t>(at)], at - 1, at + 1});
    links.back().after = -1;

    // The queue has each pair of neighbours that can be joined. A pair of which a half has been joined
    // with something else since is passed over.
    std::vector<Candidate> empty;
    empty.reserve(2 * links.size());
    std::priority_queue<Candidate> queue({}, std::move(empty));
    const auto offer = [&](int left) {
        if (left < 0 || links[left].after < 0) return;
        if (const Entry* join = find(links[left].id, links[links[left].after].id))
            queue.push({join->order, left});
    };
    for (int at = 0; at < count; ++at) offer(at);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Link& left = links[best.at];
        if (left.id < 0 || left.after < 0) continue;
        Link& right = links[left.after];
        const Entry* join = find(left.id, right.id);
        if (!join || join->order != best.order) continue;
        left.id = join->joined;
        right.id = -1;
        left.after = right.after;
        if (left.after >= 0) links[left.after].before = best.at;
        offer(left.before);
        offer(best.at);
    }
    ids.resize(begin);
    for (int at = 0; at >= 0; at = links[at].after) ids.push_back(links[at].id);
}

std::vector<Join> joins_in_order(const std::vector<TokenPair>& pairs, const TokenList& tokens,
                                 const char* who, std::string (*shown)(std::string_view token)) {
    std::vector<Join> all;
    all.reserve(pairs.size());
    for (const TokenPair& pair : pairs) {
        const std::string &left = pair.first, &right = pair.second;
        const int order = static_cast<int>(all.size());
        const auto id = [&](const std::string& token) {
            const int found = tokens.find(token);
            if (found < 0)
                fail("{}: pair {} is '{}' and '{}', but '{}' is not a token", who, order + 1,
                     shown(left), shown(right), shown(token));
            return found;
        };
        all.push_back({id(left), id(right), order, id(left + right)});
    }
    return all;
}

}  // namespace heed
