// Short texts of four topics: what is telling, what mixing changes and what it leaves.
#include <algorithm>
#include <map>
#include <set>

#include "lessons/material/corpora/short_texts.h"
#include "tests/catch.h"

using namespace heed::course;

namespace {

// Topic words of each topic in a text.
std::map<int, int> counts(const ShortText& text) {
    std::map<int, int> all;
    for (const std::string& word : text.words)
        if (const int topic = topic_of_word(word); topic >= 0) ++all[topic];
    return all;
}

// The share of pairs of topic words of one text, both persons or verbs, that have the same topic.
double agreement(const std::vector<ShortText>& texts) {
    double same = 0, all = 0;
    for (const ShortText& text : texts) {
        std::vector<int> topics;
        for (const std::string& word : text.words)
            if (topic_of_word(word) >= 0) topics.push_back(topic_of_word(word));
        for (std::size_t i = 0; i < topics.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) same += topics[i] == topics[j], ++all;
    }
    return same / all;
}

}  // namespace

TEST_CASE("short texts: sizes, balance and no text twice", "[data]") {
    const ShortTexts texts =
        short_texts(1, {.unlabelled = 500, .train = 40, .valid = 60, .test = 80});
    CHECK(texts.topics.size() == 4);
    CHECK(texts.unlabelled.size() == 500);
    REQUIRE(texts.train.size() == 40);
    CHECK(texts.valid.size() == 60);
    CHECK(texts.test.size() == 80);
    for (int i = 0; i < 40; ++i) CHECK(texts.train[i].topic == i % 4);
    std::set<std::vector<std::string>> all;
    for (const auto* set : {&texts.unlabelled, &texts.train, &texts.valid, &texts.test})
        for (const ShortText& text : *set) {
            all.insert(text.words);
            CHECK(std::count(text.words.begin(), text.words.end(), ".") == 3);
        }
    CHECK(all.size() == 680);
}

TEST_CASE("short texts: the topic is that of most topic words", "[data]") {
    const ShortTexts texts = short_texts(2, {.unlabelled = 400});
    for (const auto* set : {&texts.unlabelled, &texts.test})
        for (const ShortText& text : *set) {
            const std::map<int, int> count = counts(text);
            REQUIRE(count.count(text.topic) == 1);
            for (const auto& [topic, n] : count)
                if (topic != text.topic) CHECK(n < count.at(text.topic));
            for (std::size_t i = 0; i < text.words.size(); ++i)
                CHECK(text.telling[i] == (topic_of_word(text.words[i]) == text.topic));
        }
}

TEST_CASE("short texts: mixing changes topics of words and nothing else", "[data]") {
    const ShortTexts plain = short_texts(3, {.unlabelled = 300}),
                     mixed = short_texts(3, {.unlabelled = 300, .mixed = true});
    // The labelled texts are the same.
    for (std::size_t i = 0; i < plain.test.size(); ++i)
        CHECK(plain.test[i].words == mixed.test[i].words);
    // No text occurs twice in either, so the texts without labels belong to each other in order.
    for (std::size_t i = 0; i < plain.unlabelled.size(); ++i) {
        const auto &a = plain.unlabelled[i].words, &b = mixed.unlabelled[i].words;
        REQUIRE(a.size() == b.size());
        for (std::size_t w = 0; w < a.size(); ++w) {
            const bool of_topic = topic_of_word(a[w]) >= 0;
            CHECK(of_topic == (topic_of_word(b[w]) >= 0));
            if (!of_topic) CHECK(a[w] == b[w]);
        }
    }
    // Two topic words of a text have the same topic in one case in four, instead of most.
    CHECK(agreement(plain.unlabelled) > 0.6);
    CHECK(agreement(mixed.unlabelled) > 0.2);
    CHECK(agreement(mixed.unlabelled) < 0.3);
}

TEST_CASE("short texts: the same seed gives the same texts, another one others", "[data]") {
    const ShortTexts a = short_texts(4, {.unlabelled = 20}), b = short_texts(4, {.unlabelled = 20}),
                     c = short_texts(5, {.unlabelled = 20});
    int equal = 0;
    for (int i = 0; i < 20; ++i) {
        CHECK(a.unlabelled[i].words == b.unlabelled[i].words);
        equal += a.unlabelled[i].words == c.unlabelled[i].words;
    }
    CHECK(equal == 0);
    CHECK(topic_of_word("pirates") == 2);
    CHECK(topic_of_word("women") == -1);
    CHECK_THROWS(short_text_words(4, WordKind::verb));
}
