// The text and the counts of lesson 23: training and validation set do not overlap, and the
// probabilities sum to 1.
#include <set>
#include <sstream>

#include "lessons/23_language_model/counts.h"
#include "lessons/23_language_model/data.h"
#include "lessons/23_language_model/names.h"
#include "lessons/course/report/files.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

namespace heed::lesson23 {
namespace {

TEST_CASE("characters: ids in the order of bytes, training set first", "[data][lesson]") {
    const Characters text = characters_of("나는 a\nab", 0.5);
    CHECK(text.names == std::vector<std::string>{"\n", " ", "a", "b", "나", "는"});
    CHECK(text.train == std::vector<int>{4, 5, 1});
    CHECK(text.valid == std::vector<int>{2, 0, 2, 3});
    CHECK(text.text(text.read("ab 나")) == "ab 나");
    CHECK_THROWS_WITH(text.read("abc"), Catch::Matchers::ContainsSubstring("'c' does not occur"));
}

TEST_CASE("characters: a line of the corpus is in one set only", "[data][lesson]") {
    const std::string all = english_lines(2, 3000);
    CHECK(all == english_lines(2, 3000));
    const Characters text = characters_of(all, 0.9);
    std::set<std::string> lines;
    std::istringstream train(text.text(text.train)), valid(text.text(text.valid));
    for (std::string line; std::getline(train, line);) CHECK(lines.insert(line).second);
    int twice = 0, count = 0;
    for (std::string line; std::getline(valid, line); ++count) twice += lines.count(line) != 0;
    CHECK(lines.size() > 2600);
    CHECK(count > 200);
    CHECK(twice == 0);
}

TEST_CASE("names: every line has a new one, four times, and its letters are marked",
          "[data][lesson]") {
    Rng rng(5);
    const NamedText text = text_with_names(50'000, rng);
    const std::string valid = text.characters.text(text.characters.valid);
    REQUIRE(text.valid.size() == valid.size());
    std::set<std::string> names;
    for (std::size_t line = 0; line + 1 < text.beginnings.size(); ++line) {
        const std::size_t begin = text.beginnings[line], end = text.beginnings[line + 1];
        CHECK(valid[end - 1] == '\n');
        std::string first, later;
        for (std::size_t i = begin; i < end; ++i) {
            if (text.valid[i] == LetterOf::new_name) first += valid[i];
            if (text.valid[i] == LetterOf::returning_name) later += valid[i];
        }
        CHECK(first.size() == 5);  // all but the first letter
        CHECK(later == first + first + first);
        names.insert(first);
    }
    CHECK(names.size() + 3 >
          text.beginnings.size() - 1);  // two lines hardly ever have the same name
}

TEST_CASE("names: losses of a table and of a model at the letters they belong to", "[lesson]") {
    Rng rng(6);
    const NamedText text = text_with_names(100'000, rng);
    Settings small;
    small.layers = 1, small.width = 16, small.context = 96;
    const LanguageModel model(model_options(text.characters, small), rng);
    const NameLosses untrained = losses_of(model, text, 50, small.context),
                     table = losses_of_tables(text, 50, small.context);
    const double uniform = std::log(static_cast<double>(text.characters.size()));
    for (const double loss : {untrained.text, untrained.new_name, untrained.returning_name})
        CHECK(std::abs(loss - uniform) < 0.5);
    // Consonants and vowels in turn: three vowels and two consonants follow the first letter.
    const double chance = (3 * std::log(5.) + 2 * std::log(15.)) / 5;
    CHECK(table.new_name > chance - 0.1);
    CHECK(std::abs(table.returning_name - table.new_name) <
          0.1);  // a table learns nothing from the first
    CHECK(table.text < 0.8);
    CHECK(untrained.line.size() == table.line.size());
}

TEST_CASE("characters: pieces, and their targets one character later", "[data][lesson]") {
    std::vector<int> text(101);
    for (int i = 0; i < 101; ++i) text[i] = i;
    Rng rng(1);
    const Piece drawn = random_pieces(text, 50, 7, rng);
    for (int64_t i = 0; i < drawn.in.count(); ++i) {
        CHECK(drawn.out[i] == drawn.in[i] + 1);
        if (i % 7) CHECK(drawn.in[i] == drawn.in[i - 1] + 1);
    }
    CHECK(pieces_in(text, 7) == 14);
    const Piece third = pieces_in_order(text, 2, 2, 7);
    CHECK(third.in == Indices({14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}, {2, 7}));
    CHECK(third.out[13] == 28);
}

TEST_CASE("characters: errors name the file", "[data][lesson][errors]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/text.txt";
    course::write_file(path, "one\r\ntwo\n");
    CHECK(text_of_file(path, 8) == "one\ntwo\n");
    CHECK_THROWS_WITH(text_of_file(path, 9), Catch::Matchers::ContainsSubstring(
                                                 "text.txt: expected a text of at least 9"));
    course::write_file(path, "one\ntw\xff\n");
    CHECK_THROWS_WITH(text_of_file(path, 1),
                      Catch::Matchers::ContainsSubstring("text.txt: line 2: expected UTF-8"));
}

TEST_CASE("counts: probabilities that sum to 1, and the formula by hand", "[data][lesson]") {
    const std::vector<int> text{0, 1, 0, 1, 0, 2, 0, 1};
    const Counts counts(text, 4, 3);
    for (int n = 0; n <= 3; ++n) {
        double sum = 0;
        for (int next = 0; next < 4; ++next) sum += counts.probability({1, 0, next}, 2, n);
        CHECK(sum == Approx(1));
    }
    // 0 occurs four times in eight characters, and three different characters occur.
    const double zero = (4 + 3 * 0.25) / (8 + 3), one = (3 + 3 * 0.25) / (8 + 3);
    CHECK(counts.probability({0}, 0, 0) == Approx(zero));
    // After 0, 1 occurs three times and 2 once.
    CHECK(counts.probability({0, 1}, 1, 1) == Approx((3 + 2 * one) / (4 + 2)));
    // 3 never occurs, so only the shorter context counts.
    CHECK(counts.probability({3, 1}, 1, 1) == Approx(one));
    CHECK(counts.loss({0}, 2) == Approx(-std::log(zero)));
}

}  // namespace
}  // namespace heed::lesson23
