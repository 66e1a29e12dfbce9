// Documents with telling words: everyday words about nothing, and among them a few that give away
// the topic. Written for this course, so that it is known which words an attention ought to find.
//
//     Documents documents = telling_documents(1, {.telling = 1});
//     documents.train[0].words      so the old man went back and bought a ... thunder ... again
//     documents.train[0].telling    0 0 0 0 0 0 0 0 0 ... 1 ... 0
//     documents.train[0].topic      0, the weather
//
// What is in it. Four topics, equally often, each with 24 telling words of its own, equally often.
// All other words are drawn from one list of 270, the same for all topics, the k-th of them with a
// probability in proportion to 1 / (k + 10): some are common, many are rare. Telling words stand at
// random places. Order means nothing: a document is a set of words. No document occurs twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/ops/random.h"

namespace heed::course {

struct Document {
    std::vector<std::string> words;
    std::vector<bool> telling;  // of each word
    int topic;
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

// The same for the same seed on every machine. Throws when a document would be shorter than its
// telling words.
Documents telling_documents(std::uint64_t seed, const DocumentOptions& options = {});

// More of the words that say nothing.
std::vector<std::string> everyday_words(int count, Rng& rng);

// The words a topic is told by, and all everyday words.
const std::vector<std::string>& words_of_topic(int topic);
const std::vector<std::string>& all_everyday_words();

}  // namespace heed::course
