// The lookups of lesson 17: one pair has the name of the question, and its fact is the answer.
#include <set>

#include "autograd/ops/reduce/reductions.h"
#include "lessons/17_query_key_value/data.h"
#include "tests/catch.h"

namespace heed::lesson17 {
namespace {

TEST_CASE("lookups: the name in the question occurs in one pair, and its fact is the answer",
          "[data][lesson]") {
    Rng rng(3);
    const int64_t count = 300;
    const Lookups data = draw_lookups(count, rng);
    REQUIRE(data.question.shape() == Shape{count, 1, token_width});
    REQUIRE(data.tokens.shape() == Shape{count, pairs, token_width});
    CHECK(sum(data.question).item() == count);

    std::set<int> asked, answers;
    for (int64_t b = 0; b < count; ++b) {
        std::set<int> seen;
        int found = -1;
        for (int k = 0; k < pairs; ++k) {
            std::vector<int> on;
            for (int i = 0; i < token_width; ++i)
                if (data.tokens.at({b, k, i}) == 1) on.push_back(i);
            REQUIRE(on.size() == 2);
            REQUIRE(on[0] < names);
            REQUIRE(on[1] >= names);
            CHECK(seen.insert(on[0]).second);
            if (data.question.at({b, 0, on[0]}) != 1) continue;
            found = k;
            CHECK(data.answer[b] == on[1] - names);
        }
        CHECK(found == data.pair[b]);
        asked.insert(found);
        answers.insert(data.answer[b]);
    }
    CHECK(asked.size() == pairs);
    CHECK(answers.size() == facts);
}

TEST_CASE("lookups: the same seed gives the same lookups", "[data][lesson]") {
    Rng a(1), b(1), c(2);
    const Lookups one = draw_lookups(20, a), same = draw_lookups(20, b),
                  other = draw_lookups(20, c);
    CHECK(one.tokens.to_vector() == same.tokens.to_vector());
    CHECK(one.answer == same.answer);
    CHECK_FALSE(one.tokens.to_vector() == other.tokens.to_vector());
}

}  // namespace
}  // namespace heed::lesson17
