// What a function takes where an axis, a count, an index or a flag is meant. C++ turns true and 'a'
// into numbers and 2.5 into 2 without a word: sum(x, true) would be the sum over axis 1, and
// topk(x, 2.5) the two largest. These types accept what is meant, and nothing that only converts to it.
//
//     ValuesAndIndices topk(const Tensor& x, Integer k, Integer axis = -1, Flag largest = true);
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heed {

template <class T, class... Others>
concept OneOf = (std::same_as<T, Others> || ...);

// int, int64_t, std::size_t, uint8_t and so on; not bool, and not the characters.
template <class T>
concept WholeNumber =
    std::integral<T> && !OneOf<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
concept OtherNumber = std::is_arithmetic_v<T> && !WholeNumber<T>;

struct Integer {
    int64_t value = 0;
    constexpr Integer(WholeNumber auto number) : value(static_cast<int64_t>(number)) {}
    Integer(OtherNumber auto) = delete;  // true, 'a' and 2.5 are no axis, count or index
    constexpr operator int64_t() const { return value; }
};

struct Flag {
    bool value = false;
    constexpr Flag(std::same_as<bool> auto yes) : value(yes) {}
    Flag(auto) = delete;  // a flag is true or false: not 1, and no pointer
    constexpr operator bool() const { return value; }
};

}  // namespace heed

template <>
struct fmt::formatter<heed::Integer> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(heed::Integer number, fmt::format_context& context) const {
        const std::string text = std::to_string(number.value);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
