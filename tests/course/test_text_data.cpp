// Text files, valid and malformed. Errors name the file and the line and say what was expected.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/skipped.h"

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
    CHECK(pairs_complaint("a\tb\na\t\xC3\x28\n")
              .starts_with("x.tsv: line 2: expected UTF-8 text, found byte 0xC3 at column 3; to "
                           "convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 '/"));
    CHECK(pairs_complaint(std::string("a\tb\0c\n", 6)) ==
          "x.tsv: line 1: expected text, found a NUL byte at column 4");
    CHECK(pairs_complaint("\xFF\xFE"
                          "a")
              .starts_with("x.tsv: line 1: expected UTF-8 text, found UTF-16; to convert it, for "
                           "example: iconv -f UTF-16 -t UTF-8 '/"));
    CHECK(pairs_complaint("") == "x.tsv: expected lines of source<TAB>target, found none");
    CHECK(pairs_complaint("\n\n") == "x.tsv: expected lines of source<TAB>target, found none");
}

TEST_CASE("files: errors name a missing file and a folder", "[data][errors]") {
    const Scratch scratch;
    CHECK_THROWS_AS(read_file(scratch.path + "/none"), InputError);
    CHECK(error_of([&] { read_file(scratch.path + "/none"); }) ==
          scratch.path + "/none: cannot be opened: there is no such file or folder");
    CHECK(error_of([&] { read_lines(scratch.path); }) ==
          scratch.path + ": expected a file, found a folder");
    CHECK(read_lines(scratch.file("y", "a\n\nb")) == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("text in another encoding is refused with the command that converts it",
          "[data][errors]") {
    const auto complaint_about = [](std::string_view bytes) {
        return error_of([&] { parse_text(bytes, "it's.txt"); });
    };
    const auto with_hint = [](const std::string& found, const std::string& encoding) {
        return "it's.txt: line 1: expected UTF-8 text, found " + found +
               "; to convert it, for example: iconv -f " + encoding +
               " -t UTF-8 'it'\\''s.txt' > 'it'\\''s.txt.utf8'";
    };
    CHECK(complaint_about("na\xEFve") == with_hint("byte 0xEF at column 3", "WINDOWS-1252"));
    CHECK(complaint_about("\x93quoted\x94") == with_hint("byte 0x93 at column 1", "WINDOWS-1252"));
    CHECK(complaint_about(std::string_view("\xFE\xFF\0a", 4)) == with_hint("UTF-16", "UTF-16"));
    CHECK(complaint_about(std::string_view("\xFF\xFE\0\0a\0\0\0", 8)) ==
          with_hint("UTF-32", "UTF-32"));
    CHECK(complaint_about(std::string_view("a\0b\0\n\0", 6)) == with_hint("UTF-16LE", "UTF-16LE"));
    CHECK(complaint_about(std::string_view("\0a\0b\0\n", 6)) == with_hint("UTF-16BE", "UTF-16BE"));

    // The command does what it says.
    const Scratch scratch;
    const std::string path = scratch.file("a'b.tsv", "na\xEFve\n");
    const std::string said = error_of([&] { read_text(path); });
    if (std::system("command -v iconv >/dev/null") != 0 && skipped("there is no iconv")) return;
    REQUIRE(std::system(said.substr(said.find("iconv")).c_str()) == 0);
    CHECK(read_text(path + ".utf8") == "na\u00EFve\n");
}

TEST_CASE("what else may be in a text", "[data]") {
    CHECK(parse_lines(std::string(300, '\n'), "x").size() == 300);
    CHECK(parse_lines("a\rb\r\nc", "x") == std::vector<std::string>{"a\rb", "c"});
    CHECK(parse_text("\xEF\xBB\xBF"
                     "a\r\nb",
                     "x") == "a\nb\n");
    const std::string line(1'000'000, 'x');
    CHECK(parse_lines(line, "x") == std::vector<std::string>{line});
    CHECK(error_of([&] { parse_pairs(line, "x"); }).size() < 100);
    CHECK(error_of([] { parse_text("\xEF\xBB\xBF", "x"); }) ==
          "x: expected lines of text, found none");
    const Scratch scratch;
    const std::string large = scratch.file("large", "");
    std::filesystem::resize_file(large, most_text + 1);
    for (const auto& read : {+[](const std::string& path) { read_lines(path); },
                             +[](const std::string& path) { read_text(path); },
                             +[](const std::string& path) { read_pairs(path); }})
        CHECK(error_of([&] { read(large); }) ==
              large + ": expected a file of at most 32 MiB, found 32 MiB");
}
