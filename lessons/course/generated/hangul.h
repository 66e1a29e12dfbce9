// What a Korean particle must know about the word before it: does its last syllable end in a
// consonant (a batchim)? 학생 does, so 학생 은; 의사 does not, so 의사 는.
//
// The 11172 syllables stand in Unicode from U+AC00 in order of their letters: first consonant (19),
// vowel (21), last consonant (28, of which the first is "none").
#pragma once

#include <string_view>

namespace heed::course {

// word: a Korean word in UTF-8, where every syllable takes three bytes.
inline bool ends_in_consonant(std::string_view word) {
    const auto byte = [&](int from_end) {
        return static_cast<unsigned char>(word[word.size() - from_end]);
    };
    const int syllable = (byte(3) & 0x0F) << 12 | (byte(2) & 0x3F) << 6 | (byte(1) & 0x3F);
    return (syllable - 0xAC00) % 28 != 0;
}

// A particle in its two shapes, 은 after a consonant and 는 after a vowel.
struct Particle {
    std::string_view after_consonant, after_vowel;

    std::string_view after(std::string_view word) const {
        return ends_in_consonant(word) ? after_consonant : after_vowel;
    }
};

}  // namespace heed::course
