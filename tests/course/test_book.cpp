// ./heed book: the pages are well formed, need no network, and all links lead somewhere.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "autograd/base/input_file.h"
#include "lessons/course/book/book.h"
#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/book/glossary.h"
#include "lessons/course/book/index_page.h"
#include "lessons/course/book/kept_results.h"
#include "lessons/course/book/lesson_body.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/course.h"
#include "lessons/course/exercise/exercise.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;
namespace fs = std::filesystem;

TEST_CASE("book: all pages of the course", "[lesson]") {
    const Scratch scratch;
    const BookFolders folders{HEED_SOURCE_DIR, scratch.path + "/runs", scratch.path + "/book"};
    const std::vector<std::string> pages = write_book(folders);
    const std::set<std::string> names(pages.begin(), pages.end());
    CHECK(names.size() == pages.size());
    CHECK(pages.back() == "index.html");
    CHECK(names.contains("10_scores.html"));
    CHECK(names.contains("source_autograd_tensor.html"));

    std::set<std::string> linked;
    for (const std::string& name : pages) {
        const std::string page = heed::read_file(folders.out + "/" + name);
        INFO(name);
        CHECK(well_formed::fault(page) == "");
        for (const char* loads : {"<link", "@import", "src=\""})
            CHECK(well_formed::occurrences(page, loads) == 0);
        CHECK(well_formed::occurrences(page, "url(") ==
              well_formed::occurrences(page, "url(data:"));
        for (const std::string& link : well_formed::values_of(page, "href")) {
            INFO(link);
            const std::string file = link.starts_with('#') ? name : link.substr(0, link.find('#'));
            CHECK(names.contains(file));
            if (const std::size_t mark = link.find('#'); mark != std::string::npos)
                CHECK(heed::read_file(folders.out + "/" + file)
                          .find("id=\"" + link.substr(mark + 1) + "\"") != std::string::npos);
            if (name == "index.html") linked.insert(file);
        }
    }
    linked.insert("index.html");
    CHECK(linked == names);  // every page is in the contents
    const std::string index = heed::read_file(folders.out + "/index.html");
    const std::size_t parts = course_parts(HEED_SOURCE_DIR).size(),
                      lessons = course_lessons(HEED_SOURCE_DIR).size();
    const auto count = [&](std::string_view part) {
        return static_cast<std::size_t>(well_formed::occurrences(index, part));
    };
    CHECK(count("<h3 id=\"part-") == parts);
    CHECK(count(" min to read") == lessons + 1);  // of each, and where to begin
    CHECK(count("<figure>") == 2);
    CHECK(count("From our run of") == 2);  // there are no runs of the reader
    // "Begin here", or "Go on here" for a reader who has records in this tree.
    CHECK(index.find("<p class=\"begin\">") < index.find("id=\"lessons\""));
    CHECK(index.find("id=\"lessons\"") < index.find("<figure>"));

    // Every page knows its place, and has a list of its sections.
    const std::string lesson = heed::read_file(folders.out + "/10_scores.html");
    for (const std::string& part :
         {std::string("Lesson 10 <i>·</i> <a href=\"index.html#part-3\">part III, "),
          std::string("<li><a href=\"#summary\">Summary</a></li>"),
          std::string("rel=\"prev\" title=\"What attention weights are\""),
          std::string("class=\"home\" href=\"index.html\"")}) {
        INFO(part);
        CHECK(lesson.find(part) != std::string::npos);
    }
    const std::string workshop = heed::read_file(folders.out + "/w8_clipping.html");
    CHECK(workshop.find("\">Workshop W8</a>") != std::string::npos);  // and not its part, too
    CHECK(workshop.find("You have not run this workshop yet") != std::string::npos);
    const std::string chapter = heed::read_file(folders.out + "/source_autograd_tensor.html");
    CHECK(chapter.find(
              "<dt><a href=\"#tensor-h\">tensor.h</a> <a href=\"#tensor-cpp\">tensor.cpp</a>") !=
          std::string::npos);

    // The search leads to places that are there.
    const std::string script = heed::read_file(folders.out + "/search.js");
    REQUIRE(script.starts_with("window.heed_search("));
    const auto rows = nlohmann::json::parse(script.substr(19, script.rfind(')') - 19));
    CHECK(rows.size() > 600);
    std::map<std::string, std::set<std::string>> found_by;  // other names: addresses
    for (const auto& row : rows) {
        REQUIRE(row.size() == 5);
        for (const auto& name : row[4]) found_by[name].insert(std::string(row[0]));
        const std::string address = row[0], file = address.substr(0, address.find('#'));
        INFO(address);
        REQUIRE(names.contains(file));
        if (file.size() == address.size()) continue;
        CHECK(heed::read_file(folders.out + "/" + file)
                  .find("id=\"" + address.substr(file.size() + 1) + "\"") != std::string::npos);
    }

    // It knows what the course calls otherwise: each name of the list leads to where the thing is explained.
    for (const auto& [what, also] : other_names(HEED_SOURCE_DIR))
        for (const std::string& name : also) {
            INFO(what << " = " << name);
            CHECK(found_by[name].size() > 0);
        }
    for (const auto& [name, address] :
         {std::pair("RoPE", "glossary.html#term-rotary-positions"),
          std::pair("RoPE", "20_positions.html#rotary-positions"),
          std::pair("MoE", "34_experts.html#two-of-four"),
          std::pair("Mamba", "33_states.html#a-state-that-decides"),
          std::pair("seq2seq", "08_bottleneck.html#an-encoder-a-decoder-and-one-vector"),
          std::pair("CTC", "27_speech.html#exercise-27-5")}) {
        INFO(name << ": " << address);
        CHECK(found_by[name].contains(address));
    }
    CHECK(heed::read_file(folders.out + "/glossary.html")
              .find("<strong>Rotary positions</strong>, also RoPE, rotary embedding</dt>") !=
          std::string::npos);

    // Every exercise is on the page of its lesson, with three hints and the solution, and in the list.
    const std::string list = heed::read_file(folders.out + "/exercises.html");
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR)) {
        INFO(exercise.id());
        const std::string anchor = anchor_of_exercise(exercise);
        CHECK(list.find("#" + anchor + "\"") != std::string::npos);
        const auto page_of_lesson = std::find_if(pages.begin(), pages.end(), [&](const auto& name) {
            return name.starts_with(exercise.lesson.file() + "_");
        });
        REQUIRE(page_of_lesson != pages.end());
        const std::string page = heed::read_file(folders.out + "/" + *page_of_lesson);
        const std::size_t at = page.find("id=\"" + anchor + "\"");
        REQUIRE(at != std::string::npos);
        const std::string own = page.substr(at, page.find("<h3", at) - at);
        CHECK(own.find("./heed exercise " + exercise.id()) != std::string::npos);
        CHECK(own.find("not_written") != std::string::npos);
        CHECK(well_formed::occurrences(own, "<summary>Hint") == 3);
        CHECK(own.find("One way to write it") != std::string::npos);
    }

    // Every source file of the libraries is in a chapter.
    std::string chapters;
    for (const std::string& name : pages)
        if (name.starts_with("source_")) chapters += heed::read_file(folders.out + "/" + name);
    for (const char* library : {"autograd", "nn", "attention"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / library)) {
            const std::string path = fs::relative(entry.path(), HEED_SOURCE_DIR).string();
            if (!path.ends_with(".h") && !path.ends_with(".cpp")) continue;
            INFO(path);
            CHECK(chapters.find(">" + path + "</h2>") != std::string::npos);
        }
}

