// Documents for classification: everyday words, and among them a few words that show the topic (the
// *telling* words). They are generated, so it is known which words attention should find.
//
//     Documents documents = telling_documents(1, {.telling = 1});
//     documents.train[0].words      so the old man went back and bought a ... thunder ... again
//     documents.train[0].telling    0 0 0 0 0 0 0 0 0 ... 1 ... 0
//     documents.train[0].topic      0, the weather
//
// Contents. Four topics with equal probability. Each topic has 24 telling words, drawn with equal
// probability. All other words are drawn from one list of 270 that all topics share, the k-th word
// with a probability proportional to 1 / (k + 10): some are common, many are rare. Telling words
// are at random positions. The order of the words has no meaning. No document occurs twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/random.h"

namespace heed::course {

struct Document {
    std::vector<std::string> words;
    std::vector<bool> telling;  // for each word
    int topic = 0;
};

struct Documents {
    std::vector<std::string> topics;  // their names
    std::vector<Document> train, valid, test;
};

struct DocumentOptions {
    int train = 600, valid = 200, test = 1000;
    int shortest = 40, longest = 100;  // words
    int telling = 1;                   // words of the topic in each document
};

// The same documents for the same seed on every machine. Throws if a document would be shorter than
// the number of its telling words.
Documents telling_documents(std::uint64_t seed, const DocumentOptions& options = {});

// More everyday words, drawn in the same way.
std::vector<std::string> everyday_words(int count, Rng& rng);

// The telling words of a topic, and all everyday words.
const std::vector<std::string>& words_of_topic(int topic);
const std::vector<std::string>& all_everyday_words();

}  // namespace heed::course
