// Measures the errors of a translator without attention, by the length of the sentence and by the
// position in it.
#pragma once

#include <vector>

#include "lessons/course/translation/translation.h"

double middle_of_band(std::size_t band);  // of lengths in corpus.h; in words
std::vector<double> length_middles();     // of all bands

// The length at which the share of exact translations falls below one half. The share is given for
// each band of lengths in corpus.h and interpolated linearly between the middles of the bands.
// Returns 0 if the first band is below one half already, and infinity if no band is. Empty bands
// (NaN) are skipped.
double half_length(const std::vector<double>& exact_by_length);

// Counts wrongly predicted words under teacher forcing (the model is given the true words before
// each position), by the length of the source (rows: bands) and by the position in the target
// sentence (columns: tenths of the sentence). The end of a sentence counts as a word. With several
// models, the counts are summed over the models.
struct WordErrors {
    static constexpr int tenths = 10;
    std::vector<double> wrong, all;  // [bands, tenths]
    std::vector<double> sentences;   // [bands]

    double rate(std::size_t band) const;             // share wrong in a band
    double rate(std::size_t band, int tenth) const;  // NaN where there are no words
    double words_a_sentence(std::size_t band) const;
};
WordErrors word_errors(const std::vector<heed::course::Translator>& models,
                       const heed::course::TextSet& part);
