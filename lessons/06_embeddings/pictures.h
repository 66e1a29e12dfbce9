// The tables and figures of a run.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lessons/06_embeddings/data.h"
#include "lessons/06_embeddings/experiment.h"
#include "lessons/course/course.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson06 {

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
