#include <cmath>
#include <sstream>

#include "nn/nn.h"
#include "tests/catch.h"

using namespace heed;
using metrics::Bleu;

namespace {
std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string word; stream >> word;) result.push_back(word);
    return result;
}
double bleu(const std::string& output, const std::string& reference) {
    Bleu counts;
    counts.add(words(output), words(reference));
    return counts.score();
}
}  // namespace

TEST_CASE("BLEU of a translation equal to its reference is 1", "[data]") {
    CHECK(bleu("the cat sat on the mat", "the cat sat on the mat") == 1);
}

TEST_CASE("BLEU counts a repeated word no more often than the reference has it", "[data]") {
    Bleu counts;
    counts.add(words("the the the the the the the"), words("the cat is on the mat"));
    CHECK(counts.matches[0] == 2);  // Papineni et al. 2002, section 2.1: 2/7
    CHECK(counts.total[0] == 7);
    CHECK(counts.score() == 0);
}

TEST_CASE("BLEU by hand", "[data]") {
    // 1-grams 5/6, 2-grams 3/5, 3-grams 2/4, 4-grams 1/3; equally long
    const double expected = std::pow(5. / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25);
    CHECK(std::abs(bleu("the cat sat on a mat", "the cat sat on the mat") - expected) < 1e-12);
    // all precisions 1, one word short
    CHECK(std::abs(bleu("a b c d e", "a b c d e f") - std::exp(1 - 6. / 5)) < 1e-12);
}

TEST_CASE("BLEU adds counts over the corpus before it divides", "[data]") {
    Bleu counts;
    counts.add(words("a b c d"), words("a b c d"));
    counts.add(words("x y z w"), words("p q r s"));
    CHECK(std::abs(counts.score() - 0.5) < 1e-12);
    CHECK(Bleu{}.score() == 0);
}

TEST_CASE("accuracy is the share of right predictions", "[data]") {
    const Indices labels({2, 0, 1, -100}, {2, 2});
    CHECK(metrics::accuracy(Indices({2, 0, 0, 5}, {2, 2}), labels) == Approx(2. / 3));
    CHECK(metrics::accuracy(Indices({2, 0, 0, 5}, {2, 2}), labels, -1) == 0.5);
    const Tensor logits = tensor({0, 1, 5, 3, 1, 0}, {2, 3});
    CHECK(metrics::accuracy(logits, Indices{2, 1}) == 0.5);
    CHECK(std::isnan(metrics::accuracy(Indices{1}, Indices{-100})));
    CHECK_THROWS_WITH(metrics::accuracy(Indices{1, 2}, Indices{1}),
                      "accuracy: predictions are [2] and labels [1]; expected one shape");
}

TEST_CASE("a confusion matrix counts classes against classes", "[data]") {
    metrics::ConfusionMatrix matrix(3);
    matrix.add(Indices{0, 0, 1}, Indices{0, 1, 1});
    matrix.add(Indices{0, 1, 1}, Indices{0, 1, 0});
    CHECK(matrix.counts == std::vector<std::vector<int64_t>>{{2, 1, 0}, {1, 2, 0}, {0, 0, 0}});
    CHECK(matrix.accuracy() == Approx(4. / 6));
    CHECK(matrix.precision(0) == Approx(2. / 3));
    CHECK(matrix.recall(1) == Approx(2. / 3));
    CHECK(matrix.f1(0) == Approx(2. / 3));
    CHECK(std::isnan(matrix.precision(2)));
    CHECK(matrix.macro_f1() == Approx(2. / 3));  // class 2 never occurs
    CHECK(fmt::format("{}", matrix) ==
          "label    0  1  2  predicted\n"
          "0        2  1  0\n"
          "1        1  2  0\n"
          "2        0  0  0\n");
    // Columns are as wide as the largest number or the last class needs: ten classes are 0 to 9.
    CHECK_THAT(
        fmt::format("{}", metrics::ConfusionMatrix(10)),
        Catch::Matchers::ContainsSubstring("label    0  1  2  3  4  5  6  7  8  9  predicted\n"));
    CHECK_THROWS_WITH(matrix.add(Indices{3}, Indices{0}),
                      Catch::Matchers::ContainsSubstring("ConfusionMatrix"));
    CHECK_THROWS_WITH(metrics::ConfusionMatrix(0),
                      "ConfusionMatrix: classes is 0; expected a positive number");
}

TEST_CASE("edit distance and word error rate by hand", "[data]") {
    using namespace std::string_literals;
    CHECK(metrics::edit_distance("kitten"s, "sitting"s) == 3);
    CHECK(metrics::edit_distance(""s, "abc"s) == 3);
    CHECK(metrics::edit_distance("abc"s, ""s) == 3);
    CHECK(metrics::edit_distance("flaw"s, "lawn"s) == 2);
    CHECK(metrics::edit_distance(std::vector<int>{1, 2, 3}, std::vector<int>{1, 3}) == 1);
    CHECK(metrics::edit_distance("é"s, "e"s) == 1);
    CHECK(metrics::edit_distance("나는 학생"s, "너는 학생이"s) == 2);
    CHECK(metrics::edit_distance("\xff\xfe"s, "\xff"s) == 1);  // bytes that are no UTF-8
    CHECK(metrics::edit_distance(std::string_view("naïve"), std::string_view("naive")) == 1);

    CHECK(metrics::word_error_rate("the cat sat", "the cat sat on it") == Approx(0.4));
    CHECK(metrics::word_error_rate("a b c", "x") == 3);
    metrics::ErrorRate rate;  // of characters, over two texts
    rate.add("abc"s, "abd"s);
    rate.add("x"s, "x"s);
    CHECK(rate.value() == Approx(0.25));
    metrics::ErrorRate accents;
    accents.add("ete"s, "été"s);
    CHECK(accents.value() == Approx(2. / 3));
}

TEST_CASE("the edit distance of texts is that of their code points", "[data]") {
    Rng rng(5);
    const std::u32string letters = U"aéß한😀";
    for (int trial = 0; trial < 50; ++trial) {
        std::u32string a(rng.below(8), U' '), b(rng.below(8), U' ');
        for (char32_t& x : a) x = letters[rng.below(5)];
        for (char32_t& x : b) x = letters[rng.below(5)];
        CHECK(metrics::edit_distance(utf8_encode(a), utf8_encode(b)) ==
              metrics::edit_distance(a, b));
    }
}

// The table of the distances between all prefixes of two sequences, as the definition says.
TEST_CASE("edit distance is that of the full table", "[data]") {
    Rng rng(4);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<int> a(rng.below(8)), b(rng.below(8));
        for (int& x : a) x = static_cast<int>(rng.below(3));
        for (int& x : b) x = static_cast<int>(rng.below(3));
        std::vector<std::vector<int64_t>> d(a.size() + 1, std::vector<int64_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i)
            for (std::size_t j = 0; j <= b.size(); ++j) {
                if (i == 0 || j == 0) {
                    d[i][j] = static_cast<int64_t>(i + j);
                    continue;
                }
                d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                    d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            }
        CHECK(metrics::edit_distance(a, b) == d[a.size()][b.size()]);
    }
}

TEST_CASE("perplexity is that of the mean over all tokens", "[data]") {
    CHECK(metrics::perplexity(std::log(65.0)) == Approx(65));
    metrics::Perplexity all;
    all.add(std::log(2.0), 3);
    all.add(std::log(16.0), 1);
    CHECK(all.value() == Approx(std::pow(2.0, 7. / 4)));
}
