// One code point of UTF-8, the encoding of all text in heed. Validation is strict, as RFC 3629
// demands: no overlong forms, no surrogates, nothing above U+10FFFF. (nn/data/utf8.h takes whole
// texts apart.)
#pragma once

#include <cstddef>
#include <string_view>

namespace heed {

// The first code point of a text and how many bytes it takes. bytes == 0 means that the text does
// not start with valid UTF-8, or is empty.
struct Utf8Point {
    char32_t value = 0;
    int bytes = 0;
};

Utf8Point utf8_first(std::string_view text);

// The offset of the first byte that is not valid UTF-8; std::string_view::npos if there is none.
std::size_t utf8_invalid_at(std::string_view text);

}  // namespace heed
