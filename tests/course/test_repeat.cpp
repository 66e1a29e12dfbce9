// Many seeds of a lesson, and refusing options that need more memory than there is.
#include <cmath>
#include <limits>

#include "autograd/base/processors.h"
#include "lessons/course/lesson/memory.h"
#include "lessons/course/lesson/repeat.h"
#include "lessons/course/report/other_seeds.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;

TEST_CASE("quantiles are NumPy's", "[lesson]") {
    CHECK(quantile({3, 1, 2}, 0) == 1);
    CHECK(quantile({3, 1, 2}, 0.5) == 2);
    CHECK(quantile({3, 1, 2}, 1) == 3);
    CHECK(quantile({0, 10}, 0.1) == Approx(1));
    CHECK(quantile({5, 1, 2, 3, 4}, 0.9) == Approx(4.6));
    CHECK(std::isnan(quantile({}, 0.5)));
    CHECK(std::isnan(quantile({1, NAN, 2}, 0)));  // NaN counts as the lowest
    CHECK(quantile({1, NAN, 2}, 1) == 2);
}

TEST_CASE("the spread of a claim says how many seeds hold it", "[lesson]") {
    const Spread spread{"accuracy", "accuracy", "at least 0.9", {1, 0.8, 0.95}, 2};
    const std::string text = to_text(spread, Screen{.width = 200});
    CHECK(text ==
          "  ✗ 2 of 3: accuracy (expected at least 0.9)\n"
          "      min 0.8, 1 % 0.803, 10 % 0.83, median 0.95, 90 % 0.99, 99 % 0.999, max 1, "
          "normal 0.6746 to 1.159\n");
}

TEST_CASE("the spread over other seeds is kept in the lesson's folder and shown beside a claim",
          "[lesson]") {
    const Scratch scratch;
    const WithHome home(scratch.path);
    const std::string folder = scratch.path + "/lessons/03_three";
    std::filesystem::create_directories(folder);
    CHECK(other_seeds(3, true).empty());
    CHECK(other_seeds(4, true).empty());  // there is no such lesson

    keep_other_seeds(3, true, 1, {{"accuracy", {0.951234, 0.9, 1}}, {"same", {2, 2, 2}}});
    keep_other_seeds(3, false, 5, {{"accuracy", {0.5, NAN}}});
    const OtherSeeds quick = other_seeds(3, true), full = other_seeds(3, false);
    REQUIRE(quick.size() == 2);
    CHECK(quick.at("accuracy") == std::vector{0.9, 0.9512, 1.});
    CHECK(quick.at("same") == std::vector{2., 2., 2.});
    CHECK(full.at("accuracy") == std::vector{0.5});  // NaN is left out
    const KeptSeeds in_order = kept_seeds(folder + "/spread.json", true);
    CHECK(in_order.at("accuracy") == std::vector{0.9512, 0.9, 1.});
    CHECK(kept_seeds(folder + "/spread.json", false).at("accuracy").size() == 2);  // but not here
    // When and where it was measured; here git knows no commit.
    CHECK_THAT(other_seeds_origin(3, true),
               Catch::Matchers::StartsWith("20") &&
                   Catch::Matchers::ContainsSubstring(heed::processor_name()));
    CHECK(other_seeds_origin(4, true).empty());

    keep_other_seeds(3, true, 1, {{"accuracy", {0.7, 0.8}}});  // replaces this part only
    CHECK(other_seeds(3, true).size() == 1);
    CHECK(other_seeds(3, false) == full);

    Claim claim = check_claim("accuracy", "accuracy", 0.93, at_least(0.85));
    CHECK(spread_in_words(claim) == "");
    CHECK(spread_svg(claim) == "");
    claim.other_seeds = quick.at("same");
    CHECK(spread_in_words(claim) == "");  // an identity: nothing to show
    Claim identity = check_claim("accuracy", "accuracy", 2e-7, at_most(1e-6));
    identity.other_seeds = {1e-7, 2e-7};
    CHECK(spread_in_words(identity) == "");
    claim.other_seeds = quick.at("accuracy");
    CHECK(spread_in_words(claim) == "3 seeds: 0.9 to 1, median 0.951");
    claim.quick = true;  // the text beside it tells of full runs
    CHECK(spread_in_words(claim) == "3 quick seeds: 0.9 to 1, median 0.951");
    const std::string svg = spread_svg(claim);
    CHECK(well_formed::fault(svg) == "");
    CHECK(well_formed::occurrences(svg, "class=\"seed\"") == 3);
    CHECK(well_formed::occurrences(svg, "class=\"bar\"") == 1);
    CHECK(well_formed::occurrences(svg, "class=\"own\"") == 1);

    CHECK_THROWS_WITH(keep_other_seeds(4, true, 1, {}),
                      "--keep: lesson 4 has no folder to write to; call it by ./heed learn");
    for (const char* broken :
         {"[]", "{", "{\"quick\": {}}", "{\"quick\": {\"measured\": {\"accuracy\": 1}}}"}) {
        const std::string path = scratch.file("lessons/03_three/spread.json", broken);
        INFO(broken);
        CHECK(error_of([] { other_seeds(3, true); }).starts_with(path + ": "));
    }
}

TEST_CASE("options that need more memory than there is are refused by name", "[lesson][errors]") {
    CHECK(bytes_of_machine() > 1e8);
    CHECK(error_of([] { check_memory("--size", 2.5e12, 16e9); }) ==
          "--size: about 2,500 GB of memory are needed, and this machine has 16 GB");
    CHECK(error_of([] { check_memory("--size", 1e9, 16e9); }) == "no error");
    CHECK(error_of([] { check_memory("--size", 1e30, std::numeric_limits<double>::infinity()); }) ==
          "no error");
}
