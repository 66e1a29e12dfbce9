// Numbers in a text: written as names of claims, read as what the kept runs measured.
#include <cmath>
#include <filesystem>
#include <regex>
#include <set>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/contents/woven.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/trial.h"

using namespace heed::course;

namespace {

// A course with the lessons trial and other, as far as a text needs it.
struct TwoLessons {
    const Scratch scratch;
    const WithHome home{scratch.path};
    TwoLessons() {
        std::filesystem::create_directories(scratch.path + "/lessons/97_other");
        std::filesystem::create_directories(scratch.path + "/lessons/98_trial");
        scratch.file(
            "lessons/98_trial/spread.json",
            "{\n\"quick\": {\"seeds\": 1, \"measured\": {\n\"exact\": [0.1]}},\n"
            "\"full\": {\"seeds\": 4, \"measured\": {\n\"exact\": [0.9512,0.9,0.9688,0.941],\n"
            "\"without\": [0.9,0.95,0.5,0.6],\n\"bytes\": [4195000.0,4195000.0,4195000.0,4195000.0],\n"
            "\"none\": [0,null,-0.0004,0]}}\n}\n");
        scratch.file("lessons/97_other/spread.json",
                     "{\n\"full\": {\"seeds\": 2, \"measured\": {\n\"exact\": [0.25,0.75]}}\n}\n");
    }
};

std::string read(const std::string& text, const Measured& own = {}) {
    return woven(text, "trial", own);
}

}  // namespace

TEST_CASE("woven: names are read as medians of the full runs", "[lesson]") {
    const TwoLessons two;
    CHECK(read("{exact} of them, {exact:2}, {exact:%} and {exact:% 1}") ==
          "0.946 of them, 0.95, 95 % and 94.6 %");
    CHECK(read("{exact:range}, {exact:range 2}, {exact:range %}") ==
          "0.9 to 0.969, 0.90 to 0.97, 90 % to 97 %");
    CHECK(read("{exact\n- without:2}") == "0.20");
    CHECK(read("{2 * (exact + 1) / 4:3} {bytes} {bytes / 1000000:1} {bytes:0} {-exact:1}") ==
          "0.973 4,195,000 4.2 4,195,000 -0.9");
    CHECK(read("{none:1} {0 * exact - 1234.56:1} {0 * exact - 0.4:1}") == "0.0 -1,234.6 -0.4");
    CHECK(read("{other/exact} {count exact > without} {count exact > without and exact > 0.96}") ==
          "0.5 3 of 4 1 of 4");
    CHECK(read("{if exact > without}\nWith attention. {no results} 0.5") == "With attention. 0.5");
    // Formulas, code and braces with a backslash are left as they are.
    CHECK(
        read(
            "$e^{exact}$, $$\\frac{a}{b}$$ `{exact}` \\{exact}\n\n    {1, 2}\n\n    {3}\n{exact:1}") ==
        "$e^{exact}$, $$\\frac{a}{b}$$ `{exact}` \\{exact}\n\n    {1, 2}\n\n    {3}\n0.9");
    CHECK(has_woven_numbers("$x_{1}$ and {exact:2}"));
    CHECK_FALSE(
        has_woven_numbers("$x_{1}$ {if exact > 1} {no results} {count exact > 1} lesson {scores}"));
}

