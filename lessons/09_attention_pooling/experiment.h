// The data of the experiments: documents with telling words, as token ids. And measures of how well
// attention weights find the telling words.
#pragma once

#include <string>
#include <vector>

#include "lessons/09_attention_pooling/classifier.h"
#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/documents.h"
#include "nn/data/vocabulary.h"

struct Experiment {
    heed::Vocabulary vocabulary;  // all words that can occur
    heed::course::Documents documents;
    Texts train, valid, test;

    Experiment(int telling, std::uint64_t seed);
    Classifier train_classifier(Pooling how, int steps, std::uint64_t seed) const;

    // The first `count` test documents, each with `extra` irrelevant words appended.
    Texts lengthened(int count, int extra, heed::Rng& rng) const;
};

// If a document has n telling words: the share of telling words among the n words of largest
// weight. The mean over the test set.
double precision(const Classifier& model, const Experiment& experiment);

// The mean weight of the telling words in the first texts.size() test documents, lengthened or not.
double weight_of_telling(const Classifier& model, const Experiment& experiment, const Texts& texts);

// The words of largest weight in a test document.
heed::course::BarChart largest_weights(const Classifier& model, const Experiment& experiment,
                                       int number);
