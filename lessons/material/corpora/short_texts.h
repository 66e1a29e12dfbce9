// Short texts for learning from text without labels: each has three sentences, and a topic that only
// some of its words show (the *telling* words).
//
//     ShortTexts texts = short_texts(1, {.unlabelled = 4000});
//     texts.test[0].words      pirates moored rafts . old boys bought lamps . ...
//     texts.test[0].telling    1       1      1     0 0   0    0      0     0
//     texts.test[0].topic      2, ships
//
// Contents. Four topics (cooking, music, ships, farming) with equal probability. Each topic has 20
// words: 5 persons, 5 verbs, 8 things and 2 places. 24 neutral words of the same kinds belong to no
// topic. A sentence has one of six forms, with gaps for persons, verbs, things and places. A gap gets a
// word of the text's topic with probability 0.7, of another topic with probability 0.1 (a *misleading*
// word), and otherwise a neutral word. Every text has more words of its own topic than of any other
// topic, so a reader who knows all lists makes no error. No text occurs twice.
//
// So words of one topic occur together, in the texts without labels too. With `mixed`, every word of a
// topic in the texts without labels is replaced by one of the same kind and of a random topic: the same
// forms, as many topic words, but no word says anything about the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::course {

enum class WordKind { person, verb, thing, place };

struct ShortText {
    std::vector<std::string> words;
    std::vector<bool> telling;  // for each word: whether it is one of its text's topic
    int topic = 0;
};

struct ShortTexts {
    std::vector<std::string> topics;  // their names
    std::vector<ShortText> unlabelled, train, valid, test;
};

struct ShortTextOptions {
    int unlabelled = 4000, train = 64, valid = 200, test = 1000;
    bool mixed = false;
};

// The same texts for the same seed on every machine. In the training set the topics take turns, so
// that the first 4 n texts have n of each topic. `mixed` changes `unlabelled` only.
ShortTexts short_texts(std::uint64_t seed, const ShortTextOptions& options = {});

// The words of a topic, or, for topic -1, the neutral ones.
const std::vector<std::string>& short_text_words(int topic, WordKind kind);

// The topic of a word, or -1.
int topic_of_word(const std::string& word);

}  // namespace heed::course
