// Claims: which hold, and how their numbers are printed.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "lessons/course/report/claims.h"
#include "lessons/course/report/results.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed::course;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool holds(double measured, const Expectation& expected) {
    return check_claim("", "", measured, expected).holds;
}

std::string shown(double measured, const Expectation& expected) {
    return measured_text(check_claim("", "", measured, expected));
}

}  // namespace

TEST_CASE("claims: each expectation, on both sides of its bound", "[lesson]") {
    CHECK(holds(0.95, at_least(0.95)));
    CHECK_FALSE(holds(0.9499999, at_least(0.95)));
    CHECK(holds(0.25, at_most(0.25)));
    CHECK_FALSE(holds(0.2500001, at_most(0.25)));
    CHECK_FALSE(holds(1, more_than(1)));
    CHECK(holds(1.0000001, more_than(1)));
    CHECK_FALSE(holds(1, less_than(1)));
    CHECK(holds(0.9999999, less_than(1)));
    CHECK(holds(1.3, between(1.1, 1.3)));
    CHECK_FALSE(holds(1.4, between(1.1, 1.3)));
    CHECK(holds(1 + 1e-13, equals(1, 1e-12)));
    CHECK_FALSE(holds(1 + 1e-11, equals(1, 1e-12)));
    CHECK(holds(4, equals(4)));
    CHECK(holds(true, is_true()));
    CHECK_FALSE(holds(false, is_true()));
}

TEST_CASE("claims: NaN and infinity never hold", "[lesson]") {
    for (const Expectation& expected :
         {at_least(-1e300), at_most(1e300), more_than(0), less_than(0), between(-1e300, 1e300),
          equals(nan_value), equals(0, nan_value), is_true(), at_least(nan_value)}) {
        CHECK_FALSE(holds(nan_value, expected));
    }
    CHECK_FALSE(holds(0, at_least(nan_value)));
    CHECK_FALSE(holds(INFINITY, between(0, 1)));
    CHECK_FALSE(holds(INFINITY, at_least(1)));  // results.json has no infinity
}

TEST_CASE("claims: a failing number is never printed like its bound", "[lesson]") {
    CHECK(shown(0.94999, at_least(0.95)) == "0.94999");
    CHECK(shown(0.9500000001, at_most(0.95)) == "0.9500000001");
    CHECK(shown(0.95, at_least(0.95)) == "0.95");
    CHECK(shown(0.981234, at_least(0.95)) == "0.9812");
    CHECK(shown(1, is_true()) == "true");
    CHECK(shown(0, is_true()) == "false");
    CHECK(at_least(0.95).words == "at least 0.95");
    CHECK(between(1, 20000).words == "between 1 and 20,000");
    CHECK(equals(1, 1e-12).words == "1 to within 1e-12");
}

TEST_CASE("results.json: one object with the documented keys", "[lesson]") {
    Run run;
    run.lesson = 9;
    run.name = "translation";
    run.seed = 7;
    run.quick = true;
    run.data = "a \"quoted\" 학생\n.tsv";
    run.seconds = 41.25;
    const auto json = nlohmann::json::parse(
        results_json(run, {check_claim("exact-match", "exact \\ match", 0.98, at_least(0.95)),
                           check_claim("no-number", "no number", nan_value, at_most(1)),
                           check_claim("not-text", "\xFF", 2, at_most(1)),
                           check_claim("recorded", "only recorded", 0.4, anything()),
                           check_claim("not-recorded", "infinite", HUGE_VAL, anything())}));
    CHECK(json.size() == 8);
    CHECK(json["lesson"] == 9);
    CHECK(json["name"] == "translation");
    CHECK(json["seed"] == 7);
    CHECK(json["quick"] == true);
    CHECK(json["data"] == run.data);
    CHECK(json["seconds"] == 41.25);
    REQUIRE(json["claims"].size() == 3);
    CHECK(json["claims"][0] == nlohmann::json{{"name", "exact-match"},
                                              {"text", "exact \\ match"},
                                              {"measured", 0.98},
                                              {"expected", "at least 0.95"},
                                              {"holds", true}});
    CHECK(json["claims"][1]["measured"].is_null());
    CHECK(json["claims"][1]["holds"] == false);
    CHECK(json["claims"][2]["text"] == "\uFFFD");
    REQUIRE(json["measured"].size() == 2);
    CHECK(json["measured"][0] ==
          nlohmann::json{{"name", "recorded"}, {"text", "only recorded"}, {"measured", 0.4}});
    CHECK(json["measured"][1]["measured"].is_null());
    CHECK(nlohmann::json::parse(results_json(run, {}))["claims"].is_array());
}

TEST_CASE("the name of a claim is short, and its own", "[lesson]") {
    const std::vector<Claim> before{check_claim("exact-match", "exact", 1, at_least(1))};
    const auto error = [&](const std::string& name, const std::string& text) {
        return error_of([&] { check_name(check_claim(name, text, 1, at_least(1)), before); });
    };
    CHECK(error("gain-2", "gain") == "no error");
    for (const char* wrong : {"", "x", "2-gain", "-gain", "gain-", "Gain", "the gain", "gain_2",
                              "a-name-of-more-than-thirty-chars"})
        CHECK(error(wrong, "gain") ==
              std::string("claim '") + wrong +
                  "': expected a name of 2 to 30 small letters, digits and hyphens");
    CHECK(error("exact-match", "gain") ==
          "claim 'exact-match': there is already a claim of this name");
    CHECK(error("gain", "exact") == "claim 'gain': claim 'exact-match' has the same text, 'exact'");
}
