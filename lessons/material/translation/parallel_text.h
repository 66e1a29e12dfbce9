// Parallel text: pairs of sentences as tokens and as ids, split into a training, a validation and a
// test set. It comes from the course's own corpus or from the reader's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lessons/material/corpora/corpus.h"
#include "nn/data/vocabulary.h"

namespace heed::course {

// One of the three sets. The ids of the targets end with eos.
struct TextSet {
    std::vector<SentencePair> pairs;
    std::vector<std::vector<int>> source, target;
    int size() const { return static_cast<int>(pairs.size()); }
};

// How one side is written. The pieces are those of byte-level BPE, learned from the training set.
enum class Unit { word, character, piece };

struct ParallelText {
    Vocabulary source, target;  // built from the training set alone
    TextSet train, valid, test;
    Unit source_unit = Unit::word, target_unit = Unit::word;
};

// The course's own corpus: words on both sides.
ParallelText from_corpus(const Corpus& corpus);

// The reader's own pairs, one source<TAB>target on each line.
struct TextFiles {
    std::string train{};
    std::string valid{}, test{};  // without one of them, a random split by source sentence
    bool swap = false;            // translate from the second column to the first
    // Without a unit: words, if at most a tenth of all words in the text would be unknown,
    // otherwise characters.
    std::optional<Unit> source_unit = Unit::word, target_unit = Unit::word;
    int pieces = 2000;      // in the vocabulary of a side that is written in pieces
    int min_frequency = 2;  // rarer words are unknown
    int longest = 60;       // longer training pairs (in tokens) are left out
    std::uint64_t seed = 1;
};

// Validation and test pairs of more tokens than this are refused: they would take the bytes of a
// whole batch, and more time than all others together.
inline constexpr std::size_t longest_evaluated = 2000;

// Words are separated by blanks, and punctuation is split off first. Each file is read once. Throws
// InputError, with file and line, for anything malformed, and if one of the sets would be empty.
ParallelText from_files(const TextFiles& files);

// Makes the marks . , ! ? ; : " ( ) at the start or end of a word words of their own: "I see."
// becomes "I see ."
std::string split_punctuation(const std::string& text);

}  // namespace heed::course
