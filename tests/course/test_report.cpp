// The page of a run.
#include <string>

#include "lessons/course/report/report.h"
#include "tests/catch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;

namespace {

std::string page_of(const std::string& code) {
    Passage passage;
    passage.code = code;
    return passage_html(passage);
}

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

TEST_CASE("report: a question stands where it is asked, with its answer folded", "[lesson]") {
    Report report;
    report.paragraph("Before.");
    report.question(0), report.question(0);
    report.paragraph("Behind.");
    Question question;
    question.text = "What share?";
    CHECK(report.html({}, {question}, {}).find("This run does not show it.") != std::string::npos);
    reveal(question, 0.982);
    const std::string html = report.html({}, {question}, {});
    const std::string folded =
        "<p>Before.</p>\n<details class=\"guess\">\n<summary><b>Guess.</b> What share?</summary>\n"
        "<p><strong>0.982</strong></p>\n</details>\n<p>Behind.</p>";
    CHECK(html.find(folded) != std::string::npos);
    CHECK(well_formed::fault(html) == "");
}

TEST_CASE("report: the code of an idea is open, what only runs and shows it is folded",
          "[lesson]") {
    const std::string idea = "int twice(int x) {\n    const int y = 2;\n\n    return y * x;\n}\n",
                      shows = "void show(Lesson& lesson) {\n    lesson.say(twice(2));\n}\n",
                      open = "<details class=\"code\" open=\"\">\n<summary>The code, 5 lines",
                      folded = "<details class=\"code\">\n<summary>The code, 3 lines";
    const std::string html = page_of(idea + "\n" + shows + "\n");
    CHECK(html.find(open) < html.find(folded));
    CHECK(html.find(folded) != std::string::npos);
    CHECK(page_of("void f(Lesson& lesson) { g(lesson); }\n").find("open=") == std::string::npos);
    CHECK(page_of(shows + "\n" + shows).find("<summary>The code, 7 lines") != std::string::npos);
    CHECK(page_of("constexpr int width = 64;\n").find("open=") == std::string::npos);
    CHECK(page_of("constexpr int width = 64;\n" + idea).find("open=") != std::string::npos);
}
