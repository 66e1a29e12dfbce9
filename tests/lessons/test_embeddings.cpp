// Lesson 06: classes of words, gaps and their loss by counting, nearest vectors, and the reader's file.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "lessons/06_embeddings/data.h"
#include "lessons/06_embeddings/experiment.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

namespace heed::lesson06 {
namespace {

TEST_CASE("embeddings: classes of words come from the lexicon, words of two classes are left out",
          "[lesson]") {
    const std::map<std::string, int> classes = classes_of_words();
    const auto name = [&](const std::string& word) {
        return std::string(word_classes.at(static_cast<std::size_t>(classes.at(word))).name);
    };
    CHECK(name("student") == "person");
    CHECK(name("children") == "people");
    CHECK(name("horse") == "animal");
    CHECK(name("apple") == "food or drink");
    CHECK(name("coffee") == "food or drink");
    CHECK(name("umbrella") == "thing");
    CHECK(name("house") == "place");
    CHECK(name("write") == "verb");
    CHECK(name("says") == "verb with -s");
    CHECK(name("wrote") == "verb in the past");
    CHECK(name("new") == "adjective");
    CHECK(name("slowly") == "adverb");
    CHECK(name("me") == "object pronoun");
    CHECK(name("my") == "possessive pronoun");
    for (const char* word : {"read", "you", "her", "the", "of"})
        CHECK_FALSE(classes.contains(word));

    // Every class occurs, and the words occur in the corpus.
    std::set<int> found;
    for (const auto& [word, one] : classes) found.insert(one);
    CHECK(found.size() == word_classes.size());
    const Texts texts =
        course::english_of(course::korean_english(1, {.pairs = 4000, .valid = 10, .test = 10}));
    const Vocabulary vocabulary = Vocabulary::build(course::lines_of(texts.train));
    for (const auto& [word, one] : classes) {
        INFO(word);
        CHECK(vocabulary.contains(word));
    }
}

TEST_CASE("embeddings: the gaps of a sentence, with its beginning and end", "[lesson]") {
    const std::vector<Sentence> sentences{{"a", "b", "c"}, {"c"}};
    const Vocabulary vocabulary = Vocabulary::build(course::lines_of(sentences));
    const int a = vocabulary.id("a"), b = vocabulary.id("b"), c = vocabulary.id("c"),
              bos = Vocabulary::bos, eos = Vocabulary::eos;
    const Gaps gaps = gaps_in(sentences, vocabulary, 2, 1);
    CHECK(gaps.words == std::vector<int>{a, b, c, c});
    CHECK(gaps.neighbours == std::vector<int>{bos, bos, b, bos, a, c, a, b, eos, bos, bos, eos});
    CHECK(gaps.neighbours_of({2, 0}).values() == std::vector<int>{a, b, eos, bos, bos, b});
    CHECK(gaps.words_of({3, 1}).values() == std::vector<int>{c, b});

    // Losses by counting: the word before is bos, a, b, bos.
    const Gaps next = gaps_in(sentences, vocabulary, 1, 0);
    const CountedLosses losses = counted_losses(next, next, 7);
    CHECK(losses.words == Approx(-(2 * std::log(1.1 / 4.7) + 2 * std::log(2.1 / 4.7)) / 4));
    CHECK(losses.pairs == Approx(-(2 * std::log(1.1 / 2.7) + 2 * std::log(1.1 / 1.7)) / 4));
}

TEST_CASE("embeddings: the nearest vector by angle, and how often chance agrees", "[lesson]") {
    const Tensor vectors = tensor({1, 0, 10, 1, 0, 1, -1, 9}, {4, 2});
    CHECK(nearest(vectors, 2) == std::vector<std::vector<int>>{{1, 2}, {0, 2}, {3, 1}, {2, 1}});
    CHECK(agreement(vectors, {0, 0, 1, 1}) == 1);
    CHECK(agreement(vectors, {0, 1, 0, 1}) == 0);
    CHECK(chance_agreement({0, 0, 1, 1}) == Approx(1.0 / 3));
    CHECK(chance_agreement({0, 0, 0, 1}) == Approx(0.5));
}

TEST_CASE("embeddings: the reader's own text", "[lesson][data][errors]") {
    const Scratch scratch;
    const auto run_on = [&](const std::string& path) {
        return run(HEED_LESSON_DIR "/lesson_06",
                   "--quick --no-predict --threads 1 --out '" + scratch.path + "/out' --data '" +
                       path + "'",
                   scratch);
    };
    const std::string few = scratch.file("few.txt", "one line\n");
    Ended ended = run_on(few);
    CHECK(ended.status == 2);
    CHECK(ended.err ==
          "lesson 6: --data: " + few +
              ": expected at least 200 lines with 2000 words in all, found 1 with 2\n");
    const std::string broken = scratch.file("broken.txt", "one line\nanother \xff\n");
    ended = run_on(broken);
    CHECK(ended.status == 2);
    CHECK(ended.err.find(broken + ": line 2: expected UTF-8 text, found byte 0xFF at column 9") !=
          std::string::npos);

    // Sentences of three kinds of words in a fixed order: neighbours say much about each word.
    std::string text;
    Rng rng(1);
    for (int line = 0; line < 600; ++line) {
        for (int clause = 0; clause <= line % 3; ++clause)
            text += fmt::format("{}the noun{} verb{} the thing{}", clause > 0 ? " and " : "",
                                rng.below(9), rng.below(9), rng.below(9));
        text += '\n';
    }
    ended = run_on(scratch.file("text.txt", text));
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK(ended.out.find("noun1") != std::string::npos);
    CHECK(std::filesystem::exists(scratch.path + "/out/report.html"));
}

}  // namespace
}  // namespace heed::lesson06
