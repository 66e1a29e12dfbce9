// The sequences of lesson 20: the answers are compared with a search backwards from each position.
#include <set>

#include "lessons/20_positions/data.h"
#include "tests/catch.h"

namespace heed::lesson20 {
namespace {

TEST_CASE("order: the previous token and the latest digit, found by a search backwards",
          "[data][lesson]") {
    Rng rng(5);
    const int64_t count = 60, length = 40;
    for (Task task : {Task::before, Task::latest}) {
        const Sequences data = draw_sequences(task, count, length, rng);
        REQUIRE(data.token.shape() == Shape{count, length});
        REQUIRE(data.answer.shape() == data.token.shape());
        std::set<int> seen;
        for (int64_t b = 0; b < count; ++b)
            for (int64_t t = 0; t < length; ++t) {
                seen.insert(data.token.at({b, t}));
                int expected = no_answer;
                if (task == Task::before && t > 0) expected = data.token.at({b, t - 1});
                for (int64_t back = t; task == Task::latest && back >= 0; --back) {
                    expected = data.token.at({b, back});
                    if (expected >= tokens - digits) break;
                    expected = no_answer;
                }
                CHECK(data.answer.at({b, t}) == expected);
            }
        CHECK(seen.size() == tokens);
        CHECK(*seen.begin() == 0);
    }
}

TEST_CASE("order: distinct sequences hold each token once", "[data][lesson]") {
    Rng rng(6);
    const Sequences data = draw_distinct(Task::before, 50, rng);
    REQUIRE(data.token.shape() == Shape{50, tokens});
    for (int64_t b = 0; b < 50; ++b) {
        std::set<int> seen;
        for (int64_t t = 0; t < tokens; ++t) seen.insert(data.token.at({b, t}));
        CHECK(seen.size() == tokens);
        CHECK(data.answer.at({b, 0}) == no_answer);
        CHECK(data.answer.at({b, 5}) == data.token.at({b, 4}));
    }
}

}  // namespace
}  // namespace heed::lesson20
