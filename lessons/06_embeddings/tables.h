// The settings of a run, and its tables and figures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lessons/06_embeddings/pieces.h"
#include "lessons/06_embeddings/words.h"
#include "lessons/course/course.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson06 {

// Of the reader's file only the most frequent words get a row.
inline constexpr int largest_vocabulary = 2000;

struct Settings {
    int width = 16, steps = 0, seeds = 0, merges = 0;  // 0: complete_settings() chooses
};
// Throws heed::Error, naming the option, for fewer than 20 merges and for widths that cannot be drawn.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// A text of one language, and its words with their counts (pieces.h).
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

// The words whose vectors are compared: those of the lexicon with their classes, or the 150 most
// frequent ones of the vocabulary, without classes.
struct KnownWords {
    std::vector<int> ids, classes;
};
KnownWords known_words(const Vocabulary& vocabulary, bool from_lexicon);

// The rows of a matrix beside each other: (2, -1)  (0.5, 3)
std::string rows_on_a_line(const Tensor& matrix);

// What a lookup costs and what the product with one-hot vectors costs.
void show_costs_of_lookup(course::Lesson& lesson);

// The network that guesses a word from its neighbours, as boxes.
course::Diagram diagram_of_guesser(int vocabulary, int width);

// The nearest words of some words, for vectors [known words, D].
void show_neighbours(course::Lesson& lesson, const Vocabulary& vocabulary, const KnownWords& known,
                     const Tensor& vectors);

// For each group of classes: how many nearest words are of the same class, and of the same group.
// Returns the share of all words whose nearest word is of the same group.
double show_agreement_by_group(course::Lesson& lesson, const KnownWords& known,
                               const Tensor& vectors);

course::ScatterPlot plot_of_words(const Vocabulary& vocabulary, const KnownWords& known,
                                  const std::vector<double>& x, const std::vector<double>& y);

// Entries of all batches of an epoch, with padding, and the words among them; and the same for pairs
// of positions.
struct BatchCost {
    double batches = 0, entries = 0, words = 0, pairs = 0, word_pairs = 0;
};
BatchCost cost_of(const std::vector<std::vector<int>>& batches, const std::vector<int>& lengths);

// Random batches, bucketing and sorting, as a table and a figure, with claims. Returns the cost of
// random batches of 32.
BatchCost show_batch_costs(course::Lesson& lesson, const std::vector<int>& lengths);

// The first and last merges of a language, and how some words are spelled with them.
void show_merges(course::Lesson& lesson, const Language& language, const std::vector<Merge>& merges,
                 const std::function<Pieces(const std::string&)>& spell);

// Words, characters, bytes, and bytes with merges: how many tokens a test sentence has, and how many of
// them are unknown.
void show_token_counts(course::Lesson& lesson, const std::vector<Language>& languages,
                       const std::map<std::string, std::vector<double>>& tokens,
                       const std::map<std::string, int64_t>& merges);

}  // namespace heed::lesson06
