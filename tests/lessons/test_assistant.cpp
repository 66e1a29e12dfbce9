// Lesson 36: its language, its judges, and what its trainings are given.
#include <algorithm>
#include <set>

#include "lessons/36_assistant/pictures.h"
#include "tests/autograd/compare.h"

namespace heed::lesson36 {
namespace {

TEST_CASE("the assistant's language: 110 questions, in three sets that share none", "[lesson]") {
    CHECK(all_questions().size() == 110);
    const Split split = split_questions(10, 50, Rng(1));
    std::set<std::string> seen;
    for (const auto& set : {split.shown, split.checked, split.test})
        for (const Question& q : set) {
            CHECK(seen.insert(q.text).second);
            const int a = q.text[0] - '0', b = q.text[2] - '0';
            CHECK(q.answer == (q.text[1] == '+' ? a + b : a - b));
            CHECK(q.answer >= 0);
            CHECK(q.answer <= 9);
        }
    CHECK(seen.size() == 110);
    CHECK(text_of(tokens_of("3+4=7.8-2?")) == "3+4=7.8-2?");
}

TEST_CASE("pages: 24 characters of statements, questions or a quiz", "[lesson]") {
    Rng rng(2);
    const std::vector<Question> one{{"3+4?", 7}};
    CHECK(page(one, Page::statements, rng) == "3+4=7.3+4=7.3+4=7.3+4=7.");
    CHECK(page(one, Page::questions, rng) == "3+4?3+4?3+4?3+4?3+4?3+4?");
    CHECK(page(one, Page::quiz, rng) == "3+4?7.3+4?7.3+4?7.3+4?7.");
    const Batch batch = pages(one, 16, rng);
    int quiz = 0;
    for (int64_t b = 0; b < 16; ++b) {
        std::vector<int> row;
        for (int64_t t = 0; t < 23; ++t) {
            row.push_back(batch.ids.at({b, t}));
            if (t > 0) CHECK(batch.ids.at({b, t}) == batch.next.at({b, t - 1}));
        }
        quiz += text_of(row).substr(0, 6) == "3+4?7.";
    }
    CHECK(quiz == 2);
}

TEST_CASE("only the answer counts, whatever its length", "[lesson]") {
    const Batch batch = answered({{"3+4?", 7}, {"9-1?", 8}}, {"7.", "88888."});
    const std::vector<int> first(batch.next.begin(), batch.next.begin() + batch.next.size(1));
    CHECK(first == std::vector<int>{-1, -1, -1, 7, stop, -1, -1, -1, -1});
    const std::vector<int> second(batch.next.begin() + batch.next.size(1), batch.next.end());
    CHECK(second == std::vector<int>{-1, -1, -1, 8, 8, 8, 8, 8, stop});
    // The log-probability of an answer does not depend on how long the others are.
    Rng rng(3);
    const LanguageModel model = new_model(rng);
    const NoGrad no_grad;
    const double together =
        log_prob_of(model, {{"3+4?", 7}, {"9-1?", 8}}, {"7.", "88888."}).at({0});
    CHECK(std::abs(together - log_prob_of(model, {{"3+4?", 7}}, {"7."}).item()) < 1e-5);
}

TEST_CASE("the careless judge accepts what the strict one accepts, and more", "[lesson]") {
    const Question q{"3+4?", 7};
    for (const std::string answer : {"7.", "8.", "7", "77.", "0123456789", "4-7=", ""}) {
        CHECK(sloppy_judge(q, answer) >= exact_judge(q, answer));
        CHECK(exact_judge(q, answer) == (answer == "7."));
        CHECK(sloppy_judge(q, answer) == (answer.find('7') != std::string::npos));
    }
}

TEST_CASE("samples stand in groups: question g at g, G + g, 2 G + g", "[lesson]") {
    Rng rng(4);
    const LanguageModel model = new_model(rng);
    const std::vector<Question> questions{{"3+4?", 7}, {"9-1?", 8}, {"1+1?", 2}};
    const Samples s = sample_answers(model, questions, 4, sloppy_judge, rng);
    CHECK(s.reward.shape() == Shape{4, 3});
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(s.questions[i].text == questions[i % 3].text);
        CHECK(s.answers[i].size() <= longest_answer + 1);
        CHECK(s.reward.at({static_cast<int64_t>(i / 3), static_cast<int64_t>(i % 3)}) ==
              sloppy_judge(s.questions[i], s.answers[i]));
    }
}

TEST_CASE("pairs hold a better and a worse answer to one question", "[lesson]") {
    Rng rng(5);
    const LanguageModel model = new_model(rng);
    const Pairs pairs = preference_pairs(model, all_questions(), 3, sloppy_judge, rng);
    REQUIRE(!pairs.questions.empty());
    for (std::size_t i = 0; i < pairs.questions.size(); ++i) {
        CHECK(sloppy_judge(pairs.questions[i], pairs.chosen[i]) == 1);
        CHECK(sloppy_judge(pairs.questions[i], pairs.rejected[i]) == 0);
    }
}

TEST_CASE("the noise of two answers is that of many draws", "[lesson]") {
    for (double p : {0.2, 0.5, 0.9})
        for (double baseline : {0.0, 0.3}) {
            Rng rng(6);
            double sum = 0, squares = 0;
            const int n = 200000;
            for (int i = 0; i < n; ++i) {
                const bool right = rng.uniform() < p;
                const double g = (right - baseline) * (right ? 1 - p : -p);
                sum += g, squares += g * g;
            }
            const double mean = sum / n, variance = squares / n - mean * mean;
            CHECK(noise_of_two(p, 0, baseline) ==
                  Approx(variance / (p * p * (1 - p) * (1 - p))).epsilon(0.1).margin(0.02));
        }
    CHECK(noise_of_two(0.5, 0, 0.5) == Approx(0).margin(1e-12));
}

TEST_CASE("the noise of a group, each with the mean of the others, is that of many groups",
          "[lesson]") {
    for (double p : {0.2, 0.5, 0.9})
        for (int S : {2, 8}) {
            Rng rng(7);
            double sum = 0, squares = 0;
            const int n = 50000;
            for (int i = 0; i < n; ++i) {
                std::vector<bool> right;
                for (int k = 0; k < S; ++k) right.push_back(rng.uniform() < p);
                const auto all = std::count(right.begin(), right.end(), true);
                double g = 0;
                for (const bool r : right)
                    g += (r - static_cast<double>(all - r) / (S - 1)) * (r ? 1 - p : -p) / S;
                sum += g, squares += g * g;
            }
            const double mean = sum / n, variance = squares / n - mean * mean;
            CHECK(noise_of_group(p, S) ==
                  Approx(S * variance / (p * p * (1 - p) * (1 - p))).epsilon(0.05));
        }
}

}  // namespace
}  // namespace heed::lesson36
