// A phrase in two languages at once, and the rule that joins phrases: the heart of the corpus.
//
// Each rule of a synchronous grammar names its parts once and says in which order each language
// puts them. The alignment of the words then need not be guessed: it is carried along.
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

namespace heed::course {

// One word of the source and one of the target that translate each other. A link that is not sure
// may be drawn or left out (Och and Ney 2003, section 5.2).
struct PhraseLink {
    int source, target;
    bool sure = true;
};

// The words are views of the lexicon, which lives as long as the program.
struct Phrase {
    std::vector<std::string_view> source, target;
    std::vector<PhraseLink> links;

    int source_end() const { return static_cast<int>(source.size()); }
    int target_end() const { return static_cast<int>(target.size()); }
    bool empty() const { return source.empty() && target.empty(); }
};

// A part of the lexicon in both languages; words are separated by spaces, and each word of one side
// is linked to each word of the other: phrase("매일", "every day").
Phrase phrase(std::string_view source, std::string_view target);

// Parts joined in the order of each language. Every part stands in both lists; empty parts vanish.
Phrase in_order(std::initializer_list<const Phrase*> source,
                std::initializer_list<const Phrase*> target);

// An English word put before (or after) a phrase, whose meaning sits in the last Korean word:
// 읽으면 -> "if ... reads".
Phrase with_word_before(std::string_view english, const Phrase& phrase);
Phrase with_word_after(const Phrase& phrase, std::string_view english);

}  // namespace heed::course
