// The text of the lessons, from the source to the reader: passages, the order in which they are told,
// the text in a run, and the texts of all lessons.
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/base/input_file.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/course.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/story.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/trial.h"
#include "tests/course/well_formed.h"

using namespace heed::course;
namespace fs = std::filesystem;

namespace {

const char* const trial_source =
    "//! # Title\n"                                     // 1
    "//!\n"                                             // 2
    "//! Introduction, with $x_1$.\n"                   // 3
    "\n"                                                // 4
    "#include <cmath>\n"                                // 5
    "\n"                                                // 6
    "//! ## First\n"                                    // 7
    "//!\n"                                             // 8
    "//! About f.\n"                                    // 9
    "void f(Lesson& lesson) {\n"                        // 10
    "    lesson.claim(\"ff\", \"f\", 1, is_true());\n"  // 11
    "    //! More about f.\n"                           // 12
    "    lesson.claim(\"gg\", \"g\", 1, is_true());\n"  // 13
    "}\n"                                               // 14
    "\n"                                                // 15
    "//! ## Second <part>\n"                            // 16
    "//!\n"                                             // 17
    "//! About g.\n"                                    // 18
    "void g();\n"                                       // 19
    "\n"                                                // 20
    "//! ## What this does not show\n"                  // 21
    "//! A lot.\n"                                      // 22
    "//! ## Try this next\n"                            // 23
    "//! Another seed.\n"                               // 24
    "int main() {}\n";                                  // 25

std::vector<std::string> sections_of(const std::vector<Passage>& passages) {
    std::vector<std::string> titles;
    for (const Passage& passage : passages) titles.push_back(passage.section);
    return titles;
}

// A line of a lesson, as Where has it.
#line 11 "lessons/98_trial/lesson.cpp"
Where line_11() { return Where::current(); }
#line 13 "lessons/98_trial/lesson.cpp"
Where line_13() { return Where::current(); }
#line 30 "lessons/98_trial/lesson.cpp"
Where line_30() { return Where::current(); }
#line 31 "lessons/98_trial/lesson.cpp"
void heading_in_main(Lesson& lesson) { lesson.heading("First"); }
#line 200 "tests/course/test_lesson_text.cpp"
Where other_file() { return Where::current(); }

std::vector<fs::path> lesson_sources() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons"))
        if (fs::exists(entry.path() / "lesson.cpp") && entry.path().filename() != "course")
            files.push_back(entry.path() / "lesson.cpp");
    std::sort(files.begin(), files.end());
    return files;
}

// Of lessons/10_scores/lesson.cpp: scores.
std::string name_of_lesson(const fs::path& source) {
    const std::string folder = source.parent_path().filename().string();
    return folder.substr(folder.find('_') + 1);
}

// What is left of an HTML page without code, tags and attributes.
std::string visible(std::string html) {
    for (const char* tag : {"code", "pre"})
        for (std::size_t at; (at = html.find(std::string("<") + tag)) != std::string::npos;)
            html.erase(at, html.find(std::string("</") + tag + ">", at) + 6 - at);
    return html;
}

}  // namespace

TEST_CASE("text: a source as passages", "[lesson]") {
    const std::vector<Passage> all = passages_of(trial_source, "trial");
    CHECK(sections_of(all) == std::vector<std::string>{"", "First", "First", "Second <part>",
                                                       "What this does not show", "Try this next"});
    REQUIRE(all.size() == 6);
    CHECK(all[0].text == "Introduction, with $x_1$.\n");
    CHECK(all[0].code.empty());
    CHECK(all[1].first);
    CHECK(all[1].text == "About f.\n");
    CHECK(all[1].code ==
          "void f(Lesson& lesson) {\n    lesson.claim(\"ff\", \"f\", 1, is_true());\n");
    CHECK(all[1].code_line == 10);
    CHECK_FALSE(all[2].first);
    CHECK(all[2].text == "More about f.\n");
    CHECK_FALSE(all[3].closing);
    CHECK(all[4].closing);
    CHECK(all[5].closing);
    CHECK(all[5].code.empty());
    CHECK(passages_of("int main() {}\n", "trial").empty());
}

