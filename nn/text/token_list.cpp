#include "nn/text/token_list.h"

#include <bit>
#include <functional>

namespace heed {

TokenList::TokenList(const std::vector<std::string>& tokens)
    : slots_(std::bit_ceil(2 * tokens.size() + 1), -1) {
    std::size_t bytes = 0;
    for (const std::string& token : tokens) bytes += token.size();
    bytes_.reserve(bytes);
    begins_.reserve(tokens.size() + 1);
    for (const std::string& token : tokens) {
        const int id = size();
        bytes_ += token;
        begins_.push_back(bytes_.size());
        if (int& slot = slots_[slot_of(token)]; slot < 0) slot = id;
    }
}

std::string_view TokenList::operator[](int id) const {
    const auto at = static_cast<std::size_t>(id);
    return std::string_view(bytes_).substr(begins_[at], begins_[at + 1] - begins_[at]);
}

// Where the token's id is, or would be.
std::size_t TokenList::slot_of(std::string_view token) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>()(token) & last;
    while (slots_[at] >= 0 && (*this)[slots_[at]] != token) at = (at + 1) & last;
    return at;
}

int TokenList::find(std::string_view token) const {
    return slots_.empty() ? -1 : slots_[slot_of(token)];
}

}  // namespace heed
