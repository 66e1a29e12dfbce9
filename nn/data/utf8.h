// UTF-8, the encoding of every text heed reads: one code point is one to four bytes. Strict, as in
// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
//
//     utf8_characters("나는 I")  ->  {"나", "는", " ", "I"}
//
// Left out on purpose: normalisation (한 written as three letters stays three code points) and
// grapheme clusters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// A code point at the start of some text. bytes == 0 means that the text does not begin with valid
// UTF-8 (or is empty).
struct Utf8Point {
    char32_t value = 0;
    int bytes = 0;
};

Utf8Point utf8_first(std::string_view text);

// The offset of the first byte that is not valid UTF-8; std::string_view::npos when all is well.
std::size_t utf8_invalid_at(std::string_view text);

// Text to code points. Throws heed::Error, naming the offset and the byte, when it is not UTF-8.
std::u32string utf8_decode(std::string_view text);

// Text cut into its characters, each as its own short string. Throws as utf8_decode does.
std::vector<std::string> utf8_characters(std::string_view text);

// Code points to text. Throws heed::Error for a surrogate or a number above U+10FFFF.
std::string utf8_encode(char32_t point);
std::string utf8_encode(std::u32string_view points);

}  // namespace heed
