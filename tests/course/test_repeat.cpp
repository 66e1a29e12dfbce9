// Many seeds of a lesson, and refusing options that need more memory than there is.
#include <cmath>
#include <limits>

#include "lessons/course/lesson/memory.h"
#include "lessons/course/lesson/repeat.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;

TEST_CASE("quantiles are NumPy's", "[lesson]") {
    CHECK(quantile({3, 1, 2}, 0) == 1);
    CHECK(quantile({3, 1, 2}, 0.5) == 2);
    CHECK(quantile({3, 1, 2}, 1) == 3);
    CHECK(quantile({0, 10}, 0.1) == Approx(1));
    CHECK(quantile({5, 1, 2, 3, 4}, 0.9) == Approx(4.6));
    CHECK(std::isnan(quantile({}, 0.5)));
    CHECK(std::isnan(quantile({1, NAN, 2}, 0)));  // what is no number counts as the lowest
    CHECK(quantile({1, NAN, 2}, 1) == 2);
}

TEST_CASE("the spread of a claim says how many seeds hold it", "[lesson]") {
    const Spread spread{"accuracy", "at least 0.9", {1, 0.8, 0.95}, 2};
    const std::string text = to_text(spread, Screen{.width = 200});
    CHECK(text ==
          "  ✗ 2 of 3: accuracy (expected at least 0.9)\n"
          "      min 0.8, 1 % 0.803, 10 % 0.83, median 0.95, 90 % 0.99, 99 % 0.999, max 1, "
          "normal 0.6746 to 1.159\n");
}

TEST_CASE("options that need more memory than there is are refused by name", "[lesson][errors]") {
    CHECK(bytes_of_machine() > 1e8);
    CHECK(error_of([] { check_memory("--size", 2.5e12, 16e9); }) ==
          "--size: about 2,500 GB of memory are needed, and this machine has 16 GB");
    CHECK(error_of([] { check_memory("--size", 1e9, 16e9); }) == "no error");
    CHECK(error_of([] { check_memory("--size", 1e30, std::numeric_limits<double>::infinity()); }) ==
          "no error");
}
