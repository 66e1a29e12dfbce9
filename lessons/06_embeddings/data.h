// The texts of the lesson: as words, with the classes that the course's lexicon gives to them, and
// as the pieces that byte-pair merges make of words.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/material/corpora/corpus.h"

namespace heed::lesson06 {

// --- words --------------------------------------------------------------------------------------

using Sentence = std::vector<std::string>;  // its words

// One side of the corpus, sentence by sentence.
struct Texts {
    std::vector<Sentence> train, test;
};
Texts english_of(const course::Corpus& corpus);
Texts korean_of(const course::Corpus& corpus);

// Lines of words separated by blanks. Lines without words are left out; every tenth line is a test
// sentence. Throws course::InputError, with the file, for fewer than 200 lines of words or 2,000 words.
Texts texts_of_file(const std::string& path);

// The sentences as lines of text, for Vocabulary.
std::vector<std::string> lines_of(const std::vector<Sentence>& sentences);

// --- classes ------------------------------------------------------------------------------------

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

// --- pieces -------------------------------------------------------------------------------------

using Pieces = std::vector<std::string>;
using Merge = std::pair<std::string, std::string>;

// How often each word occurs. Each word has a blank in front of it, so that the pieces of a text, put
// one after the other, are the text again. Only the `most` most frequent ones, if that is not 0.
std::map<std::string, int64_t> word_counts(const std::vector<Sentence>& sentences,
                                           std::size_t most = 0);

// The single bytes of a word.
Pieces bytes_of(const std::string& word);

// The pieces for the terminal: a blank as _ and bytes that are no complete character as <EA>.
std::string shown(const Pieces& pieces);

// Mean numbers of tokens a sentence when words are the tokens, characters, bytes.
struct TokenCounts {
    double words = 0, characters = 0, bytes = 0;
};
TokenCounts token_counts(const std::vector<Sentence>& sentences);

// The share of the words, and of the characters, of some sentences that do not occur in others.
struct Unknown {
    double words = 0, characters = 0;
    int word_kinds = 0, character_kinds = 0;  // known ones
};
Unknown unknown_share(const std::vector<Sentence>& known, const std::vector<Sentence>& sentences);

// The mean over up to ten sets of `size` known sentences each, one set after the other.
Unknown mean_unknown_share(const std::vector<Sentence>& known,
                           const std::vector<Sentence>& sentences, std::size_t size);

}  // namespace heed::lesson06
