// The Korean-English corpus as data: sizes, splits, one translation for each sentence, the same on
// every machine; the alignment error rate. test_corpus_language.cpp checks its language.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "autograd/base/error.h"
#include "lessons/material/corpora/corpus.h"
#include "tests/catch.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string text(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

bool same(const std::vector<SentencePair>& a, const std::vector<SentencePair>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.source == y.source && x.target == y.target && x.alignment == y.alignment &&
               x.possible == y.possible;
    });
}

}  // namespace

TEST_CASE("the corpus has the sizes it promises, and every sentence once", "[data][lesson]") {
    const Corpus corpus = korean_english(1);
    CHECK(corpus.train.size() == 21000);
    CHECK(corpus.valid.size() == 1000);
    CHECK(corpus.test.size() == 2000);

    // On either side, each sentence occurs once in the whole corpus, so the sets do not overlap.
    std::set<std::string> sources, targets, source_words, target_words;
    for (const auto* set : {&corpus.train, &corpus.valid, &corpus.test})
        for (const SentencePair& pair : *set) {
            REQUIRE(sources.insert(text(pair.source)).second);
            REQUIRE(targets.insert(text(pair.target)).second);
        }

    // Each word of a test sentence occurs in the training set.
    for (const SentencePair& pair : corpus.train) {
        source_words.insert(pair.source.begin(), pair.source.end());
        target_words.insert(pair.target.begin(), pair.target.end());
    }
    CHECK(source_words.size() > 250);
    CHECK(source_words.size() < 300);
    CHECK(target_words.size() > 150);
    CHECK(target_words.size() < 200);
    for (const SentencePair& pair : corpus.test) {
        for (const std::string& word : pair.source) REQUIRE(source_words.count(word) == 1);
        for (const std::string& word : pair.target) REQUIRE(target_words.count(word) == 1);
    }
}

TEST_CASE("the first test pair is always the same", "[data][lesson]") {
    for (const std::uint64_t seed : {1, 2, 77}) {
        const SentencePair pair =
            korean_english(seed, {.pairs = 400, .valid = 10, .test = 50}).test[0];
        CHECK(text(pair.source) == "나는 학생 이다");
        CHECK(text(pair.target) == "I am a student");
        CHECK(pair.alignment == Alignment{{0, 0}, {1, 3}, {2, 1}});
        CHECK(pair.possible == Alignment{{1, 2}});
    }
}

TEST_CASE("the same seed gives the same corpus on every machine", "[data][lesson]") {
    const CorpusOptions small{.pairs = 3000, .valid = 200, .test = 300};
    const Corpus one = korean_english(5, small), again = korean_english(5, small);
    CHECK(same(one.train, again.train));
    CHECK(same(one.valid, again.valid));
    CHECK(same(one.test, again.test));
    CHECK_FALSE(same(one.train, korean_english(6, small).train));

    // Another compiler or processor must generate the same sentence.
    CHECK(text(one.train[3].source) ==
          "아주 친절한 소년 이 자주 나의 학생 에게 사과 를 주고 말 이 그 소녀 들 이 큰 시장 에서 "
          "산 빵 을 먹었다");
    CHECK(text(one.train[3].target) ==
          "a very kind boy often gave an apple to my student and a horse ate bread that the girls "
          "bought at a big market");
}

TEST_CASE("each sentence has one translation, in both directions", "[data][lesson]") {
    // Over four corpora a sentence may occur twice, but always with the same translation.
    std::map<std::string, std::string> english, korean;
    int again = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const Corpus corpus = korean_english(seed);
        for (const auto* set : {&corpus.train, &corpus.valid, &corpus.test})
            for (const SentencePair& pair : *set) {
                const std::string source = text(pair.source), target = text(pair.target);
                const auto [to_english, is_new] = english.try_emplace(source, target);
                REQUIRE(to_english->second == target);
                REQUIRE(korean.try_emplace(target, source).first->second == source);
                again += !is_new;
            }
    }
    CHECK(again > 1000);  // enough repeated sentences for a meaningful test
}

TEST_CASE("each band of length has many sentences", "[data][lesson]") {
    const Corpus corpus = korean_english(1);
    std::array<int, length_bands.size()> train{}, test{};
    for (const SentencePair& pair : corpus.train)
        ++train[length_band(static_cast<int>(pair.source.size()))];
    for (const SentencePair& pair : corpus.test) {
        const int length = static_cast<int>(pair.source.size());
        const int band = length_band(length);
        CHECK(length >= length_bands[band].from);
        CHECK(length <= length_bands[band].to);
        CHECK(pair.target.size() >= 2);
        CHECK(pair.target.size() <= 26);
        ++test[band];
    }
    for (std::size_t band = 0; band < length_bands.size(); ++band) {
        INFO(length_bands[band].name);
        CHECK(train[band] >= 2000);
        CHECK(test[band] >= 200);
    }
    CHECK(length_band(1) == 0);
    CHECK(length_band(5) == 0);
    CHECK(length_band(6) == 1);
    CHECK(length_band(21) == 4);
    CHECK(length_band(400) == 4);
}

