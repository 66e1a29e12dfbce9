// The languages of a run, and what is measured of batches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lessons/course/lesson/lesson.h"
#include "lessons/w5_subwords/data.h"

namespace heed::workshop5 {

// A text of one language, and its words with their counts (data.h).
struct Language {
    std::string name;
    Texts texts;
    std::map<std::string, int64_t> training_words, test_words;
};
// The corpus in English and Korean, or the reader's file.
std::vector<Language> languages_of(const course::Lesson& lesson);

// The training words of a text in which one sentence of the second language comes after `share`
// sentences of the first.
Language mixed(const Language& first, const Language& second, int share);

// Entries of all batches of an epoch, with padding, and the words among them; and the same for pairs
// of positions.
struct BatchCost {
    double batches = 0, entries = 0, words = 0, pairs = 0, word_pairs = 0;
};
BatchCost cost_of(const std::vector<std::vector<int>>& batches, const std::vector<int>& lengths);

}  // namespace heed::workshop5