TEST_CASE("woven: the reader's own number stands beside the kept one", "[lesson]") {
    const TwoLessons two;
    const Measured own{{"exact", 0.8}, {"without", 0.775}};
    CHECK(read("{exact:2} {exact:range 2}", own) ==
          "0.95 [(this run 0.80)](own:) 0.90 to 0.97 [(this run 0.80)](own:)");
    CHECK(read("{without:2} {exact - without:2}", own) ==
          "0.75 [(this run 0.78)](own:) 0.20 [(this run 0.03)](own:)");
    CHECK(read("{bytes:0} {exact:0}", own) == "4,195,000 1");  // not measured; the same in the text
    for (const char* text : {"{new}", "{new:0}", "{new:range}"})
        CHECK(read(text, {{"new", 2}}) == "(new: not measured) [(this run 2)](own:)");
    CHECK(read("{new:1} {new:% 2}") == "(new: not measured) (new: not measured)");
    CHECK(prose_html("{exact:2}") == "<p>{exact:2}</p>\n");  // weaving comes before Markdown
    CHECK(prose_html(read("{exact:2}.", own)) ==
          "<p>0.95 <small class=\"this-run\">(this run 0.80)</small>.</p>\n");
    CHECK(prose_html(read("{exact:%} of", own)) ==
          "<p>95\u00A0% <small class=\"this-run\">(this run 80\u00A0%)</small> of</p>\n");
    Screen screen;
    screen.width = 60;
    CHECK(prose_blocks(read("{exact:2}.", own), screen) ==
          std::vector<std::string>{"0.95 (this run 0.80).\n"});
}

TEST_CASE("woven: what is not so is found", "[lesson]") {
    const TwoLessons two;
    const auto faults = [](const std::string& text) { return faults_in(text, "trial"); };
    using Faults = std::vector<std::string>;
    CHECK(
        faults(
            "{exact} {if exact > without + 0.1} {if 1 > exact > without and exact < 2} {no results}") ==
        Faults{});
    CHECK(faults("{if all exact > without}") ==
          Faults{"{if all exact > without}: this does not hold with the kept seeds"});
    CHECK(faults("{if all exact > 0.89}") == Faults{});
    CHECK(faults("{if exact > without + 0.3}") ==
          Faults{"{if exact > without + 0.3}: this does not hold with the kept seeds"});
    for (const char* text :
         {"{new}", "{if new > 0}", "{if all new > 0}", "{count new > 0}", "{new:range}"})
        CHECK(faults(text) ==
              Faults{
                  fmt::format("{}: there are no full runs of a claim 'new' in spread.json", text)});
    for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
             {"{exact", "{exact: there is no } to this {"},
             {"{1}", "{1}: names no claim; \\{ is a brace of the text"},
             {"{2, 3}", "{2, 3}: names no claim; \\{ is a brace of the text"},
             {"{}", "{}: expected a name or a number at the end"},
             {"{exact:x}",
              "{exact:x}: expected %, range or a number of digits after the colon, found 'x'"},
             {"{exact without}",
              "{exact without}: expected the end or + - * / between spaces, found 'without'"},
             {"{(exact}", "{(exact}: expected ), found ''"},
             {"{Exact}", "{Exact}: expected the name of a claim, a number or (, found 'Exact'"},
             {"{count exact}", "{exact}: expected < or >, found ''"},
             {"{count exact > other/exact}",
              "{count exact > other/exact}: 'other/exact' has 2 seeds, and the claim before it 4"},
             {"{nowhere/exact}",
              "{nowhere/exact}: the course has no lesson of the name before the /"}})
        CHECK(error_of([&, &text = text] { read(text); }) == error);
}