TEST_CASE("text: a definition is found with its comment, and a declaration is none", "[lesson]") {
    const std::string source =
        "// --- training ---\n\n// Once.\nint train(int x);\n\nint retrain(int x) {\n}\n\n"
        "// A comment\n// of two lines.\ntemplate <class T>\nint train(int x,\n          int y) {\n"
        "    return x;\n}\n";
    CHECK(
        definition_in(source, "train") ==
        "// A comment\n// of two lines.\ntemplate <class T>\nint train(int x,\n          int y) {\n"
        "    return x;\n}\n");
    CHECK(definition_in(source, "retrain") == "int retrain(int x) {\n}\n");
    CHECK(definition_in(source, "rain").empty());
    CHECK(definition_in("", "train").empty());
}

// If a function is renamed or moved, this test names the lesson that shows it.
TEST_CASE("text: every function that a lesson shows of another file is there", "[lesson][house]") {
    int shown = 0;
    for (const ListedLesson& lesson : course_lessons(HEED_SOURCE_DIR)) {
        const std::string source =
            heed::read_file(HEED_SOURCE_DIR "/lessons/" + lesson.folder + "/lesson.cpp");
        std::string code;
        for (const Passage& passage : passages_of(source, lesson.name())) code += passage.code;
        for (std::size_t at = 0; (at = source.find("//! {code ", at)) != std::string::npos;) {
            std::istringstream words(source.substr(at += 10, 200));
            std::string file, function;
            words >> file >> function;
            function.resize(function.find('}'));
            INFO(lesson.folder << ": " << file << " " << function);
            CHECK(code.find("// " + file + "\n") != std::string::npos);
            CHECK(code.find(function + "(") != std::string::npos);
            ++shown;
        }
    }
    CHECK(shown > 10);
}

TEST_CASE("text: the idea of a code is what does more than run the experiment", "[lesson]") {
    const std::string idea = "double f(double x) {\n\n    return x;\n}\n",
                      runs = "void run(Lesson& lesson) {\n    lesson.claim(f(1));\n}\n";
    CHECK(declarations_in(idea + "\n" + runs) == std::vector<std::string>{idea + "\n", runs});
    CHECK(idea_of(idea + "\n" + runs) == idea);
    CHECK(idea_of(runs + "\n" + idea) == idea);
    CHECK(idea_of(runs).empty());
    CHECK(idea_of("").empty());
}

TEST_CASE("text: what stands above a line is told before it, once and in order", "[lesson]") {
    Story story(passages_of(trial_source, "trial"));
    CHECK(sections_of(story.introduction()) == std::vector<std::string>{""});
    CHECK(story.above(other_file()).empty());
    CHECK(sections_of(story.above(line_11())) == std::vector<std::string>{"First"});
    CHECK(story.above(line_11()).empty());
    CHECK(story.above(line_13()).size() == 1);
    CHECK(story.up_to("No such section").empty());
    CHECK_FALSE(story.in_main(line_13()));
    CHECK(story.in_main(line_30()));
    CHECK(sections_of(story.above(line_30())) == std::vector<std::string>{"Second <part>"});
    CHECK(sections_of(story.rest()) ==
          std::vector<std::string>{"What this does not show", "Try this next"});
    CHECK(story.rest().empty());

    Story named(passages_of(trial_source, "trial"));
    CHECK(named.up_to("Second <part>").size() == 4);  // with all that comes before it
    CHECK(named.up_to("First").empty());              // it was told already

    // A section that the code names waits for its name.
    std::string with_name = trial_source;
    with_name.replace(with_name.find("void g();"), 9,
                      "void g() { lesson.heading(\"Second <part>\"); }");
    Story waiting(passages_of(with_name, "trial"));
    CHECK(waiting.above(line_30()).size() == 3);
    CHECK(waiting.up_to("Second <part>").size() == 1);
}

