// Documents with telling words: sizes, splits, labels, marks. And files of labelled text, valid and
// malformed.
#include <algorithm>
#include <set>

#include "lessons/material/corpora/documents.h"
#include "lessons/material/read/labelled_text.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;

namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("documents: the words of the lists are all different", "[data]") {
    std::set<std::string> seen;
    std::size_t count = 0;
    for (int topic = 0; topic < 4; ++topic) {
        CHECK(words_of_topic(topic).size() == 24);
        seen.insert(words_of_topic(topic).begin(), words_of_topic(topic).end());
        count += 24;
    }
    CHECK(all_everyday_words().size() == 270);
    seen.insert(all_everyday_words().begin(), all_everyday_words().end());
    CHECK(seen.size() == count + 270);
}

TEST_CASE("documents: sizes, splits, and telling words at the marked positions", "[data]") {
    const int telling = GENERATE(1, 3);
    const DocumentOptions options{
        .train = 300, .valid = 50, .test = 200, .shortest = 10, .longest = 30, .telling = telling};
    const Documents documents = telling_documents(5, options);
    REQUIRE(documents.train.size() == 300);
    REQUIRE(documents.valid.size() == 50);
    REQUIRE(documents.test.size() == 200);
    CHECK(documents.topics.size() == 4);

    std::set<std::vector<std::string>> seen;
    std::set<std::size_t> lengths;
    std::vector<int> topics(4);
    for (const auto* set : {&documents.train, &documents.valid, &documents.test})
        for (const Document& d : *set) {
            CHECK(seen.insert(d.words).second);  // no document occurs twice in the three sets
            REQUIRE(d.telling.size() == d.words.size());
            lengths.insert(d.words.size());
            ++topics.at(d.topic);
            int marked = 0;
            for (std::size_t i = 0; i < d.words.size(); ++i) {
                marked += d.telling[i];
                CHECK(contains(d.telling[i] ? words_of_topic(d.topic) : all_everyday_words(),
                               d.words[i]));
            }
            CHECK(marked == telling);
        }
    CHECK(*lengths.begin() == 10);
    CHECK(*lengths.rbegin() == 30);
    for (int count : topics) CHECK(count > 90);  // of 550, a quarter each
}

TEST_CASE("documents: the same seed gives the same documents", "[data]") {
    const DocumentOptions options{.train = 5, .valid = 1, .test = 1};
    CHECK(telling_documents(1, options).train[4].words ==
          telling_documents(1, options).train[4].words);
    CHECK(telling_documents(1, options).train[4].words !=
          telling_documents(2, options).train[4].words);
    CHECK_THROWS_AS(telling_documents(1, {.shortest = 3, .telling = 4}), heed::Error);
}

TEST_CASE("labelled text: lines as published, and as editors save them", "[data]") {
    const Scratch scratch;
    const auto check_two = [&](const std::string& bytes) {
        const auto texts = read_labelled(scratch.file("x.label", bytes));
        REQUIRE(texts.size() == 2);
        CHECK(texts[0].label == "NUM");
        CHECK(texts[0].detail == "dist");
        CHECK(texts[0].words == std::vector<std::string>{"How", "far", "?"});
        CHECK(texts[1].label == "ENTY");
        CHECK(texts[1].words == std::vector<std::string>{"Caf\xC3\xA9", ":", "what"});
    };
    check_two("NUM:dist How far ?\nENTY:cremat Caf\xC3\xA9 : what\n");
    check_two("NUM:dist How far ?\nENTY:cremat Caf\xE9 : what\n");  // Latin-1
    check_two("\xEF\xBB\xBFNUM:dist  How far ? \r\nENTY:cremat Caf\xC3\xA9 : what\n\n");
}

TEST_CASE("labelled text: errors name the line and say what was expected", "[data][errors]") {
    const auto complaint = [](const std::string& bytes) -> std::string {
        const Scratch scratch;
        try {
            read_labelled(scratch.file("x.label", bytes));
        } catch (const InputError& error) {
            return std::string(error.what()).substr(scratch.path.size() + 1);
        }
        return "";
    };
    const std::string expected = "expected LABEL:detail, a blank, and the text";
    CHECK(complaint("NUM:dist a\nfar away\n") ==
          "x.label: line 2: " + expected + ", found 'far' without a colon");
    CHECK(complaint("NUM dist: a\n") ==
          "x.label: line 1: " + expected + ", found 'NUM' without a colon");
    CHECK(complaint("num:dist a\n") ==
          "x.label: line 1: " + expected + ": the label in capital letters, found 'num'");
    CHECK(complaint(":dist a\n") ==
          "x.label: line 1: " + expected + ": the label in capital letters, found ''");
    CHECK(complaint("NUM: a\n") ==
          "x.label: line 1: " + expected + ", found nothing after the colon");
    CHECK(complaint("NUM:dist\n") ==
          "x.label: line 1: " + expected + ", found no text after 'NUM:dist'");
    CHECK(complaint("NUM:dist  \nNUM:dist a\n") ==
          "x.label: line 1: " + expected + ", found no text after 'NUM:dist'");
    CHECK(complaint(" NUM:dist a\n") ==
          "x.label: line 1: " + expected + ", found a blank at the start");
    CHECK(complaint("NUM:dist a\n\nNUM:dist a\n") ==
          "x.label: line 2: " + expected + ", found an empty line");
    CHECK(complaint(std::string("NUM:dist a\0b\n", 13)) ==
          "x.label: line 1: expected UTF-8 text, found byte 0x00 at column 11");
    CHECK(complaint("NUM:dist a\nNUM:dist \xE9 \x85\n")
              .starts_with("x.label: line 2: expected UTF-8 or Latin-1 text, found byte 0x85 at "
                           "column 12; to convert it, for example: iconv -f WINDOWS-1252"));
    CHECK(complaint("NUM:dist \xC3\xA9\nNUM:dist \xE9\n")
              .starts_with("x.label: line 2: expected UTF-8 text, found byte 0xE9 at column 10"));
    std::string long_text = "NUM:dist";
    for (int i = 0; i < 5001; ++i) long_text += " a";
    CHECK(complaint(long_text) ==
          "x.label: line 1: expected a text of at most 5000 words, found 5001");
    CHECK(complaint("NUM:dist a\n" + std::string(1'000'000, 'x') + "\n").size() < 200);
    CHECK(complaint("\n") == "x.label: expected lines of LABEL:detail and text, found none");
    CHECK_THROWS_AS(read_labelled("/no/such/file"), InputError);
}