TEST_CASE("kept seeds: a damaged file is refused with its line", "[lesson][errors]") {
    const Scratch scratch;
    const auto error = [&](const std::string& text) {
        const std::string path = scratch.file("spread.json", text);
        const std::string all = error_of([&] { kept_seeds(path, false); });
        return all.starts_with(path + ": line ") ? all.substr(path.size() + 7) : all;
    };
    const std::string begin = "{\n\"full\": {\"measured\": {\n";
    CHECK(error("{\n}\n") == "no error");
    CHECK(error("{\n\"full\": {\"measured\": {}}\n}\n") == "no error");
    CHECK(error(begin + "\"ab\": [1,null]}}\n}\n") == "no error");
    CHECK(error("[]\n") == "1: expected {");
    CHECK(error("{\n\"half\": {\"measured\": {\n") == "2: expected \"quick\", \"full\" or }");
    CHECK(error("{\n\"full\": {}\n") == "2: expected \"measured\": { at its end");
    CHECK(error(begin + "\"ab\": 1}}\n}\n") == "3: expected \"name-of-a-claim\": [numbers]");
    CHECK(error(begin + "\"ab\": [1,x]}}\n}\n") == "3: expected numbers or null between [ and ]");
    CHECK(error(begin + "\"ab\": [1]\n}\n") == "3: expected a comma or }} after ]");
    CHECK(error(begin + "\"ab\": [1]}}\n") == "3: expected } at the end of the file");
    CHECK(error("{\n}\n}\n") == "3: expected nothing after }");
    CHECK(std::isnan(median({})));
    CHECK(median({3, NAN, 1}) == 2);
}

TEST_CASE("woven: a run shows its own numbers in the report, and a quick run says that it is one",
          "[lesson]") {
    const TwoLessons two;
    two.scratch.file(
        "lessons/98_trial/lesson.cpp",
        "//! # Title\n//!\n//! In the end {exact:2} of them.\n\nint f();\n\n"
        "//! ## What this does not show\n//!\n//! More than {exact:1}.\nint main() {}\n");
    for (const bool quick : {false, true}) {
        Captured captured(two.scratch.path);
        Lesson lesson(about());
        std::vector<std::string> words{"--out", two.scratch.path + "/out"};
        if (quick) words.push_back("--quick");
        CHECK(run(lesson, words, [&] {
                  lesson.claim("exact", "exact sentences", 0.8, at_least(0.5));
                  lesson.measured("other", "another number", 7);
              }) == 0);
        const std::string page = heed::read_file(two.scratch.path + "/out/report.html"),
                          note = "The numbers in the text are the medians of 4 full runs.",
                          taste = "This is a quick run: a taste";
        const std::string own = quick ? "<small class=\"this-run\">(this quick run 0.8"
                                      : "<small class=\"this-run\">(this run 0.8";
        CHECK(page.find("<p>In the end 0.95 " + own + "0)</small> of them.</p>") !=
              std::string::npos);
        CHECK(page.find("<p>More than 0.9 " + own + ")</small>.</p>") != std::string::npos);
        CHECK(page.find(note) != std::string::npos);
        CHECK((page.find(taste) != std::string::npos) == quick);
        const std::string out = captured.out();
        CHECK((out.find("│ " + taste) != std::string::npos) == quick);
        CHECK(out.find("· another number: 7\n") != std::string::npos);
        CHECK(out.find("1 of 1 claims hold") != std::string::npos);
    }
}

TEST_CASE("woven: the numbers and conditions of every lesson hold", "[lesson][house]") {
    for (const ListedLesson& lesson : course_lessons(HEED_SOURCE_DIR)) {
        const std::string source =
            heed::read_file(HEED_SOURCE_DIR "/lessons/" + lesson.folder + "/lesson.cpp");
        for (const Passage& passage : passages_of(source, lesson.name())) {
            INFO(lesson.folder << ", above line " << passage.code_line);
            CHECK(faults_in(passage.written, lesson.name()) == std::vector<std::string>{});
        }
    }
}

