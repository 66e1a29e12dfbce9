// The sentences of lesson 17: a verb, and one name for each grammatical role.
#include <set>

#include "lessons/17_heads/parts.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::lesson17;

TEST_CASE("parts: a verb and four different names, one for each role, with their answers",
          "[data][lesson]") {
    Rng rng(4);
    const int64_t count = 500;
    const int relations = 3;
    const Sentences data = draw_sentences(count, relations, rng);
    REQUIRE(data.name.shape() == Shape{count, words});
    REQUIRE(data.answer.shape() == Shape{count, relations});
    std::set<int> first_parts, seen;
    for (int64_t b = 0; b < count; ++b) {
        CHECK(data.name.at({b, 0}) == names);
        CHECK(data.part.at({b, 0}) == parts);
        CHECK(data.word(b, 0) == "helped");
        std::set<int> who, what;
        for (int64_t w = 1; w < words; ++w) {
            const int name = data.name.at({b, w}), part = data.part.at({b, w});
            REQUIRE((name >= 0 && name < names && part >= 0 && part < parts));
            who.insert(name);
            what.insert(part);
            seen.insert(name);
            if (part < relations) CHECK(data.answer.at({b, part}) == name);
            CHECK(data.word(b, w) == std::string(name_list[name]) + "-" + part_names[part]);
        }
        CHECK(who.size() == parts);
        CHECK(what.size() == parts);
        first_parts.insert(data.part.at({b, 1}));
    }
    CHECK(first_parts.size() == parts);  // in any order
    CHECK(seen.size() == names);

    Rng again(4);
    CHECK(draw_sentences(count, relations, again).name == data.name);
}
