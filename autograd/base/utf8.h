// UTF-8, the encoding of all text in heed: a code point takes one to four bytes. Validation is
// strict, as RFC 3629 demands: no overlong forms, no surrogates, nothing above U+10FFFF.
//
//     utf8_characters("나는 I")  ->  {"나", "는", " ", "I"}
//
// Left out on purpose: normalisation (한 written as three separate letters remains three code
// points) and grapheme clusters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

// Text to code points. Throws when it is not UTF-8; the message gives the byte and its offset.
std::u32string utf8_decode(std::string_view text);

// The characters of a text, each as a string of its own. Throws as utf8_decode does.
std::vector<std::string> utf8_characters(std::string_view text);

// Code points to text. Throws for a surrogate and for a number above U+10FFFF.
std::string utf8_encode(char32_t point);
std::string utf8_encode(std::u32string_view points);

}  // namespace heed
