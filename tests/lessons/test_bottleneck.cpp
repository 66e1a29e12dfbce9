// The data and the measures of lesson 08: chains of clauses, and errors by the number of clauses.
#include <cmath>
#include <set>

#include "lessons/08_bottleneck/data.h"
#include "lessons/08_bottleneck/experiment.h"
#include "lessons/course/terminal/text.h"
#include "tests/catch.h"

namespace heed::lesson08 {
namespace {

using namespace course;

TEST_CASE("chains: as many sentences of each number of clauses, and no sentence twice",
          "[lesson]") {
    const Corpus corpus = chains(3, {.most = 3, .train = 20, .valid = 2, .test = 5});
    CHECK(corpus.train.size() == 60);
    CHECK(corpus.valid.size() == 6);
    CHECK(corpus.test.size() == 15);
    std::vector<int> count(3);
    std::set<std::string> sources;
    for (const auto* set : {&corpus.train, &corpus.valid, &corpus.test})
        for (const SentencePair& pair : *set) {
            ++count.at(clauses_of(pair) - 1);
            sources.insert(joined(pair.source));
            CHECK(clause_of_word(pair, 0) == 0);
            CHECK(clause_of_word(pair, static_cast<int>(pair.target.size())) ==
                  clauses_of(pair) - 1);
        }
    CHECK(count == std::vector{27, 27, 27});
    CHECK(sources.size() == 81);
}

TEST_CASE("half clauses: linear interpolation between numbers of clauses", "[lesson]") {
    CHECK(half_clauses({1, 0.75, 0.25, 0}) == 2.5);
    CHECK(half_clauses({0.4, 0.9, 0}) == 0);
    CHECK(half_clauses({1, 1, 0.5}) == 3);
}

TEST_CASE("clause errors: a model that always outputs the same word", "[lesson]") {
    TextSet set;
    const auto add = [&](const std::vector<std::string>& words, const std::vector<int>& target) {
        SentencePair pair;
        pair.source = {"x"};
        pair.target = words;
        set.pairs.push_back(pair);
        set.source.push_back({7});
        set.target.push_back(target);
    };
    add({"a", "b"}, {4, 5, Vocabulary::eos});
    add({"a", "b", "and", "a"}, {4, 5, 6, 4, Vocabulary::eos});
    const Translator always_5{
        [](const PaddedBatch& source, const Indices& before, Mode) {
            CHECK(before.at({0, 0}) == Vocabulary::bos);
            CHECK(before.size(0) == source.ids.size(0));
            const Tensor five = one_hot({5}, 9);  // [1, 9]
            return Seq2SeqOutput{expand(five, {before.size(0), before.size(1), 9}), {}};
        },
        {},
        {}};
    ClauseErrors errors(2);
    errors.add(always_5, set);
    errors.add(always_5, set);
    CHECK(errors.rate(1) == 2 / 3.);
    CHECK(errors.rate(1, 0) == 2 / 3.);
    CHECK(std::isnan(errors.rate(1, 1)));
    CHECK(errors.rate(2, 0) == 2 / 3.);  // the "and" belongs to the first clause
    CHECK(errors.rate(2, 1) == 1);
    CHECK(errors.rate(2) == 4 / 5.);
}

}  // namespace
}  // namespace heed::lesson08
