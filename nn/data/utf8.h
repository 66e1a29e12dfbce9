// UTF-8, the encoding of all text in heed: a code point takes one to four bytes. Validation is
// strict (autograd/base/utf8.h, which reads one code point).
//
//     utf8_characters("나는 I")  ->  {"나", "는", " ", "I"}
//
// Left out on purpose: normalisation (한 written as three separate letters remains three code
// points) and grapheme clusters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/utf8.h"

namespace heed {

// Text to code points. Throws when it is not UTF-8; the message gives the byte and its offset.
std::u32string utf8_decode(std::string_view text);

// The characters of a text, each as a string of its own. Throws as utf8_decode does.
std::vector<std::string> utf8_characters(std::string_view text);

// Code points to text. Throws for a surrogate and for a number above U+10FFFF.
std::string utf8_encode(char32_t point);
std::string utf8_encode(std::u32string_view points);

}  // namespace heed
