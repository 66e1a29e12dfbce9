// How a translator without attention fails: by the length of the sentence and by the place in it.
#pragma once

#include <vector>

#include "lessons/course/translation/translation.h"

double middle_of_band(std::size_t band);  // in words
std::vector<double> length_middles();     // of all bands

// The length at which the share of exact translations, given for each band of corpus.h, falls below
// a half: on straight lines between the middles of the bands. 0 if it begins below, infinite if it
// never falls. Empty bands (not a number) are passed over.
double half_length(const std::vector<double>& exact_by_length);

// Words wrong while the model is given the true words before them, by the length of the source
// (rows: the bands) and by the place in the target sentence (columns: its tenths). The end of a
// sentence counts as a word. Of several models, each reads all of the part.
struct WordErrors {
    static constexpr int places = 10;
    std::vector<double> wrong, all;  // [bands, places]
    std::vector<double> sentences;   // [bands]

    double rate(std::size_t band) const;             // of a whole band
    double rate(std::size_t band, int place) const;  // not a number where there are no words
    double words_a_sentence(std::size_t band) const;
};
WordErrors word_errors(const std::vector<heed::course::Translator>& models,
                       const heed::course::TextSet& part);
