// Sentences in which only the last word says what "it" means:
//
//     the animal didn't cross the street because it was too tired      it: the animal
//     the animal didn't cross the street because it was too wide       it: the street
//     the street wasn't crossed by the animal because it was too wide  it: the street
//
// What is in it. 12 animals, 12 places, 8 adjectives that suit only animals and 8 that suit only
// places, 6 verbs, active and passive (so that the order of the nouns says nothing): 27,648
// sentences. A *mention* is a noun with a number, drawn afresh each time, as in corpora of
// coreference: two different numbers of 1 to 8. The number of what "it" means is the answer; no
// word gives it away.
//
// Splits. For each noun, 2 of the 8 adjectives that suit it are set aside: sentences in which "it"
// is that noun and has that adjective are the test, 6,912; none of these pairs of noun and
// adjective occurs in training. Animal and tired, street and wide are always among them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/ops/random.h"

namespace heed::course {

struct PronounSentence {
    std::vector<int> words;     // ids in pronoun_words()
    int animal = 0, place = 0;  // where the two nouns stand
    int it = 0;                 // where "it" stands
    bool means_animal = false;

    int referent() const { return means_animal ? animal : place; }
    int other() const { return means_animal ? place : animal; }
};

struct PronounSentences {
    std::vector<PronounSentence> train, test;  // each in random order
    // Pairs of test sentences alike but for the adjective: "it" means the animal, then the place.
    // The first are the tired animal and the wide street.
    std::vector<std::pair<PronounSentence, PronounSentence>> twins;
};

inline constexpr int mention_numbers = 8, longest_pronoun_sentence = 12;

// The vocabulary: its word for every id, the 12 animals first and then the 12 places.
const std::vector<std::string>& pronoun_words();
inline constexpr int pronoun_nouns = 24;

PronounSentences pronoun_sentences(Rng& rng);

std::string text_of(const PronounSentence& sentence);

}  // namespace heed::course
