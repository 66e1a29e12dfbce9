// Sentences in which only the last word decides what "it" means:
//
//     the animal didn't cross the street because it was too tired      it: the animal
//     the animal didn't cross the street because it was too wide       it: the street
//     the street wasn't crossed by the animal because it was too wide  it: the street
//
// Contents. 12 animals, 12 places, 8 adjectives that suit only animals and 8 that suit only places,
// 6 verbs, active and passive (so that the order of the nouns gives no hint): 27,648 sentences. As
// in corpora for coreference, each of the two nouns of a sentence is a *mention* with a number, two
// different numbers from 1 to 8 drawn anew each time. The answer is the number of the noun that
// "it" means, and no word of the sentence reveals it.
//
// Splits. For each noun, 2 of the 8 adjectives that suit it are held out: the 6,912 sentences in
// which "it" is that noun and has that adjective are the test set, and none of these pairs of noun
// and adjective occurs in training. "animal" with "tired" and "street" with "wide" are always held
// out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/random.h"

namespace heed::course {

struct PronounSentence {
    std::vector<int> words;     // ids in pronoun_words()
    int animal = 0, place = 0;  // the positions of the two nouns
    int it = 0;                 // the position of "it"
    bool means_animal = false;

    int referent() const { return means_animal ? animal : place; }
    int other() const { return means_animal ? place : animal; }
};

struct PronounSentences {
    std::vector<PronounSentence> train, test;  // each in random order
    // Pairs of test sentences that differ only in the adjective: in the first one "it" means the
    // animal, in the second the place. The first pair is the tired animal and the wide street.
    std::vector<std::pair<PronounSentence, PronounSentence>> twins;
};

inline constexpr int mention_numbers = 8, longest_pronoun_sentence = 12;

// The vocabulary, by id: first the 12 animals, then the 12 places.
const std::vector<std::string>& pronoun_words();
inline constexpr int pronoun_nouns = 24;

PronounSentences pronoun_sentences(Rng& rng);

std::string text_of(const PronounSentence& sentence);

}  // namespace heed::course