// A sentence is only as true as its condition, and a quick run may break it.
TEST_CASE("woven: where a quick run breaks a condition, the sentence speaks of a full run",
          "[lesson]") {
    const TwoLessons two;
    const auto after_quick = [](const std::string& text, const Measured& own, bool quick = true) {
        return woven(text, "trial", own, quick);
    };
    const std::string text = "All {if all exact > 0.89}\nare near.";
    CHECK(after_quick(text, {{"exact", 0.95}}) == "All are near.");
    CHECK(after_quick(text, {{"exact", 0.4}}) == "All *(full run)* are near.");
    CHECK(after_quick(text, {{"exact", 0.4}}, false) == "All are near.");
    // What it has not measured it does not show.
    CHECK(after_quick(text, {{"without", 0.4}}) == "All *(full run)* are near.");
    CHECK(after_quick("{if exact > without} A.", {{"exact", 0.4}}) == "*(full run)* A.");
    // A mark holds to the end of its paragraph.
    CHECK(after_quick("{full run} {if exact > 0.8} A. {if exact > 0.7} B.\n\n{if exact > 0.8} C.",
                      {{"exact", 0.4}}) == "*(full run)* A. B.\n\n*(full run)* C.");
    // Not every full stop ends a sentence.
    CHECK(after_quick("So. As Bahdanau et al. (2015) saw, it has {exact:1}.", {}) ==
          "So. *(full run)* As Bahdanau et al. (2015) saw, it has 0.9.");
}

// In a quick run no number of a full run stands without a word: the own number is beside it, or the sentence has the mark.
TEST_CASE("woven: in a quick run each number has the reader's own beside it, or a mark",
          "[lesson]") {
    const TwoLessons two;
    const auto after_quick = [](const std::string& text, const Measured& own) {
        return woven(text, "trial", own, true);
    };
    const std::string mark = "*(full run)* ";
    CHECK(after_quick("So. It has {exact:1} of 0.5. Good.", {}) ==
          "So. " + mark + "It has 0.9 of 0.5. Good.");
    CHECK(after_quick("It has {exact:1} (and {without:1}), or {exact:1}.", {}) ==
          mark + "It has 0.9 (and 0.8), or 0.9.");
    CHECK(after_quick("It has {exact:1}.", {{"exact", 0.1}}) ==
          "It has 0.9 [(this quick run 0.1)](own:).");
    CHECK(after_quick("1. It has {exact:1}\n   or more.\n2. A.\n- B {exact:1}\n", {}) ==
          "1. " + mark + "It has 0.9\n   or more.\n2. A.\n- " + mark + "B 0.9\n");
    CHECK(after_quick("A.\n\n| a | {exact:1} |\n", {}) == "A.\n\n| a |" + mark + " 0.9 |\n");
    CHECK(woven("It has {exact:1}.", "trial", {}, false) == "It has 0.9.");
}

// A guess is worth nothing behind its answer. So no number stands above a question that the lesson measures only
// after it, and questions that main() asks come after the introduction alone.
TEST_CASE("woven: no text above a question gives a number that is measured below it",
          "[lesson][house]") {
    const std::set<std::string> answers_no_question{"found", "beyond-own-bar", "unknown-words"};
    const std::regex asks("lesson\\.predict\\("),
        records("lesson\\.(claim|measured)\\(\\s*\"([a-z0-9-]+)\""), braces("\\{[^}]*\\}"),
        names("[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z0-9-]+)?");
    const auto matches = [](const std::string& text, const std::regex& pattern) {
        return std::vector<std::smatch>(std::sregex_iterator(text.begin(), text.end(), pattern),
                                        std::sregex_iterator());
    };
    std::set<std::string> excused;
    int questions = 0;
    for (const ListedLesson& lesson : course_lessons(HEED_SOURCE_DIR)) {
        const std::string source =
            heed::read_file(HEED_SOURCE_DIR "/lessons/" + lesson.folder + "/lesson.cpp");
        const std::size_t closing = source.find("//! ## What this does not show");
        const std::vector<std::smatch> recorded = matches(source, records);
        for (const std::smatch& question : matches(source, asks)) {
            const auto at = static_cast<std::size_t>(question.position());
            const bool in_main = at > closing;
            const auto line =
                std::count(source.begin(), source.begin() + question.position(), '\n') + 1;
            ++questions;
            std::set<std::string> below;
            for (const std::smatch& claim : recorded)
                if (in_main || static_cast<std::size_t>(claim.position()) > at)
                    below.insert(claim[2]);
            for (const Passage& passage : passages_of(source, lesson.name())) {
                if (in_main ? !passage.section.empty() : passage.code_line > line) continue;
                for (const std::smatch& brace : matches(passage.written, braces)) {
                    const std::string said = brace.str();
                    for (const std::smatch& name : matches(said, names)) {
                        INFO(lesson.folder << ", line " << line << ": " << said);
                        if (answers_no_question.count(name.str()) > 0)
                            excused.insert(name.str());
                        else
                            CHECK(below.count(name.str()) == 0);
                    }
                }
            }
        }
    }
    CHECK(questions >= 80);
    CHECK(excused == answers_no_question);
}

