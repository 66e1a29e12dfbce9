// Text files, valid and malformed. Errors name the file and the line and say what was expected.
#include <fstream>
#include <string>

#include "lessons/course/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;

namespace {

// The error from reading a file with these bytes, without the name of the folder.
template <class Read>
std::string complaint(const std::string& bytes, const Read& read) {
    const Scratch scratch;
    const std::string path = scratch.file("x.tsv", bytes);
    try {
        read(path);
    } catch (const InputError& error) {
        return std::string(error.what()).substr(scratch.path.size() + 1);
    }
    return "";
}

std::string pairs_complaint(const std::string& bytes) { return complaint(bytes, read_pairs); }

}  // namespace

TEST_CASE("pairs: lines of source<TAB>target, as editors save them", "[data]") {
    const Scratch scratch;
    const auto check_two = [&](const std::string& bytes) {
        const auto pairs = read_pairs(scratch.file("x.tsv", bytes));
        REQUIRE(pairs.size() == 2);
        CHECK(pairs[0].source == "나는 학생 이다");
        CHECK(pairs[0].target == "I am a student");
        CHECK(pairs[1].source == "가");
        CHECK(pairs[1].target == "go");
    };
    check_two("나는 학생 이다\tI am a student\n가\tgo\n");
    check_two("나는 학생 이다\tI am a student\n가\tgo");              // no last newline
    check_two("나는 학생 이다\tI am a student\r\n가\tgo\r\n");        // Windows
    check_two("\xEF\xBB\xBF나는 학생 이다\tI am a student\n가\tgo");  // a byte order mark
    check_two("나는 학생 이다\tI am a student\n가\tgo\n\n \n");       // empty lines at the end
}

TEST_CASE("pairs: errors name the line and say what was expected", "[data][errors]") {
    CHECK(pairs_complaint("a\tb\nc d\n") ==
          "x.tsv: line 2: expected source<TAB>target, found no tab");
    CHECK(pairs_complaint("a\tb\tc\n") ==
          "x.tsv: line 1: expected source<TAB>target, found 2 tabs");
    CHECK(pairs_complaint("a\tb\n\nc\td\n") ==
          "x.tsv: line 2: expected source<TAB>target, found an empty line");
    CHECK(pairs_complaint("a\tb\n \tb\n") ==
          "x.tsv: line 2: expected source<TAB>target, found nothing before the tab");
    CHECK(pairs_complaint("a\t\r\n") ==
          "x.tsv: line 1: expected source<TAB>target, found nothing after the tab");
    CHECK(pairs_complaint("a\tb\na\t\xC3\x28\n") ==
          "x.tsv: line 2: expected UTF-8 text, found byte 0xC3 at column 3");
    CHECK(pairs_complaint(std::string("a\tb\0c\n", 6)) ==
          "x.tsv: line 1: expected text, found a NUL byte at column 4");
    CHECK(pairs_complaint("\xFF\xFE"
                          "a") ==
          "x.tsv: line 1: expected UTF-8 text, found UTF-16; save the file as UTF-8");
    CHECK(pairs_complaint("") == "x.tsv: expected lines of text, found none");
    CHECK(pairs_complaint("\n\n") == "x.tsv: expected lines of source<TAB>target, found none");
}

TEST_CASE("files: errors name a missing file and a folder", "[data][errors]") {
    const Scratch scratch;
    CHECK_THROWS_AS(read_file(scratch.path + "/none"), InputError);
    CHECK(error_of([&] { read_file(scratch.path + "/none"); }) ==
          scratch.path + "/none: cannot be opened: No such file or directory");
    CHECK(error_of([&] { read_lines(scratch.path); }) ==
          scratch.path + ": expected a file, found a folder");
    CHECK(read_lines(scratch.file("y", "a\n\nb")) == std::vector<std::string>{"a", "", "b"});
}
