// The results of the lesson as tables and figures.
#pragma once

#include <vector>

#include "lessons/08_bottleneck/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson08 {

course::Diagram architecture();  // encoder, context vector and decoder

// A sentence for each number of clauses.
void show_sentences(course::AtCall lesson, const course::ParallelText& text);

// Exact match by the number of clauses and the width.
void show_exact(course::AtCall lesson, const std::vector<Trained>& runs,
                const course::TextSet& test);

// A row with the two most probable words of p [1, V] and the word that was read before.
void add_two_best(course::Table& table, const Tensor& p, int before, const Vocabulary& vocabulary);

// The share of wrong words in each clause, and what exact match would be if each clause were right
// as often as one that stands alone.
void show_clause_errors(course::AtCall lesson, const Trained& run, const ClauseErrors& errors);

// Translations of long sentences by each width.
void show_long_sentences(course::AtCall lesson, const std::vector<Trained>& runs,
                         const course::TextSet& test);

}  // namespace heed::lesson08
