// The models of one width, and the errors of a translator by the number of clauses of the sentence.
#pragma once

#include <vector>

#include "lessons/material/translation/translation.h"

namespace heed::lesson08 {

// The share of exact translations for 1, 2, ... `most` clauses.
std::vector<double> exact_by_clauses(const course::Evaluation& result, const course::TextSet& set,
                                     int most);

// The number of clauses at which a share falls below one half. The share is given for 1, 2, ...
// clauses and interpolated linearly between them. Returns 0 if the first is below one half already,
// and the number of shares if none is.
double half_clauses(const std::vector<double>& exact);

// Counts wrongly predicted words under teacher forcing (the model is given the true words before
// each word), by the number of clauses of the sentence and by the clause in which the word stands.
// The end symbol belongs to the last clause. With several models, the counts are summed over them.
struct ClauseErrors {
    int most = 0;
    std::vector<double> wrong, all;  // [most, most]: clauses of the sentence, index of the clause

    explicit ClauseErrors(int most_clauses);
    void add(const course::Translator& model, const course::TextSet& set);

    double rate(int clauses, int clause) const;  // NaN where there are no words; clause from 0
    double rate(int clauses) const;              // over all clauses of the sentence
};

// The models of one width.
struct Trained {
    int width = 0;
    std::vector<EncoderDecoder> networks{};      // one for each seed
    std::vector<course::Translator> models{};    // the same
    course::Evaluation first{};                  // translations of the first one
    std::vector<std::vector<double>> by_seed{};  // exact match by clauses, for each seed
    std::vector<double> halves{};                // half_clauses() for each seed

    double exact(int clauses) const;  // mean over the seeds
    double half() const;              // mean over the seeds
    double largest_fall() const;      // of exact() from one number of clauses to the next
};

}  // namespace heed::lesson08
