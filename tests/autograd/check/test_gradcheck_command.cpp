// ./heed gradcheck as a user calls it: what it prints, its JSON and its exit status.
#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/lessons/run.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

Ended gradcheck_command(const std::string& options, const Scratch& scratch) {
    return run(HEED_LESSON_DIR "/heed_gradcheck", options, scratch);
}

TEST_CASE("./heed gradcheck --order 2 prints and writes both orders", "[grad]") {
    const Scratch scratch;
    const std::string json = scratch.path + "/checks.json";
    const Ended both =
        gradcheck_command("'softplus [2, 3]' --order 2 --json '" + json + "'", scratch);
    CHECK(both.status == 0);
    CHECK_THAT(both.out, ContainsSubstring("pass order 1 softplus [2, 3]"));
    CHECK_THAT(both.out, ContainsSubstring("pass order 2 softplus [2, 3]"));
    CHECK_THAT(both.out, ContainsSubstring("orders 1 and 2: 2 passed, 0 failed"));

    const auto records = nlohmann::json::parse(course::read_file(json));
    REQUIRE(records.size() == 2);
    for (int i : {0, 1}) {
        CHECK(records[i].size() == 5);
        CHECK(records[i]["name"] == "softplus [2, 3]");
        CHECK(records[i]["order"] == i + 1);
        CHECK(records[i]["pass"] == true);
        CHECK(records[i]["tolerance"] == (i == 0 ? 1e-7 : 1e-5));
        CHECK(records[i]["max_error"].get<double>() < 1e-7);
    }
    const Ended first = gradcheck_command("'softplus [2, 3]'", scratch);
    CHECK_THAT(first.out, ContainsSubstring("order 1: 1 passed, 0 failed"));
}

TEST_CASE("./heed gradcheck refuses what it cannot do before it begins", "[grad][errors]") {
    const Scratch scratch;
    const Ended unwritable = gradcheck_command("--json /proc/none/x.json", scratch);
    CHECK(unwritable.status == 2);
    CHECK_THAT(unwritable.err,
               ContainsSubstring("gradcheck: --json: cannot write /proc/none/x.json"));
    CHECK(unwritable.out.empty());
    CHECK(gradcheck_command("--order 3", scratch).status == 2);
    const Ended nothing = gradcheck_command("no_such_case", scratch);
    CHECK(nothing.status == 2);
    CHECK_THAT(nothing.err, ContainsSubstring("nothing in the list contains 'no_such_case'"));
}

}  // namespace
}  // namespace heed
