// A phrase in two languages at once, and the function that joins phrases.
//
// Each rule of a synchronous grammar names its parts once and gives their order in each language.
// The alignment of the words follows from that.
//
//     in_order({&subject, &object, &verb},    // Korean: the verb comes last
//              {&subject, &verb, &object});   // English: the verb comes second
//
// Literature: Lewis and Stearns, "Syntax-directed transduction" (1968); Chiang, "Hierarchical
// phrase-based translation" (2007), section 2.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

namespace heed::course::grammar {

// A source word and a target word that translate each other, as indices. A link that is not sure
// may be drawn or left out (Och and Ney 2003, section 5.2).
struct PhraseLink {
    int source = 0, target = 0;
    bool sure = true;
};

// The words are views of the lexicon, which exists as long as the program runs.
struct Phrase {
    std::vector<std::string_view> source, target;
    std::vector<PhraseLink> links;

    int source_end() const { return static_cast<int>(source.size()); }
    int target_end() const { return static_cast<int>(target.size()); }
    bool empty() const { return source.empty() && target.empty(); }
};

// An entry of the lexicon in both languages. Words are separated by spaces, and each word of one
// side is linked to each word of the other: phrase("매일", "every day").
Phrase phrase(std::string_view source, std::string_view target);

// Parts joined in the order of each language. Every part must be in both lists.
Phrase in_order(std::initializer_list<const Phrase*> source,
                std::initializer_list<const Phrase*> target);

// Adds an English word before (or after) a phrase and links it to the last Korean word, which has
// the same meaning: 읽으면 -> "if ... reads".
Phrase with_word_before(std::string_view english, const Phrase& phrase);
Phrase with_word_after(const Phrase& phrase, std::string_view english);

}  // namespace heed::course::grammar
