// References to lessons and exercises: written as names, read as numbers.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "lessons/course/contents/references.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed::course;
namespace fs = std::filesystem;

TEST_CASE("names of lessons and exercises are read as their numbers") {
    const std::vector<ListedLesson> lessons{{.folder = "02_autograd"},
                                            {.folder = "10_scores"},
                                            {.folder = "12_luong"},
                                            {.folder = "w3_batches"}};
    const auto read = [&](const std::string& text) { return with_numbers(text, lessons); };
    CHECK(read("the scores of lesson {scores}.") == "the scores of lesson 10.");
    CHECK(read("Lessons {scores} and {luong}, not {luong}") == "Lessons 10 and 12, not {luong}");
    CHECK(read("exercises {autograd.1}, {scores.2}, and {luong.3}") ==
          "exercises 02.1, 10.2, and 12.3");
    CHECK(read("workshop {batches} and exercise {batches.2}") == "workshop W3 and exercise W3.2");
    CHECK(read("//! of lesson\n//! {autograd} is") == "//! of lesson\n//! 02 is");
    CHECK(read("as in lesson\n{luong}") == "as in lesson\n12");
    CHECK(read("$e^{scores}$, f({scores}), return {scores};") ==
          "$e^{scores}$, f({scores}), return {scores};");
    CHECK(error_of([&] { read("lesson {nothing}"); }) ==
          "{nothing}: the course has no lesson of this name (lessons/course.toml)");
}

TEST_CASE("no text of the course has the number of another lesson, and every name is one",
          "[house]") {
    const fs::path root = HEED_SOURCE_DIR;
    const std::regex number(
        "\\b([Ll]essons?|[Ww]orkshops?|[Ee]xercises?)(\\s+|\\s*\n *//!? *)(W?[0-9])");
    const std::vector<ListedLesson> lessons = course_lessons(HEED_SOURCE_DIR);
    std::vector<fs::path> folders{root / "lessons/material", root / "autograd", root / "nn",
                                  root / "attention"};
    for (const ListedLesson& lesson : lessons) folders.push_back(root / "lessons" / lesson.folder);
    int references = 0;
    for (const fs::path& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".cpp" && extension != ".h" && extension != ".md") continue;
            std::stringstream read;
            read << std::ifstream(entry.path()).rdbuf();
            const std::string text = read.str();
            std::smatch found;
            const bool numbered = std::regex_search(text, found, number);
            INFO(entry.path().string()
                 << ": write 'lesson {name}' instead of '" << found.str() << "...'");
            CHECK_FALSE(numbered);
            references += with_numbers(text, lessons) != text;
        }
    CHECK(references > 100);
}
