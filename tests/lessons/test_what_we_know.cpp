// Lesson "What is known?": what it reads from the sources of lessons, and what it counts.
#include <cmath>

#include "lessons/37_what_we_know/data.h"
#include "lessons/37_what_we_know/pictures.h"
#include "tests/catch.h"

namespace heed::lesson37 {
namespace {

TEST_CASE("what_we_know: a claim is read as it is written", "[lesson]") {
    const std::vector<WrittenClaim> claims = claims_in(R"source(
    // lesson.claim("in-a-comment", "no claim", x, at_least(1));
    lesson.claim("gain", "finding: \"a\", minus "
                 "(b)",
                  f({1, 2}, "x, y"), at_least(lesson.quick() ? 0.5 : 0.75));
    lesson.claim(fmt::format("{}", kind), "its name is made by the program", x, at_least(1));
    lesson->measured("rate", "only recorded", x);
    lesson->claim("lead", "compared with another number", x, less_than(other[2]));
    finding(lesson, subject, "kept", "a claim of one's own model", x, at_most(3));
)source");
    REQUIRE(claims.size() == 4);
    CHECK(claims[0].name == "gain");
    CHECK(claims[0].text.starts_with("finding: "));
    CHECK(claims[0].text.ends_with("(b)"));
    REQUIRE(claims[0].bar);
    CHECK(claims[0].bar->low == 0.75);
    CHECK_FALSE(claims[0].bar->holds(0.7));
    CHECK(claims[1].name == "lead");
    CHECK_FALSE(claims[1].bar);
    CHECK(claims[2].recorded);
    CHECK(claims[3].name == "kept");
    REQUIRE(claims[3].bar);
    CHECK(claims[3].bar->high == 3);
}

TEST_CASE("what_we_know: a sentence that points back to another one is left out", "[lesson]") {
    CHECK(stands_alone("Two groups cost 0.04, in 16 of 20 runs."));
    CHECK(stands_alone("Italian is learned with 19 of 20 seeds, and Butter with 3 of 20."));
    CHECK(stands_alone("share of words whose nearest word is of the same class"));
    CHECK_FALSE(stands_alone("It saves something in 8 of 20 runs."));
    CHECK_FALSE(stands_alone("But additive attention was ahead in 11 of 20 runs."));
    CHECK_FALSE(stands_alone("4 of 20 seeds need more than 150 steps for it."));
    CHECK_FALSE(stands_alone("In 18 of 20 runs it is behind the small network."));
    CHECK_FALSE(stands_alone("2 of 20 have no head with a score of 0.3."));
    CHECK_FALSE(stands_alone("the same minus that with 0.1"));
}

TEST_CASE("what_we_know: a bar is that of a full run", "[lesson]") {
    CHECK(bar_of("equals(804'096)")->high == 804096);
    CHECK(bar_of("lesson.quick() ? at_least(2) : between(2, 8)")->high == 8);
    CHECK(bar_of("at_most(quick ? 0.15 : 1e-3)")->high == 1e-3);
    CHECK_FALSE(bar_of("less_than(0)")->holds(0));
    CHECK(bar_of("is_true()")->holds(1));
    CHECK_FALSE(bar_of("at_least(bound)"));
    CHECK_FALSE(bar_of("at_least(tones ? 0.95 : 0.5)"));
    CHECK_FALSE(bar_of("expected"));
}

TEST_CASE("what_we_know: seeds beyond a bar, and rounding errors that are no spread", "[lesson]") {
    const MeasuredClaim gain{"x", {.name = "gain", .bar = course::at_least(0.5)}, {0.4, 0.5, 0.6}};
    CHECK(gain.varies());
    CHECK(gain.beyond() == 1);
    const MeasuredClaim same{"x", {.name = "same", .bar = course::at_most(1e-6)}, {1e-9, 0, 2e-9}};
    CHECK_FALSE(same.varies());
    const MeasuredClaim loss{"x", {.name = "loss", .bar = course::less_than(0)}, {-0.1, -0.2}};
    CHECK(loss.varies());
}

TEST_CASE("what_we_know: the course is counted, and its parts hang together", "[lesson]") {
    const Course course = what_is_kept();
    const PartOfCourse all = course.all();
    CHECK(all.lessons >= 41);
    CHECK(all.claims == static_cast<int>(course.claims.size()));
    int unread = 0;
    std::string which;
    for (const MeasuredClaim& claim : course.claims) {
        INFO(claim.lesson << "/" << claim.written.name);
        CHECK_FALSE(claim.seeds.empty());
        if (claim.varies() && !claim.written.bar)
            ++unread, which += claim.lesson + "/" + claim.written.name + " ";
        CHECK(claim.beyond() == 0);  // else its bar is wrong, or was not read as it is meant
    }
    // A new way to write a claim, which the lesson cannot read, is noticed.
    INFO(which);
    CHECK(unread <= 33);
    CHECK(course.statements.size() >= 15);
    for (const Statement& statement : course.statements) {
        INFO(statement.sentence);
        CHECK(statement.holds <= statement.seeds);
        CHECK(statement.sentence.find('{') == std::string::npos);
    }
    // Each part of the path but the first has an arrow from the one that it needs.
    const course::Diagram picture = road(course);
    CHECK(picture.boxes.size() >= 9);
    CHECK(picture.arrows.size() == picture.boxes.size() - 1);
    CHECK_FALSE(course::to_svg(picture).empty());
}

}  // namespace
}  // namespace heed::lesson37
