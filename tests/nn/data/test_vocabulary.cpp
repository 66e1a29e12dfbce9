#include <cstdio>
#include <fstream>

#include "nn/nn.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("ids follow frequency, after the four special tokens") {
    const Vocabulary words =
        Vocabulary::build({"나는 학생 이다", "나는  선생 이다\n", "나는 간다"});
    CHECK(words.size() == 4 + 5);
    CHECK(words.token(Vocabulary::pad) == "<pad>");
    CHECK(words.token(Vocabulary::bos) == "<bos>");
    CHECK(words.token(Vocabulary::eos) == "<eos>");
    CHECK(words.token(Vocabulary::unk) == "<unk>");
    CHECK(words.token(4) == "나는");
    CHECK(words.token(5) == "이다");
    CHECK(words.token(6) == "간다");  // once each: in the order of their bytes
    CHECK(words.encode("나는 학생 이다") == std::vector<int>{4, words.id("학생"), 5});
    CHECK(words.encode(" 나는\t이다 ") == std::vector<int>{4, 5});
    CHECK(words.encode("너는 이다") == std::vector<int>{Vocabulary::unk, 5});
    CHECK(words.encode("") == std::vector<int>{});
    CHECK(words.encode_sentence("이다") == std::vector<int>{5, Vocabulary::eos});
    CHECK(words.contains("학생"));
    CHECK(!words.contains("학"));
}

TEST_CASE("decoding stops at eos and leaves padding out") {
    const Vocabulary words = Vocabulary::build({"a b"});
    CHECK(words.decode({Vocabulary::bos, 4, 5, Vocabulary::eos, 4, Vocabulary::pad}) == "a b");
    CHECK(words.decode({4, Vocabulary::unk}) == "a <unk>");
    CHECK(words.decode({}) == "");
    const Vocabulary letters = Vocabulary::build({"하나 둘"}, {.level = TokenLevel::character});
    CHECK(letters.decode(letters.encode_sentence("둘 하나")) == "둘 하나");
    CHECK(letters.size() == 4 + 4);
    CHECK_THROWS_WITH(words.decode({6}), "Vocabulary: id 6 is outside a vocabulary of 6");
}

TEST_CASE("the name of a special token in a text is an ordinary word") {
    const Vocabulary words = Vocabulary::build({"a <eos> b"});
    CHECK(words.size() == 4 + 2);
    CHECK(words.encode("a <eos> b") == std::vector<int>{4, Vocabulary::unk, 5});
}

TEST_CASE("min_frequency and max_size limit a vocabulary") {
    const std::vector<std::string> texts{"a a a b b c c d"};
    CHECK(Vocabulary::build(texts, {.min_frequency = 2}).size() == 4 + 3);
    const Vocabulary small = Vocabulary::build(texts, {.max_size = 6});
    CHECK(small.size() == 6);
    CHECK(small.token(5) == "b");
    CHECK_THROWS_WITH(Vocabulary::build(texts, {.max_size = 4}),
                      "Vocabulary: a max_size of 4 leaves no room beside the 4 special tokens");
    CHECK_THROWS_WITH(Vocabulary::build(texts, {.min_frequency = 0}),
                      "Vocabulary: min_frequency is 0; expected a positive number");
}

TEST_CASE("a saved vocabulary is read back the same, with any characters in its tokens") {
    const std::string path = "nn_test_vocabulary.txt";
    for (TokenLevel level : {TokenLevel::word, TokenLevel::character}) {
        const Vocabulary before = Vocabulary::build({"한글 a\\b c\n\r\t \\n"}, {.level = level});
        before.save(path);
        const Vocabulary after = Vocabulary::load(path);
        CHECK(after.level() == level);
        REQUIRE(after.size() == before.size());
        for (int id = 0; id < before.size(); ++id) CHECK(after.token(id) == before.token(id));
    }
    std::remove(path.c_str());
}

TEST_CASE("errors in a vocabulary file name the file and the line", "[errors]") {
    const auto refused = [](const std::string& text, const std::string& message) {
        CHECK_THROWS_WITH(Vocabulary::parse(text, "v.txt"), message);
    };
    refused("", "v.txt: is empty");
    refused("a\nb\n",
            "v.txt:1: expected 'heed vocabulary of words' or 'heed vocabulary of characters'");
    const std::string head = "heed vocabulary of words\n";
    refused(head + "a\nb", "v.txt: the last line has no line end; is the file incomplete?");
    refused(head + "a\nb\na\n", "v.txt:4: the token 'a' occurs twice");
    const std::string expected =
        ": expected a token, with backslashes written as \\\\ and carriage returns as \\r";
    refused(head + "a\n\n", "v.txt:3" + expected);
    refused(head + "a\\q\n", "v.txt:2" + expected);
    refused(head + "a\r\n", "v.txt:2" + expected);
    refused(head + std::string(2, '\x1B') + "\n" + std::string(2, '\x1B') + "\n",
            "v.txt:3: the token '\\x1B\\x1B' occurs twice");
    refused(head + "\xff\n", "v.txt:2: not valid UTF-8");
    CHECK_THROWS_WITH(Vocabulary::load("no/such/file"),
                      "no/such/file: cannot be opened: there is no such file or folder");
    CHECK_THROWS_AS(Vocabulary::build({"\xff"}), Error);
}
