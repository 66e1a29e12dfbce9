// Measures how much the context of a trained classifier changes with padding, with one more word,
// and with ten thousand more words.
#pragma once

#include <vector>

#include "lessons/09_attention_pooling/experiment.h"
#include "lessons/course/lesson/lesson.h"

// Makes sets of everyday words of the given sizes, and compares the context of each set in one
// padded batch with its context alone. Returns the largest difference.
double padding_gap(const Classifier& model, const Experiment& experiment,
                   const std::vector<int>& sizes, heed::Rng& rng);

// How much the context changes when one word is appended, relative to the context's length: the
// mean over test documents. The word is an everyday word, or (telling) a telling word of another
// topic.
double change_by_one_word(const Classifier& model, const Experiment& experiment, bool telling,
                          heed::Rng& rng);

// Appends irrelevant words to the first `count` test documents, for each of the given numbers of
// words, and measures weights and accuracy. Shows the table and the curves.
struct Appended {
    std::vector<double> weight;           // of the telling word
    std::vector<double> attention, mean;  // accuracy
};
Appended append_words(heed::course::Lesson& lesson, const Classifier& attention,
                      const Classifier& mean_pool, const Experiment& experiment, int count,
                      const std::vector<int>& numbers, heed::Rng& rng);
