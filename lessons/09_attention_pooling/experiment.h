// The data of the experiments, documents with telling words as token ids; how well attention
// weights find the telling words; and how much the context of a trained classifier changes with
// padding, with one more word, and with ten thousand more words.
#pragma once

#include <string>
#include <vector>

#include "lessons/09_attention_pooling/model.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/material/corpora/documents.h"
#include "lessons/material/read/labelled_sets.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson09 {

struct Experiment {
    Vocabulary vocabulary;  // all words that can occur
    course::Documents documents;
    Texts train, valid, test;

    Experiment(int telling, std::uint64_t seed);
    Classifier train_classifier(Pooling how, int steps, std::uint64_t seed) const;

    // The first `count` test documents, each with `extra` irrelevant words appended.
    Texts lengthened(int count, int extra, Rng& rng) const;
};

// If a document has n telling words: the share of telling words among the n words of largest
// weight. The mean over the test set.
double precision(const Classifier& model, const Experiment& experiment);

// The mean weight of the telling words in the first texts.size() test documents, lengthened or not.
double weight_of_telling(const Classifier& model, const Experiment& experiment, const Texts& texts);

// The words of largest weight in a test document.
course::BarChart largest_weights(const Classifier& model, const Experiment& experiment, int number);

// Trains classifiers with each pooling on documents with 1 to 8 telling words, with several seeds,
// and shows their accuracies. The results are those with one telling word, and the lowest precision
// of attention with any number.
struct PoolingResults {
    double mean, attention;  // accuracy on test documents
    double precision, lowest_precision;
};
PoolingResults show_poolings(course::AtCall lesson, int steps);

// --- a context that changes ---------------------------------------------------------------------

// Makes sets of everyday words of the given sizes, and compares the context of each set in one
// padded batch with its context alone. Returns the largest difference.
double padding_gap(const Classifier& model, const Experiment& experiment,
                   const std::vector<int>& sizes, Rng& rng);

// How much the context changes when one word is appended, relative to the context's length: the
// mean over test documents. The word is an everyday word, or (telling) a telling word of another
// topic.
double change_by_one_word(const Classifier& model, const Experiment& experiment, bool telling,
                          Rng& rng);

// Appends irrelevant words to the first `count` test documents, for each of the given numbers of
// words, and measures weights and accuracy. Shows the table and the curves.
struct Appended {
    std::vector<double> weight;           // of the telling word
    std::vector<double> attention, mean;  // accuracy
};
Appended append_words(course::AtCall lesson, const Classifier& attention,
                      const Classifier& mean_pool, const Experiment& experiment, int count,
                      const std::vector<int>& numbers, Rng& rng);

// --- texts of the reader ------------------------------------------------------------------------

// The lesson on the reader's own labelled texts, such as the TREC questions.
//
// --data is a file of lines (lessons/material/read/labelled_text.h), of which a tenth becomes the
// test set, or a folder with the two files of the TREC questions.
void run_on_own_texts(course::AtCall lesson, const course::LabelledSets& files, int steps);

}  // namespace heed::lesson09
