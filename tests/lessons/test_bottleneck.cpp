// The measures of lesson 08: the length at which half of the sentences are right, and word errors.
#include <cmath>
#include <limits>

#include "lessons/08_bottleneck/errors.cpp"  // a lesson's own files are in its program only
#include "tests/catch.h"

TEST_CASE("half length: linear interpolation between the middles of the bands", "[lesson]") {
    CHECK(middle_of_band(0) == 3.5);
    CHECK(middle_of_band(1) == 8);
    CHECK(half_length({1, 0.75, 0.25, 0, 0}) == 10.5);  // halfway from 8 to 13
    CHECK(half_length({1, NAN, 0, 0, 0}) == 8.25);      // from 3.5 to 13
    CHECK(half_length({0.4, 0.9, 0, 0, 0}) == 0);
    CHECK(half_length({1, 1, 1, 0.5, NAN}) == std::numeric_limits<double>::infinity());
}

TEST_CASE("word errors: a model that always outputs the same word", "[lesson]") {
    TextSet part;
    const auto add = [&](std::size_t source, const std::vector<int>& target) {
        part.pairs.emplace_back();
        part.source.emplace_back(source, 7);
        part.target.push_back(target);
    };
    add(3, {4, 5, Vocabulary::eos});
    add(4, {5, Vocabulary::eos});
    add(12, {5, 5, 5, 5, 4, 4, 4, 4, 4, Vocabulary::eos});
    const Translator always_5{
        [](const PaddedBatch& source, const Indices& before, Mode) {
            CHECK(before.at({0, 0}) == Vocabulary::bos);
            CHECK(before.size(0) == source.ids.size(0));
            const Tensor five = one_hot({5}, 9);  // [1, 9]
            return Seq2SeqOutput{expand(five, {before.size(0), before.size(1), 9}), {}};
        },
        {},
        {}};
    const WordErrors errors = word_errors({always_5, always_5}, part);
    CHECK(errors.rate(0) == 3 / 5.);
    CHECK(errors.rate(2) == 6 / 10.);
    CHECK(std::isnan(errors.rate(1, 0)));
    CHECK(errors.rate(2, 3) == 0);
    CHECK(errors.rate(2, 4) == 1);
    CHECK(errors.words_a_sentence(0) == 2.5);
    CHECK(errors.words_a_sentence(2) == 10);
}