TEST_CASE("text: a run has it in the report, between its results, and not in a pipe", "[lesson]") {
    const Scratch scratch;
    fs::create_directories(scratch.path + "/lessons/98_trial");
    scratch.file("lessons/98_trial/lesson.cpp", trial_source);
    const WithHome home(scratch.path);
    Captured captured(scratch.path);
    Lesson lesson(about());
    CHECK(run(lesson, {"--out", scratch.path + "/out"}, [&] {
              lesson.claim("claim-f", "claim f", 1, is_true(), line_11());
              lesson.claim("claim-g", "claim g", 1, is_true(), line_13());
              lesson.heading("Second <part>");
              lesson.heading("A heading of its own");
              lesson.claim("claim-h", "claim h", 1, is_true());
          }) == 0);
    const std::string page = heed::read_file(scratch.path + "/out/report.html");
    CHECK(well_formed::fault(page) == "");
    std::size_t at = 0;
    for (const char* part :
         {"<p>Introduction, with <span class=\"tied\"><math>", "<h2 id=\"first\">First</h2>",
          "<p>About f.</p>", "<summary>The code, 2 lines</summary>", "claim f",
          "<p>More about f.</p>", "claim g", "<h2 id=\"second-part\">Second &lt;part&gt;</h2>",
          "<p>About g.</p>", "<h3>A heading of its own</h3>", "claim h",
          "What this does not show</h2>", "A lot.", "Try this next</h2>", "Another seed.",
          "Claims and measurements"}) {
        INFO(part);
        const std::size_t found = page.find(part, at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
    CHECK(well_formed::occurrences(page, "About g.") == 1);
    CHECK(well_formed::occurrences(page, "Second &lt;part&gt;</h2>") == 1);

    const std::string out = captured.out();
    CHECK(out.find("About f.") == std::string::npos);
    CHECK(out.find("Second <part>\n\nA heading of its own\n") != std::string::npos);
}

TEST_CASE("text: a heading in main() and a call of another file's function tell what is above them",
          "[lesson]") {
    const Scratch scratch;
    fs::create_directories(scratch.path + "/lessons/98_trial");
    scratch.file("lessons/98_trial/lesson.cpp", trial_source);
    const WithHome home(scratch.path);
    Captured captured(scratch.path);
    Lesson lesson(about());
    CHECK(run(lesson, {"--out", scratch.path + "/out"}, [&] {
              heading_in_main(lesson);  // its first passage, and not the next one
              lesson.claim("claim-f", "claim f", 1, is_true(), other_file());
              const AtCall call(lesson, line_13());  // all above line 13, before its result
              call->claim("claim-g", "claim g", 1, is_true(), other_file());
              AtCall(lesson, line_30())->claim("claim-h", "claim h", 1, is_true(), other_file());
          }) == 0);
    const std::string page = heed::read_file(scratch.path + "/out/report.html");
    std::size_t at = 0;
    for (const char* part :
         {"<p>About f.</p>", "claim f", "<p>More about f.</p>", "claim g", "claim h",
          "<p>About g.</p>"}) {  // a call in main() has no text above it
        INFO(part);
        const std::size_t found = page.find(part, at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
}

TEST_CASE("text: of every lesson, on terminals and pages", "[lesson]") {
    for (const fs::path& file : lesson_sources()) {
        INFO(file);
        const std::vector<Passage> passages =
            passages_of(heed::read_file(file.string()), name_of_lesson(file));
        REQUIRE(passages.size() >= 4);
        CHECK(passages[0].section.empty());
        CHECK(std::any_of(passages.begin(), passages.end(),
                          [](const Passage& p) { return p.closing; }));
        int words = 0;
        for (const Passage& passage : passages) {
            INFO(passage.section << ": " << passage.text.substr(0, 60));
            words += words_in(passage.text);
            // A terminal cannot show a figure that can be changed, so no sentence may wait for one.
            CHECK(passage.text.find(":\n\n![") == std::string::npos);
            // Every $ is part of a formula, and every formula can be converted.
            const std::string html = prose_html(passage.text);
            CHECK(well_formed::fault(html) == "");
            CHECK(visible(html).find_first_of("$\\") == std::string::npos);
            CHECK(visible(html).find("**") == std::string::npos);
            CHECK_FALSE(
                std::regex_search(visible(html), std::regex("\\{[a-z][a-z-]+")));  // not woven
            for (int width : {38, 80, 130}) {
                Screen screen;
                screen.width = width;
                for (const std::string& block : prose_blocks(passage.text, screen)) {
                    INFO(block);
                    CHECK(block.find('$') == std::string::npos);
                    for (std::size_t at = 0; at < block.size(); at = block.find('\n', at) + 1)
                        CHECK(display_width(block.substr(at, block.find('\n', at) - at)) <= width);
                }
            }
        }
        CHECK(words > 300);
    }
}
