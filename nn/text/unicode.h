// Unicode as the tokenizers of published models need it: classes of characters, small letters, and the
// decomposition of letters with accents.
//
//     unicode::is(U'é', unicode::letter)                     true
//     unicode::decomposed(U"é")                              U"e\u0301"
//
// Published models were trained on the tokens that the package `tokenizers` made. It mixes several versions
// of Unicode, so the tables here were made by asking it (tests/parity/unicode_tables.py).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed::unicode {

enum Class : std::uint16_t {
    letter = 1,          // \p{L}
    number = 2,          // \p{N}
    digit = 4,           // a number in texts whose digits are split one by one
    space = 8,           // \s
    punctuation = 16,    // what follows is BERT's
    removed = 32,        // control characters, which are deleted
    cleaned_space = 64,  // white space, after the deletion
    ideograph = 128,     // Chinese characters, each a word
    accent = 256,        // marks that do not take space, \p{Mn}
};

// All classes of a code point, one bit each. 0 above U+10FFFF.
std::uint16_t classes(char32_t point);
inline bool is(char32_t point, Class one) { return (classes(point) & one) != 0; }

// Letters with accents become the letter and the accents, in the standard order (normalisation form D,
// Unicode Standard Annex 15).
std::u32string decomposed(std::u32string_view text);
// Each character by itself, so a Σ at the end of a word becomes σ and not ς.
std::u32string lower_case(std::u32string_view text);

}  // namespace heed::unicode
