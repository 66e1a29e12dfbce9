// Predictions: asking until an answer is understood, and scoring it.
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>

#include "autograd/base/input_file.h"
#include "lessons/course/report/predict.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;

namespace {

struct Asked {
    Question question;
    bool goes_on;
    std::string shown;
};

Asked answer(Question question, const std::string& typed) {
    std::istringstream in(typed);
    std::ostringstream out;
    const bool goes_on = ask(question, in, out, Screen{});
    return {question, goes_on, out.str()};
}

Question numeric(Closeness close = within(0.05)) {
    Question question;
    question.text = "What share?";
    question.close = close;
    return question;
}

Question choice() {
    Question question;
    question.text = "Which?";
    question.choices = {"additive", "dot", "neither"};
    return question;
}

double understood(const std::string& typed) {
    return answer(numeric(), typed + "\n\n").question.guessed_number;
}

}  // namespace

TEST_CASE("predict: numbers as people type them", "[lesson]") {
    CHECK(understood("0.95") == 0.95);
    CHECK(understood("20,000") == 20000);
    CHECK(understood("1e-3") == 0.001);
    CHECK(understood("40x") == 40);
    for (const char* nonsense :
         {"many", "0,5", "nan", "inf", "0x10", "1.2.3", "--3", "%", "1,00"}) {
        const Asked asked = answer(numeric(), std::string(nonsense) + "\n0.5\n\n");
        CHECK(asked.question.guess == "0.5");
        CHECK(asked.shown.find("please type a number") != std::string::npos);
    }
}

TEST_CASE("predict: a guess outside its range is asked for again, until the input ends",
          "[lesson]") {
    const Question share = numeric(within(0.05).from(0, 1));
    const Asked asked = answer(share, "7\n-0.1\n120%\n0.7\n\n");
    CHECK(asked.question.guess == "0.7");
    CHECK(asked.shown.find("a number from 0 to 1, like 0.8 or 80%; an answer within 0.05") !=
          std::string::npos);
    CHECK(asked.shown.find("please type a number from 0 to 1") != std::string::npos);
    CHECK(answer(share, "0\n\n").question.guess == "0");
    CHECK(answer(share, "1\n\n").question.guess == "1");
    const Asked ended = answer(share, "7\n8");
    CHECK_FALSE(ended.goes_on);
    CHECK_FALSE(ended.question.answered);
    CHECK(answer(numeric(within(1).from(0, 8)), "9\n8\n\n").shown.find("from 0 to 8") !=
          std::string::npos);
    CHECK(answer(numeric(within_factor(2).from(0)), "-3\n3\n\n").question.guess == "3");
}

TEST_CASE("predict: a guess with % is a share, and refused where no share is asked for",
          "[lesson]") {
    const auto share = [](const char* typed) {
        const std::string lines = std::string(typed) + "\n0.5\n\n";
        return answer(numeric(within(0.05).from(0, 1)), lines).question.guess;
    };
    for (const char* same : {"0.77", "77%", " 77 % ", "77.0%"}) CHECK(share(same) == "0.77");
    CHECK(share("120%") == "0.5");
    CHECK(answer(numeric(within(0.1).from(-1, 1).share()), "-10%\n\n").question.guess == "-0.1");
    CHECK(answer(numeric(within_factor(5).from(0).share()), "3%\n\n").question.guess == "0.03");
    for (const Closeness& other : {within(0.05), within_factor(2).from(0), within(1).from(0, 100),
                                   within(0.1).from(-1, 1)}) {
        const Asked asked = answer(numeric(other), "77%\n77 %\n0.7\n90%\n");
        CHECK(asked.question.guess == "0.7");
        CHECK(asked.question.confidence == 90);  // how sure one is may be said with it
        CHECK(asked.shown.find("does not ask for a share, so without %: please type a number") !=
              std::string::npos);
        CHECK(asked.shown.find("80%") == std::string::npos);
    }
}

// Somebody who types 70 for 70 % is told so, in every lesson.
TEST_CASE("predict: each question for a number says the range of its answers", "[lesson][house]") {
    const std::regex asked("within(_factor)?\\([0-9.]+\\)(\\.from\\()?");
    int questions = 0;
    for (const auto& entry : std::filesystem::directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        const std::string path = entry.path().string() + "/lesson.cpp";
        if (!std::filesystem::exists(path)) continue;
        const std::string source = heed::read_file(path);
        for (std::sregex_iterator match(source.begin(), source.end(), asked), none; match != none;
             ++match) {
            INFO(path << ": " << match->str());
            CHECK((*match)[2].matched);
            ++questions;
        }
    }
    CHECK(questions > 50);
}

TEST_CASE("predict: a choice by its letter or its text", "[lesson]") {
    CHECK(answer(choice(), "b\n70\n").question.guess == "dot");
    CHECK(answer(choice(), "B\n70\n").question.confidence == 70);
    CHECK(answer(choice(), "neither\n\n").question.guess == "neither");
    CHECK(answer(choice(), "c\n\n").question.confidence == 33);
    const Asked asked = answer(choice(), "d\n`\nbb\na\n101\n-1\nsure\n90%\n");
    CHECK(asked.question.guess == "additive");
    CHECK(asked.question.confidence == 90);
}

TEST_CASE("predict: an empty answer skips the question, the end of input ends all questions",
          "[lesson]") {
    const Asked skipped = answer(numeric(), "\n");
    CHECK(skipped.goes_on);
    CHECK_FALSE(skipped.question.answered);
    const Asked ended = answer(numeric(), "");
    CHECK_FALSE(ended.goes_on);
    CHECK_FALSE(ended.question.answered);
    CHECK_FALSE(answer(numeric(), "0.5\n").goes_on);
}

TEST_CASE("predict: a guess is right if it is close enough", "[lesson]") {
    CHECK(within(0.05).right(0.95, 1.0));
    CHECK_FALSE(within(0.05).right(0.94, 1.0));
    CHECK(within_factor(2).right(50, 100));
    CHECK(within_factor(2).right(200, 100));
    CHECK_FALSE(within_factor(2).right(201, 100));
    CHECK_FALSE(within_factor(2).right(-100, 100));
    CHECK_FALSE(within_factor(2).right(1, 0));
    CHECK(within_factor(2).right(0, 0));
}

TEST_CASE("predict: the record is one line of seven fields", "[lesson]") {
    Question question = answer(numeric(), "0.9\n80\n").question;
    reveal(question, 0.92);
    question.text = "What\tshare\n?";
    CHECK(prediction_line(9, question, "2025-11-20T09:13:05Z") ==
          "9\tWhat share ?\t0.9\t80\t0.92\t1\t2025-11-20T09:13:05Z");
    Question which = answer(choice(), "a\n\n").question;
    reveal(which, "dot");
    CHECK_FALSE(which.right);
    CHECK_THROWS(reveal(which, "general"));
    CHECK_THROWS(reveal(which, 1.0));
}
