// The page of a run.
#include <string>

#include "lessons/course/report/report.h"
#include "tests/catch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;

namespace {

Claim claim(const std::string& name, double measured) {
    return check_claim(name, name, measured, at_least(0.5));
}

}  // namespace

TEST_CASE("report: many claims in a row are folded, if all hold", "[lesson]") {
    using well_formed::occurrences;
    const auto page = [](std::initializer_list<double> first,
                         std::initializer_list<double> second) {
        Report report;
        int count = 0;
        for (const double measured : first)
            report.claim(claim(fmt::format("c{}", ++count), measured));
        report.paragraph("Between them.");
        for (const double measured : second)
            report.claim(claim(fmt::format("c{}", ++count), measured));
        const std::string html = report.html({}, {}, {});
        CHECK(occurrences(html, "<div class=\"claim\">") == count);
        CHECK(well_formed::fault(html) == "");
        return occurrences(html, "<details class=\"claims\">");
    };
    CHECK(page({1, 1, 1, 1}, {1}) == 0);
    CHECK(page({1, 1, 1, 1, 1}, {1}) == 1);
    CHECK(page({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}) == 2);
    CHECK(page({1, 1, 0, 1, 1}, {1}) == 0);  // what does not hold is seen

    Report report;
    for (const char* name : {"a1", "a2", "a3", "a4"}) report.claim(claim(name, 1));
    report.claim(check_claim("only", "only", 2, anything()));
    CHECK(report.html({}, {}, {}).find("4 claims hold, and 1 number was measured</summary>") !=
          std::string::npos);
}
