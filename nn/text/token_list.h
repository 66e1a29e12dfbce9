// The tokens of a vocabulary, by id and by name.
//
//     const TokenList tokens({"the", "of"});
//     tokens[1];                             // "of"
//     tokens.find("the");                    // 0
//     tokens.find("no");                     // -1: there is none
//
// All bytes stand in one text, and the ids in one hash table. A string and an entry of a map for each of
// 50,000 tokens would take five megabytes, and this takes one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

class TokenList {
  public:
    TokenList() = default;
    explicit TokenList(const std::vector<std::string>& tokens);

    int size() const { return static_cast<int>(begins_.size()) - 1; }
    // The token of an id in [0, size()).
    std::string_view operator[](int id) const;
    // The id of a token, of equal ones the smallest; -1 if there is none.
    int find(std::string_view token) const;

  private:
    std::size_t slot_of(std::string_view token) const;

    std::string bytes_;                      // of all tokens
    std::vector<std::size_t> begins_ = {0};  // of each in bytes_, and the end of the last
    std::vector<int> slots_;                 // a hash table of ids; -1: free
};

}  // namespace heed
