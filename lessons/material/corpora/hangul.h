// Korean particles. The form of a particle depends on whether the last syllable of the word before
// it ends in a consonant (a batchim). 학생 does, so 학생 은; 의사 does not, so 의사 는.
//
// In Unicode, the 11172 syllables start at U+AC00, ordered by first consonant (19), vowel (21) and
// last consonant (28, of which the first means "none").
#pragma once

#include <string_view>

namespace heed::course::grammar {

// word: a Korean word in UTF-8, where every syllable takes three bytes.
inline bool ends_in_consonant(std::string_view word) {
    const auto byte = [&](int from_end) {
        return static_cast<unsigned char>(word[word.size() - from_end]);
    };
    const int syllable = (byte(3) & 0x0F) << 12 | (byte(2) & 0x3F) << 6 | (byte(1) & 0x3F);
    return (syllable - 0xAC00) % 28 != 0;
}

// A particle in its two forms: 은 after a consonant, 는 after a vowel.
struct Particle {
    std::string_view after_consonant, after_vowel;

    std::string_view after(std::string_view word) const {
        return ends_in_consonant(word) ? after_consonant : after_vowel;
    }
};

}  // namespace heed::course::grammar
