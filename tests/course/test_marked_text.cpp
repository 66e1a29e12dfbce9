// Texts with marked words, valid and malformed. Errors name the file and the line and say what was
// expected.
#include <fmt/format.h>

#include <string>

#include "lessons/material/read/marked_text.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using namespace heed::course;

namespace {

std::string complaint_about_marks(const std::string& bytes) {
    return error_of([&] { parse_marked(bytes, "f"); });
}

// The error about the third column, or the fourth, of a text of four words.
std::string about_spans(const std::string& spans) {
    return complaint_about_marks("a\tPOS\t" + spans + "\t0\tw x y z\n");
}
std::string about_sentences(const std::string& starts) {
    return complaint_about_marks("a\tPOS\t\t" + starts + "\tw x y z\n");
}

}  // namespace

TEST_CASE("marked text: labels, words and what is marked", "[data]") {
    const auto texts =
        parse_marked("\xEF\xBB\xBFn1\tNEG\t1-2,2-4\t0,2\ta b \xC3\xA9 d\r\n\tPOS\t\t\te\n\n", "f");
    REQUIRE(texts.size() == 2);
    CHECK(texts[0].label == "NEG");
    CHECK(texts[0].words == std::vector<std::string>{"a", "b", "\xC3\xA9", "d"});
    CHECK(texts[0].marked == std::vector<bool>{false, true, true, true});
    CHECK(texts[1].label == "POS");
    CHECK(texts[1].marked == std::vector<bool>{false});
}

TEST_CASE("marked text: errors name the line and say what was expected", "[data][errors]") {
    const std::string columns = "name<TAB>LABEL<TAB>marked words<TAB>sentences<TAB>text";
    CHECK(complaint_about_marks("") == "f: expected lines of " + columns + ", found none");
    CHECK(complaint_about_marks("a\tPOS\t\tw\n") ==
          "f: line 1: expected " + columns + ", found 'a\\tPOS\\t\\tw'");
    CHECK(complaint_about_marks("a\tPOS\t\t\tw\t\n").starts_with("f: line 1: expected " + columns));
    CHECK(complaint_about_marks("a\tPOS\t\t\tw\n\na\tPOS\t\t\tw\n")
              .starts_with("f: line 2: expected " + columns));
    CHECK(complaint_about_marks("a\tpos\t\t\tw\n") ==
          "f: line 1: expected a label in capital letters, found 'pos'");
    CHECK(complaint_about_marks("a\t\t\t\tw\n") ==
          "f: line 1: expected a label in capital letters, found ''");
    CHECK(complaint_about_marks("a\tPOS\t\t\t\n") == "f: line 1: expected a text, found none");
    for (const char* words : {" w", "w ", "w  x"})
        CHECK(complaint_about_marks(fmt::format("a\tPOS\t\t\t{}\n", words)) ==
              "f: line 1: expected words with single blanks between them, found two blanks, or one "
              "at an end");
    std::string many = "w";
    for (int i = 0; i < 5000; ++i) many += " w";
    CHECK(complaint_about_marks("a\tPOS\t\t\t" + many) ==
          "f: line 1: expected a text of at most 5000 words, found 5001");
    CHECK(
        complaint_about_marks("a\tPOS\t\t\t\xE9\n").starts_with("f: line 1: expected UTF-8 text"));

    const std::string first = "f: line 1: expected the first word of a span, in rising order, ";
    CHECK(about_spans("2-3,0-1") == first + "3, found '0'");
    CHECK(about_spans("1-3,2-4") == first + "3, found '2'");
    CHECK(about_spans("4-5") == first + "from 0 to 3, found '4'");
    CHECK(about_spans("x-5") == first + "from 0 to 3, found 'x'");
    CHECK(about_spans(",") == first + "from 0 to 3, found ''");
    CHECK(about_spans("0-4,4-5") == "f: line 1: expected no span after the last word, found '4-5'");
    CHECK(about_spans("3") == "f: line 1: expected a span such as 3-5, found '3'");
    const std::string end = "f: line 1: expected the end of a span, ";
    CHECK(about_spans("1-1") == end + "from 2 to 4, found '1'");
    CHECK(about_spans("3-5") == end + "4, found '5'");
    CHECK(about_spans("0-1-2") == end + "from 1 to 4, found '1-2'");
    CHECK(about_spans("0-99999999999999999999").starts_with(end));
    const std::string sentence =
        "f: line 1: expected the first word of a sentence, in rising order, ";
    CHECK(about_sentences("0,0") == sentence + "from 1 to 3, found '0'");
    CHECK(about_sentences("4") == sentence + "from 0 to 3, found '4'");
    CHECK(about_sentences("0,") == sentence + "from 1 to 3, found ''");
}

TEST_CASE("marked text: three sets with the labels of the first", "[data][errors]") {
    const Scratch scratch;
    const std::string good = "a\tPOS\t0-1\t0\tw x\nb\tNEG\t\t0\ty\n";
    scratch.file("train.tsv", good);
    CHECK(error_of([&] { read_marked_sets(scratch.path); }).find("/val.tsv: cannot be opened") !=
          std::string::npos);
    scratch.file("val.tsv", good);
    scratch.file("test.tsv", good + "c\tNONE\t\t0\tw\n");
    CHECK(error_of([&] { read_marked_sets(scratch.path); }) ==
          scratch.path + "/test.tsv: line 3: expected a label that occurs in " + scratch.path +
              "/train.tsv, found 'NONE'");
    scratch.file("test.tsv", "b\tNEG\t0-1\t0\ty\n");
    const MarkedSets sets = read_marked_sets(scratch.path);
    CHECK(sets.labels == std::vector<std::string>{"NEG", "POS"});
    CHECK(sets.train.size() == 2);
    CHECK(sets.valid.size() == 2);
    CHECK(sets.test.size() == 1);
    scratch.file("train.tsv", "a\tPOS\t0-1\t0\tw x\n");
    CHECK(error_of([&] { read_marked_sets(scratch.path); }) ==
          scratch.path + "/train.tsv: expected at least two labels, found only POS");
}
