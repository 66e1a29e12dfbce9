// Workshop W5: the cost of batches, pieces as text, what is unknown, and the reader's file.
#include <string>

#include "lessons/w5_subwords/data.h"
#include "lessons/w5_subwords/experiment.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

namespace heed::workshop5 {
namespace {

TEST_CASE("subwords: the cost of batches", "[lesson]") {
    const BatchCost cost = cost_of({{0, 1}, {2}}, {3, 5, 2});
    CHECK(cost.batches == 2);
    CHECK(cost.words == 10);
    CHECK(cost.entries == 12);
    CHECK(cost.word_pairs == 38);
    CHECK(cost.pairs == 54);
}

TEST_CASE("subwords: words as bytes, and what is unknown", "[lesson]") {
    CHECK(shown(bytes_of(" a나")) == "_ a <EB> <82> <98>");
    CHECK(shown({" 나", "는"}) == "_나 는");
    const auto counts = word_counts({{"b", "a", "b"}, {"c"}}, 1);
    CHECK(counts == std::map<std::string, int64_t>{{" b", 2}});
    const TokenCounts tokens = token_counts({{"나는", "I"}, {"a", "b"}});
    CHECK(tokens.words == 2);
    CHECK(tokens.characters == 4.5);
    CHECK(tokens.bytes == 6.5);
    const Unknown unknown = unknown_share({{"ab", "c"}}, {{"ab", "ba"}, {"cd", "c"}});
    CHECK(unknown.words == 0.5);
    CHECK(unknown.characters == Approx(1.0 / 7));
    CHECK(unknown.word_kinds == 2);
    CHECK(unknown.character_kinds == 3);

    // Sets of one sentence: {a}, {b}, {c}.
    const Unknown mean = mean_unknown_share({{"a"}, {"b"}, {"c"}}, {{"a", "a"}, {"b", "d"}}, 1);
    CHECK(mean.words == Approx((0.5 + 0.75 + 1) / 3));
    CHECK(mean_unknown_share({{"a"}}, {{"a", "b"}}, 5).words == 0.5);
}

TEST_CASE("subwords: the reader's own text", "[lesson][data][errors]") {
    const Scratch scratch;
    const auto run_on = [&](const std::string& path) {
        return run(HEED_LESSON_DIR "/lesson_w5",
                   "--quick --no-predict --threads 1 --out '" + scratch.path + "/out' --data '" +
                       path + "'",
                   scratch);
    };
    const std::string few = scratch.file("few.txt", "one line\n");
    Ended ended = run_on(few);
    CHECK(ended.status == 2);
    CHECK(ended.err.find(few +
                         ": expected at least 200 lines with 2000 words in all, found 1 with 2") !=
          std::string::npos);

    std::string text;
    for (int line = 0; line < 600; ++line)
        text += fmt::format("the noun{} walked and the noun{} talked\n", line % 7, line % 11);
    ended = run_on(scratch.file("text.txt", text));
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK(ended.out.find("bytes and ") != std::string::npos);
    CHECK(std::filesystem::exists(scratch.path + "/out/report.html"));
}

}  // namespace
}  // namespace heed::workshop5
