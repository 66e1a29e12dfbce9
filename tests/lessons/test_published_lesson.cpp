// Lesson 38: its texts, the random strings, what it makes of a file, and the head of its live figure.
#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "lessons/38_published/experiment.h"
#include "lessons/38_published/pictures.h"
#include "nn/layers/quantise.h"
#include "tests/autograd/compare.h"

namespace heed::lesson38 {
namespace {

std::vector<int> row_of(const Indices& ids, int64_t row) {
    std::vector<int> all;
    for (int64_t t = 0; t < ids.size(1); ++t) all.push_back(ids.at({row, t}));
    return all;
}

TEST_CASE("lesson 38: rows begin with a newline, and the next token is the next one", "[lesson]") {
    Rng rng(1);
    const Rows land = draw_rows(World::land, 40, 48, rng), sea = draw_rows(World::sea, 40, 48, rng);
    std::string all, other;
    for (int64_t b = 0; b < 40; ++b) {
        const std::vector<int> in = row_of(land.in, b), out = row_of(land.out, b);
        CHECK(text_of(in)[0] == '\n');
        CHECK(std::vector<int>(in.begin() + 1, in.end()) ==
              std::vector<int>(out.begin(), out.end() - 1));
        all += text_of(in);
        other += text_of(row_of(sea.in, b));
    }
    CHECK(characters_of(all).size() == all.size());
    CHECK(all.find("at sea") == std::string::npos);
    CHECK(other.find("at sea") != std::string::npos);
    CHECK_THROWS_WITH(characters_of("A"), Catch::Matchers::ContainsSubstring("'A'"));
}

TEST_CASE("lesson 38: a string twice, and only what can be known counts", "[lesson]") {
    Rng rng(2);
    Subject subject;
    subject.first = {0};
    for (int i = 3; i < vocabulary; ++i) subject.letters.push_back(i);
    subject.string_length = 5;
    const Twice twice = draw_twice(subject, 3, rng);
    for (int64_t b = 0; b < 3; ++b) {
        const std::vector<int> in = row_of(twice.in, b), out = row_of(twice.out, b);
        REQUIRE(in.size() == 11);
        CHECK(in[0] == 0);
        CHECK(std::set<int>(in.begin() + 1, in.begin() + 6).size() == 5);
        for (std::size_t t = 1; t <= 5; ++t) CHECK(in[t + 5] == in[t]);
        for (std::size_t t = 0; t < 11; ++t) CHECK(out[t] == (t >= 6 && t < 10 ? in[t + 1] : -1));
    }
}

TEST_CASE("lesson 38: a model from a file, and floats of blocks", "[lesson]") {
    Rng rng(3);
    LanguageModel model(small_llama(), rng);
    const LanguageModel before = model;
    quantise(model, {.bits = 4, .minimum = true});
    CHECK(bytes_a_token(model) == bytes_a_token(before) * 5 / 32);  // 20 bytes for 32 floats
    const LanguageModel floats = as_floats(model);
    CHECK(bytes_a_token(floats) == bytes_a_token(before));
    const Indices ids({1, 5, 9, 5}, {1, 4});
    CHECK(max(abs(floats(ids) - model(ids))).item() < 1e-4);
    CHECK(max(abs(floats(ids) - before(ids))).item() > 1e-4);
}

TEST_CASE("lesson 38: what is examined of a file", "[lesson]") {
    const std::string families = HEED_SOURCE_DIR "/tests/parity/families/";
    const Subject subject = subject_from(families + "llama", "", true);
    CHECK(subject.published);
    CHECK_FALSE(subject.stored.head.defined());  // its weights are floats
    CHECK(subject.string_length == std::ssize(subject.letters) / 2);
    const std::set<int> different(subject.letters.begin(), subject.letters.end());
    CHECK(different.size() == subject.letters.size());
    const std::vector<int> in = row_of(subject.text.in, 0), out = row_of(subject.text.out, 0);
    CHECK(std::vector<int>(in.begin() + 1, in.end()) ==
          std::vector<int>(out.begin(), out.end() - 1));
    CHECK_THROWS_WITH(subject_from(families + "gpt2", "", true),
                      Catch::Matchers::ContainsSubstring("expected a model of the Llama family"));
}

TEST_CASE("lesson 38: the head of the live figure looks one token back", "[lesson]") {
    const auto most = [](const std::vector<double>& weights) {
        return std::max_element(weights.begin(), weights.end()) - weights.begin();
    };
    const std::vector<double> own = weights_by_distance(500, RotaryLayout::halves);
    double sum = 0;
    for (const double w : own) sum += w;
    CHECK(sum == Approx(1));
    CHECK(most(own) == 1);
    CHECK(own[1] > 0.5);
    CHECK(weights_by_distance(500, RotaryLayout::pairs)[1] < own[1] / 2);
}

}  // namespace
}  // namespace heed::lesson38
