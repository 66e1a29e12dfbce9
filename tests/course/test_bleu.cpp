#include <cmath>
#include <sstream>

#include "lessons/course/translation/bleu.h"
#include "tests/catch.h"

using heed::course::Bleu;

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

TEST_CASE("BLEU clips words that are said too often", "[data]") {
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