TEST_CASE("book: one lesson, with the results of a run where its text is the same", "[lesson]") {
    const Scratch scratch;
    const WithHome home(scratch.path);
    fs::create_directories(scratch.path + "/lessons/07_small");
    const std::string source =
        "//! # Small\n//! Begin.\nint x;\n//! ## Part\n//! Text.\nint y;\n"
        "//! ## What this does not show\n//! Much. Of them {exact}.\n";
    scratch.file("lessons/07_small/lesson.cpp", source);
    const std::string report =
        "<p class=\"facts\">Full run</p>\n<!-- passage 1 -->\nan older text\n<!-- results -->\n"
        "<p>first result</p>\n<!-- passage 2 -->\nan older text\n<!-- results -->\n<p>second "
        "result</p>\n"
        "<!-- passage 3 -->\nan older text\n<!-- results -->\n<!-- end "
        "-->\n<section>claims</section>\n"
        "<footer></footer>\n";
    fs::create_directories(scratch.path + "/out/07_small");
    scratch.file("out/07_small/report.html", report);
    scratch.file("lessons/07_small/spread.json",
                 "{\n\"full\": {\"measured\": {\n\"exact\": [0.9,0.8,0.7]}}\n}\n");
    scratch.file("out/07_small/results.json",
                 "{\"claims\": [{\"name\": \"exact\", \"measured\": 0.85}], \"measured\": []}");
    const BookFolders folders{scratch.path, scratch.path + "/out", scratch.path + "/book"};
    CHECK(write_book(folders, {7}) == std::vector<std::string>{"07_small.html"});
    // A run is the reader's if their records know of it, and else one that lies there.
    CHECK(heed::read_file(scratch.path + "/book/07_small.html")
              .find("The figures are those of a run that is in <code>out/07_small</code>.") !=
          std::string::npos);
    fs::create_directories(scratch.path + "/.heed");
    scratch.file(".heed/progress.tsv", "7\tsmall\t2025-11-20T09:13:05Z\t4.5\t3\t3\tfull\n");
    write_book(folders, {7});
    const std::string page = heed::read_file(scratch.path + "/book/07_small.html");
    std::size_t at = 0;
    for (const char* part :
         {"The figures are those of your run.", "Beside them stands what this run has measured",
          "<p>Begin.</p>", "first result", "Part</h2>", "<p>Text.</p>", "second result", "Much.",
          "claims", "This run: Full run"}) {
        INFO(part);
        const std::size_t found = page.find(part, at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
    CHECK(page.find("an older text") == std::string::npos);

    // The numbers in the text are the kept ones, and those of the reader's own run stand beside them.
    const std::string both = "Of them 0.8 <small class=\"this-run\">(this run 0.85)</small>.";
    CHECK(page.find(both) != std::string::npos);
    CHECK(measured_in("{\"claims\": [{\"name\": \"a\", \"measured\": 1}, {\"measured\": 2}, 3, "
                      "{\"name\": \"b\", \"measured\": null}]}") == Measured{{"a", 1}});
    CHECK(measured_in("[").empty());

    // Without a run of the reader, or with one of an older text, those of a quick run.
    fs::create_directories(scratch.path + "/quick/07_small");
    scratch.file("quick/07_small/report.html", report);
    scratch.file("out/07_small/report.html", "");
    write_book(
        {scratch.path, scratch.path + "/out", scratch.path + "/book", scratch.path + "/quick"},
        {7});
    const std::string quick = heed::read_file(scratch.path + "/book/07_small.html");
    CHECK(quick.find("The figures are those of a quick run; a paragraph marked") !=
          std::string::npos);
    CHECK(quick.find("second result") != std::string::npos);
    CHECK(quick.find("Of them 0.8.") != std::string::npos);

    CHECK(results_in(report, 3).after.size() == 3);
    CHECK(results_in(report, 4).after.empty());  // the lesson has another passage now
    CHECK(results_in(report, 2).after.empty());  // or one less
    CHECK(results_in("", 3).after.empty());
    CHECK(error_of([&] { write_book(folders, {8}); }) == "book: there is no lesson 8");
}

// Without a run a page has what our kept runs measured, and says what a run would show and what makes it.
TEST_CASE("book: a lesson that was not run has our numbers, and says what a run shows",
          "[lesson]") {
    const ShownByCode shown = shown_by(
        "lesson.show(\"a\", plot(\"x, y\"), \"One, \\\"two\\\": \"\n    \"three.\");\n"
        "lesson.table(t, caption);\nlesson.claim(\"exact\", \"sentences, exactly\", f(1, 2), "
        "at_least(0.5));\nlesson.measured(\"half\", fmt::format(\"{}\", 1), 2);\n"
        "lesson.heading(\"No\");\nlesson.claim(");
    CHECK(shown.captions == std::vector<std::string>{"One, \"two\": three."});
    REQUIRE(shown.claims.size() == 1);
    CHECK(shown.claims[0] == std::pair<std::string, std::string>("exact", "sentences, exactly"));

    const Scratch scratch;
    fs::create_directories(scratch.path + "/lessons/07_small");
    scratch.file("lessons/07_small/spread.json",
                 "{\n\"full\": {\"measured\": {\n\"exact\": [0.9,0.8,0.7]}}\n}\n");
    Passage passage;
    passage.code =
        "lesson.show(\"a\", plot, \"Loss by $t$.\");\n"
        "lesson.claim(\"exact\", \"sentences\", 1, at_least(0.5));\n"
        "lesson.claim(\"unknown\", \"others\", 1, at_least(0.5));\n";
    const std::string html = KeptResults("07_small", scratch.path).after(passage);
    CHECK(well_formed::fault(html) == "");
    CHECK(html.find("<code>./heed learn 7 --quick</code>") != std::string::npos);
    CHECK(html.find("in seconds: Loss by ") != std::string::npos);
    CHECK(html.find("<li>sentences: <strong>0.8</strong> (0.7 to 0.9)</li>") != std::string::npos);
    CHECK(html.find("others") == std::string::npos);
    CHECK(KeptResults("", scratch.path).after(passage).empty());
    passage.code = "int x = 1;\n";
    CHECK(KeptResults("07_small", scratch.path).after(passage).empty());

    // A run into a folder of its own is not forgotten: contents and page say the same.
    const LessonPage small{"07_small", "Small", "//! # Small\n//!\n//! A.\n"};
    const BookFolders own{scratch.path, scratch.path + "/out", scratch.path + "/book",
                          scratch.path + "/quick"};
    CHECK(lesson_body(small, {}, own).find("You have not run this lesson yet") !=
          std::string::npos);
    fs::create_directories(scratch.path + "/.heed");
    scratch.file(".heed/progress.tsv", "7\tsmall\t2025-11-20T09:13:05Z\t4.5\t3\t3\tquick\n");
    const std::string elsewhere = lesson_body(small, {}, own);
    CHECK(elsewhere.find("its results are not in <code>out/07_small</code>") != std::string::npos);
    CHECK(elsewhere.find("not run this") == std::string::npos);
    // The page of two lessons are two pages.
    scratch.file("lessons/07_small/lesson.cpp", "//! # Small\n//!\n//! A.\n\nint main() {}\n");
    fs::create_directories(scratch.path + "/lessons/08_other");
    scratch.file("lessons/08_other/lesson.cpp", "//! # Other\n//!\n//! B.\n\nint main() {}\n");
    const BookFolders folders{scratch.path, scratch.path + "/out", scratch.path + "/book"};
    CHECK(write_book(folders, {8, 7}) ==
          std::vector<std::string>{"07_small.html", "08_other.html"});
}

TEST_CASE("book: the contents say where to begin, where to go on and what is done", "[lesson]") {
    const Scratch scratch;
    fs::create_directories(scratch.path + "/lessons/01_one");
    fs::create_directories(scratch.path + "/lessons/02_two");
    fs::create_directories(scratch.path + "/.heed");
    scratch.file("lessons/course.toml",
                 "[[part]]\ntitle = \"Both\"\n[[part.lesson]]\nfolder = \"01_one\"\n"
                 "sentence = \"First.\"\nseconds = 5\n[[part.lesson]]\nfolder = \"02_two\"\n"
                 "sentence = \"Second.\"\nseconds = 5\n");
    std::string words;
    for (int i = 0; i < 100; ++i) words += "//! one two three four five six.\n";
    scratch.file("lessons/01_one/lesson.cpp", "//! # One\n" + words);
    scratch.file("lessons/02_two/lesson.cpp", "//! # Two\n//! Text.\n");
    const BookFolders folders{scratch.path, scratch.path + "/out", scratch.path + "/book"};
    const auto index = [&] { return index_html(lessons_in(scratch.path), {}, {}, folders); };
    const std::string fresh = index();
    CHECK(fresh.find("<strong>Begin here:</strong> <a href=\"01_one.html\">Lesson 1. One</a>") !=
          std::string::npos);
    CHECK(
        fresh.find(
            "<span class=\"whole\">8 min to read</span> <i>·</i> <span class=\"whole\">about 5 s to compute</span>") !=
        std::string::npos);
    CHECK(fresh.find("✓") == std::string::npos);

    const std::string run = "1\tone\t2025-11-20T09:13:05Z\t4.5\t3\t3\t";
    scratch.file(".heed/progress.tsv", run + "quick\n");
    CHECK(index().find("Begin here") != std::string::npos);
    CHECK(index().find("run in quick mode") != std::string::npos);
    scratch.file(".heed/progress.tsv", run + "full\n");
    CHECK(index().find("<strong>Go on here:</strong> <a href=\"02_two.html\">") !=
          std::string::npos);
    CHECK(index().find("<li class=\"done\"><span class=\"number\">1</span>") != std::string::npos);
    CHECK(index().find("Done: 1 of 2 lessons") != std::string::npos);
    CHECK(roman(4) + roman(8) + roman(14) == "IVVIIIXIV");
}

TEST_CASE("book: solved exercises look different in the list", "[lesson]") {
    const Scratch scratch;
    fs::create_directories(scratch.path + "/.heed");
    const std::vector<Exercise> all = exercises(HEED_SOURCE_DIR);
    const std::vector<LessonPage> lessons = lessons_in(HEED_SOURCE_DIR);
    const auto list = [&] { return exercise_list_html(all, lessons, scratch.path); };
    CHECK(list().find("class=\"done\"") == std::string::npos);
    CHECK(list().find("of which you have solved 0.") != std::string::npos);
    scratch.file(".heed/exercises.tsv", "1.1\t" + all[0].name + "\t2025-11-20T09:13:05Z\tsolved\n");
    const std::string one = list();
    CHECK(one.find("of which you have solved 1.") != std::string::npos);
    CHECK(well_formed::occurrences(
              one, "<li class=\"done\"><span class=\"number\">" + all[0].id() + "</span>") == 1);
    CHECK(well_formed::occurrences(one, "<i>·</i> <b>✓ solved</b>") == 1);
    CHECK(static_cast<std::size_t>(well_formed::occurrences(one, "level ")) == all.size());
}

TEST_CASE("book: of a source file the list shows the first sentence", "[lesson]") {
    CHECK(first_sentence("// Tensors, e.g. of\n// two axes. More.\n//\n// Then.\n#pragma once\n") ==
          "Tensors, e.g. of two axes.");
    CHECK(first_sentence("// As of Bahdanau et al. Luong et al. (2015)\n// differ. More.\n") ==
          "As of Bahdanau et al. Luong et al. (2015) differ.");
    CHECK(first_sentence("// A total. More.\n") == "A total.");
    CHECK(first_sentence("// No full stop:\n//\n//     code\n") == "No full stop:");
    CHECK(first_sentence("#include <cmath>\n// Later.\n") == "");
}

TEST_CASE("glossary: a term is what stands in italics, with its sentence", "[lesson]") {
    const std::vector<Term> terms = terms_in(
        "//! # Small\n//! Begin (Vaswani et al. 2017). The *first term*, $a * b. c$, is `x * y`\n"
        "//! of **no** *other*. End.\nint x;\n//! ## Part\n//! * an item, 3.5 * 2 * 1\n"
        "//! * **Bold.** A *second* one: yes.\n"
        "//! ## What this does not show\n//! Much.\n",
        "07_small");
    REQUIRE(terms.size() == 3);
    CHECK(terms[0].name == "first term");
    CHECK(terms[0].sentence == "The *first term*, $a * b. c$, is `x * y` of **no** *other*.");
    CHECK(terms[0].section.empty());
    CHECK(terms[1].name == "other");
    CHECK(terms[2].name == "second");
    CHECK(terms[2].sentence == "A *second* one: yes.");
    CHECK(terms[2].section == "Part");
    const std::string page = glossary_html(terms);
    CHECK(page.find("<a href=\"07_small.html#part\">Lesson 7: Part</a>") != std::string::npos);
    CHECK(page.find("<a href=\"#letter-F\">F</a> <a href=\"#letter-O\">O</a>") !=
          std::string::npos);
    CHECK(page.find("<dt id=\"term-first-term\"><strong>First term</strong></dt>") !=
          std::string::npos);
    CHECK(well_formed::occurrences(page, "<dd>") == 3);
    // Two terms that one sentence defines have it both: none stands there without a word.
    const std::string shared = glossary_html(
        {{"a", "An *a* and a *b*.", "", "07_small"}, {"b", "An *a* and a *b*.", "", "07_small"}});
    CHECK(well_formed::occurrences(shared, "<dt ") == 2);
    CHECK(well_formed::occurrences(shared, "<dd>") == 2);
    // But of a term and a longer form of it, one below the other, the first leads to the second.
    const std::string both =
        glossary_html({{"act", "An *act* of an *act of law*.", "", "07_small"},
                       {"act of law", "An *act* of an *act of law*.", "", "07_small"}});
    CHECK(well_formed::occurrences(both, "<dt ") == 2);
    CHECK(well_formed::occurrences(both, "An <em>act</em>") == 1);
    CHECK(both.find("<dd>See <a href=\"#term-act-of-law\">Act of law</a>.</dd>") !=
          std::string::npos);
}

TEST_CASE("glossary: a definition has what it refers to and what it announces", "[lesson]") {
    const std::vector<Term> terms = terms_in(
        "//! # Small\n//! First. Two numbers meet. This is called a *meeting*. Last.\n//!\n"
        "//! Before. It falls.\n//!\n//! $$ y = 2 $$\n//!\n//! This is the *fall*.\n//!\n"
        "//! The *rise* is this:\n//!\n//! $$ x = 1 $$\n//!\n//! (A *remark* is this.)\n"
        "//! More: a *colon* is this:\n",
        "07_small");
    REQUIRE(terms.size() == 5);
    CHECK(terms[0].sentence == "Two numbers meet. This is called a *meeting*.");
    CHECK(terms[1].sentence == "$$ y = 2 $$\n\nThis is the *fall*.");
    CHECK(terms[2].sentence == "The *rise* is this:\n\n$$ x = 1 $$");
    CHECK(terms[3].sentence == "A *remark* is this.");
    CHECK(terms[4].sentence == "More: a *colon* is this:");
}

TEST_CASE("glossary: the course defines each term once, and these terms", "[lesson]") {
    const std::vector<Term> terms = glossary_of(HEED_SOURCE_DIR);
    for (std::size_t i = 1; i < terms.size(); ++i) {
        INFO(terms[i].name << ": " << terms[i - 1].folder << " and " << terms[i].folder);
        CHECK_FALSE(same_term(terms[i].name, terms[i - 1].name));
    }
    for (const Term& term : terms) {  // what the term is, and not only that there is one
        INFO(term.folder << ": " << term.name << ": " << term.sentence);
        CHECK(std::count(term.sentence.begin(), term.sentence.end(), ' ') >= 5);
        for (const char* start : {"This ", "These ", "Such ", "It ", "They "})
            CHECK_FALSE(term.sentence.starts_with(start));
    }
    // A word that is only stressed is **strong**: italics would make it a term.
    const std::set<std::string> stressed{
        "a",    "all",    "and",   "another", "any",    "are",   "before", "both",  "cost",
        "each", "faster", "first", "is",      "later",  "less",  "more",   "moved", "no",
        "not",  "now",    "one",   "only",    "or",     "same",  "slower", "some",  "stored",
        "that", "this",   "two",   "worse",   "better", "which", "without"};
    for (const Term& term : terms) {
        INFO(term.folder << ": " << term.name);
        CHECK(stressed.count(term.name) == 0);
    }
    for (const char* name : {"softmax", "embedding", "cross-entropy", "dropout", "minibatch",
                             "BLEU", "teacher forcing", "logits"}) {
        INFO(name);
        CHECK(std::any_of(terms.begin(), terms.end(),
                          [&](const Term& term) { return same_term(term.name, name); }));
    }
}