TEST_CASE("lengths can be chosen; impossible options are refused", "[data][errors]") {
    const Corpus corpus =
        korean_english(3, {.pairs = 1200, .valid = 100, .test = 100, .shortest = 4, .longest = 8});
    CHECK(corpus.train.size() == 1000);
    for (const SentencePair& pair : corpus.train) {
        CHECK(pair.source.size() >= 4);
        CHECK(pair.source.size() <= 8);
    }
    REQUIRE_THROWS_WITH(korean_english(1, {.pairs = 100, .valid = 50, .test = 50}),
                        ContainsSubstring("100 pairs leave nothing to train on"));
    REQUIRE_THROWS_WITH(korean_english(1, {.shortest = 9, .longest = 5}),
                        ContainsSubstring("no sentence has at least 9 and at most 5 words"));
    REQUIRE_THROWS_WITH(korean_english(1, {.longest = 2}),
                        ContainsSubstring("24000 pairs wanted, but only"));
    REQUIRE_THROWS_AS(korean_english(1, {.shortest = 61, .longest = 70}), heed::Error);
}

TEST_CASE("long sentences are chains of clauses, and the short ones stay as they are",
          "[data][lesson]") {
    const Corpus corpus =
        korean_english(1, {.pairs = 3000, .valid = 100, .test = 200, .longest = 60});
    std::set<std::string> sources, targets;
    int longer = 0, chains = 0, longest = 0;
    for (const auto* set : {&corpus.train, &corpus.valid, &corpus.test})
        for (const SentencePair& pair : *set) {
            REQUIRE(sources.insert(text(pair.source)).second);
            REQUIRE(targets.insert(text(pair.target)).second);
            const int length = static_cast<int>(pair.source.size());
            longest = std::max(longest, length);
            REQUIRE(pair.target.size() <= 60);
            if (length <= 26) continue;
            ++longer;
            chains += std::count(pair.target.begin(), pair.target.end(), "and") >= 3;
        }
    CHECK(longer > 800);
    CHECK(chains > 0.9 * longer);  // the others have up to three clauses, but many words in each
    CHECK(longest <= 60);
    CHECK(longest > 55);
    CHECK(text(corpus.test[0].source) == "나는 학생 이다");
}

TEST_CASE("swapped exchanges source and target", "[data][lesson]") {
    const Corpus corpus = korean_english(1, {.pairs = 300, .valid = 20, .test = 30});
    const Corpus exchanged = swapped(corpus);
    CHECK(text(exchanged.test[0].source) == "I am a student");
    CHECK(text(exchanged.test[0].target) == "나는 학생 이다");
    CHECK(exchanged.test[0].alignment == Alignment{{0, 0}, {1, 2}, {3, 1}});
    CHECK_FALSE(same(exchanged.train, corpus.train));
    CHECK(same(swapped(exchanged).train, corpus.train));
    CHECK(same(swapped(exchanged).valid, corpus.valid));
    CHECK(same(swapped(exchanged).test, corpus.test));
}

TEST_CASE("alignment error rate", "[data][lesson]") {
    const Alignment gold{{0, 0}, {1, 3}, {2, 1}};
    CHECK(alignment_error_rate(gold, gold) == 0);
    CHECK(alignment_error_rate({}, gold) == 1);
    CHECK(alignment_error_rate({{0, 1}, {2, 2}}, gold) == 1);
    CHECK(alignment_error_rate({}, {}) == 0);
    // 2 of 4 right, 2 of 3 found: 1 - (2 + 2) / (4 + 3).
    const Alignment guess{{0, 0}, {2, 1}, {1, 2}, {1, 1}};
    CHECK(alignment_error_rate(guess, gold) == Approx(3.0 / 7));
    // A possible link is not an error, and neither is leaving it out: 1 - (2 + 3) / (4 + 3).
    CHECK(alignment_error_rate(guess, gold, {{1, 2}}) == Approx(2.0 / 7));
    CHECK(alignment_error_rate(gold, gold, {{1, 2}}) == 0);
    // A link given twice counts once; the order does not matter.
    CHECK(alignment_error_rate({{2, 1}, {0, 0}, {2, 1}, {1, 3}}, gold) == 0);

    AlignmentError sum;
    sum.add(guess, gold);
    sum.add(gold, gold);
    CHECK(sum.rate() == Approx(1 - (4.0 + 6) / (7 + 6)));
}
