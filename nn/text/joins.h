// The step that all BPE tokenizers share: which neighbouring tokens become one, and in which order.
//
//     const Joins joins({{0, 1, 0, 3}, {3, 2, 1, 4}});      // first 0 1 -> 3, then 3 2 -> 4
//     std::vector<int> ids{0, 1, 2, 0, 1};
//     joins.apply(ids);                                     // {4, 3}
//
// As long as some neighbours can be joined, the pair with the smallest order is, of several the leftmost.
// The definition looks for that pair again and again, which takes n² steps for n tokens. Here the pairs
// wait in a queue, and joining takes n log n.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nn/text/token_list.h"

namespace heed {

struct Join {
    int left = 0, right = 0;  // ids
    int order = 0;
    int joined = 0;  // the id that they become
};

class Joins {
  public:
    // Of a pair that comes twice the last one counts.
    explicit Joins(const std::vector<Join>& all = {});

    // Joins the tokens from `begin` on.
    void apply(std::vector<int>& ids, std::size_t begin = 0) const;

  private:
    struct Entry {
        std::uint64_t pair = none;  // left id, right id
        int order = 0, joined = 0;
    };
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    const Entry* find(int left, int right) const;
    std::size_t index_of(std::uint64_t pair) const;

    std::vector<Entry> entries_;  // a hash table
};

// The joins of a list of pairs, the first of which is joined first. Throws for a pair of which a half
// or the whole is no token; the message begins with `who` and shows a token by `shown`.
using TokenPair = std::pair<std::string, std::string>;
std::vector<Join> joins_in_order(const std::vector<TokenPair>& pairs, const TokenList& tokens,
                                 const char* who, std::string (*shown)(std::string_view token));

}  // namespace heed
