// Measures the errors of a translator by the number of clauses of the sentence.
#pragma once

#include <vector>

#include "lessons/material/translation/translation.h"

// The share of exact translations for 1, 2, ... `most` clauses.
std::vector<double> exact_by_clauses(const heed::course::Evaluation& result,
                                     const heed::course::TextSet& set, int most);

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
    void add(const heed::course::Translator& model, const heed::course::TextSet& set);

    double rate(int clauses, int clause) const;  // NaN where there are no words; clause from 0
    double rate(int clauses) const;              // over all clauses of the sentence
};
