// The sentences of lesson 19: the verb, and one name for each role.
#include <set>

#include "lessons/19_heads/data.h"
#include "tests/catch.h"

namespace heed::lesson19 {
namespace {

TEST_CASE("roles: a sentence has a verb and one name for each role; these names are the answers",
          "[data][lesson]") {
    Rng rng(4);
    const int64_t count = 500;
    const int relations = 3;
    const Sentences data = draw_sentences(count, relations, rng);
    REQUIRE(data.name.shape() == Shape{count, words});
    REQUIRE(data.answer.shape() == Shape{count, relations});
    std::set<int> first_roles, seen;
    for (int64_t b = 0; b < count; ++b) {
        CHECK(data.name.at({b, 0}) == names);
        CHECK(data.role.at({b, 0}) == roles);
        CHECK(data.word(b, 0) == "helped");
        std::set<int> who, what;
        for (int64_t w = 1; w < words; ++w) {
            const int name = data.name.at({b, w}), role = data.role.at({b, w});
            REQUIRE((name >= 0 && name < names && role >= 0 && role < roles));
            who.insert(name);
            what.insert(role);
            seen.insert(name);
            if (role < relations) CHECK(data.answer.at({b, role}) == name);
            CHECK(data.word(b, w) == std::string(name_list[name]) + "-" + role_names[role]);
        }
        CHECK(who.size() == roles);
        CHECK(what.size() == roles);
        first_roles.insert(data.role.at({b, 1}));
    }
    CHECK(first_roles.size() == roles);  // in any order
    CHECK(seen.size() == names);

    Rng again(4);
    CHECK(draw_sentences(count, relations, again).name == data.name);
}

}  // namespace
}  // namespace heed::lesson19
