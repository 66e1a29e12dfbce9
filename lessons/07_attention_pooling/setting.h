// Documents with telling words, ready to learn from; and how well weights find those words.
#pragma once

#include <string>
#include <vector>

#include "lessons/07_attention_pooling/classifier.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/generated/documents.h"
#include "nn/data/vocabulary.h"

struct Setting {
    heed::Vocabulary vocabulary;  // all words there are
    heed::course::Documents documents;
    Texts train, valid, test;

    Setting(int telling, std::uint64_t seed);
    Classifier teach(Pooling how, int steps, std::uint64_t seed) const;

    // The first `count` test documents, each with so many irrelevant words appended.
    Texts lengthened(int count, int more, heed::Rng& rng) const;
};

// Of as many words as tell, those of the largest weights: how many do? The mean over the test.
double precision(const Classifier& model, const Setting& setting);

// The mean weight of the telling words in the first texts.size() test documents, lengthened or not.
double weight_of_telling(const Classifier& model, const Setting& setting, const Texts& texts);

// The words of largest weight in a test document.
heed::course::BarChart largest_weights(const Classifier& model, const Setting& setting, int number);
