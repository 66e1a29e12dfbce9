// The classes of the corpus's English words, which the course's lexicon gives to them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace heed::lesson06 {

// What kind of word each English word of the corpus is. The classes come from the tables of the
// lexicon; no model sees them.
struct WordClass {
    std::string_view name;
    std::size_t group;  // of word_groups, for the colours of a figure
};
inline constexpr std::array<std::string_view, 6> word_groups{
    "people", "animals and things", "places", "verbs", "adjectives, adverbs", "pronouns"};
inline constexpr std::array<WordClass, 14> word_classes{{{"person", 0},
                                                         {"people", 0},
                                                         {"animal", 1},
                                                         {"thing", 1},
                                                         {"food or drink", 1},
                                                         {"place", 2},
                                                         {"verb", 3},
                                                         {"verb with -s", 3},
                                                         {"verb in the past", 3},
                                                         {"adjective", 4},
                                                         {"adverb", 4},
                                                         {"subject pronoun", 5},
                                                         {"object pronoun", 5},
                                                         {"possessive pronoun", 5}}};

// English word -> index into word_classes. Words of two classes (read: now and in the past; you: subject
// and object) are left out, and so are words outside the lexicon's tables (the, of, if).
std::map<std::string, int> classes_of_words();

}  // namespace heed::lesson06