// What the text says of a table or a figure must be there to see. A claim that only full runs make shows which
// sentences speak of what a quick run leaves out.
TEST_CASE("woven: what only a full run shows is said to be so", "[lesson][house]") {
    const std::regex points("\\b(tables?|rows?|columns?|figures?|plots?|curves?|maps?)\\b");
    const std::regex names("[a-z][a-z0-9]*(-[a-z0-9]+)+|[a-z][a-z0-9]+");
    int marked = 0;
    for (const ListedLesson& lesson : course_lessons(HEED_SOURCE_DIR)) {
        const std::string folder = HEED_SOURCE_DIR "/lessons/" + lesson.folder;
        const KeptSeeds full = kept_seeds(folder + "/spread.json", false),
                        quick = kept_seeds(folder + "/spread.json", true);
        for (const Passage& passage :
             passages_of(heed::read_file(folder + "/lesson.cpp"), lesson.name())) {
            if (passage.section == "Summary") continue;
            for (std::string_view rest = passage.written; !rest.empty();) {
                const std::size_t end = std::min(rest.find("\n\n"), rest.size());
                const std::string paragraph(rest.substr(0, end));
                rest.remove_prefix(std::min(end + 2, rest.size()));
                const bool says_so = paragraph.find("{full run}") != std::string::npos;
                marked += says_so;
                std::string bare, braces;
                for (std::size_t at = 0, depth = 0; at < paragraph.size(); ++at) {
                    depth += paragraph[at] == '{';
                    (depth > 0 ? braces : bare) += paragraph[at];
                    depth -= paragraph[at] == '}' && depth > 0;
                }
                if (!std::regex_search(bare, points)) continue;
                for (std::sregex_iterator name(braces.begin(), braces.end(), names), none;
                     name != none; ++name) {
                    INFO(lesson.folder << ": " << name->str() << " in: " << paragraph);
                    CHECK((says_so || full.count(name->str()) == 0 || quick.empty() ||
                           quick.count(name->str()) > 0));
                }
            }
        }
    }
    CHECK(marked >= 30);
    const TwoLessons two;
    CHECK(read("{full run} The row says 0.9.") == "The row says 0.9.");
    CHECK(woven("So. {full run}\nThe row says {exact:1}.", "trial", {}, true) ==
          "So. *(full run)* The row says 0.9.");
    CHECK_FALSE(has_woven_numbers("{full run} The row"));
}

TEST_CASE("woven: the numbers and conditions of a new lesson hold", "[lesson][house]") {
    const std::string skeleton = HEED_SOURCE_DIR "/lessons/heed/skeleton/";
    const Scratch scratch;
    const WithHome home(scratch.path);
    std::filesystem::create_directories(scratch.path + "/lessons/31_circuits");
    scratch.file("lessons/31_circuits/spread.json", heed::read_file(skeleton + "spread.json.txt"));
    int woven_ones = 0;
    for (const Passage& passage :
         passages_of(heed::read_file(skeleton + "lesson.cpp.txt"), "circuits")) {
        INFO(passage.text);
        CHECK(faults_in(passage.written, "circuits") == std::vector<std::string>{});
        woven_ones += has_woven_numbers(passage.written);
    }
    CHECK(woven_ones == 1);
}
