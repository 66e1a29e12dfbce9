// The results of lesson 08 as tables and figures.
#pragma once

#include <vector>

#include "lessons/08_bottleneck/errors.h"
#include "lessons/course/course.h"

// The models of one width.
struct Trained {
    int width = 0;
    std::vector<heed::EncoderDecoder> networks{};    // one for each seed
    std::vector<heed::course::Translator> models{};  // the same
    heed::course::Evaluation first{};                // translations of the first one
    std::vector<std::vector<double>> by_seed{};      // exact match by clauses, for each seed
    std::vector<double> halves{};                    // half_clauses() for each seed

    double exact(int clauses) const;  // mean over the seeds
    double half() const;              // mean over the seeds
    double largest_fall() const;      // of exact() from one number of clauses to the next
};

heed::course::Diagram architecture();  // encoder, context vector and decoder

// A sentence for each number of clauses.
void show_sentences(heed::course::Lesson& lesson, const heed::course::ParallelText& text);

// Exact match by the number of clauses and the width.
void show_exact(heed::course::Lesson& lesson, const std::vector<Trained>& runs,
                const heed::course::TextSet& test);

// A row with the two most probable words of p [1, V] and the word that was read before.
void add_two_best(heed::course::Table& table, const heed::Tensor& p, int before,
                  const heed::Vocabulary& vocabulary);

// The share of wrong words in each clause, and what exact match would be if each clause were right
// as often as one that stands alone.
void show_clause_errors(heed::course::Lesson& lesson, const Trained& run,
                        const ClauseErrors& errors);

// Translations of long sentences by each width.
void show_long_sentences(heed::course::Lesson& lesson, const std::vector<Trained>& runs,
                         const heed::course::TextSet& test);
