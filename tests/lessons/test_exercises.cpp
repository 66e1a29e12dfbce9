// Every exercise both ways: the task as it is given is "not written yet", the solution passes, and
// each wrong answer is refused with its own words. Exercises are found by their folders, so a new one
// needs no line here.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "lessons/course/exercise/curve.h"
#include "lessons/course/exercise/judge.h"
#include "lessons/course/exercise/workshop.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

Tools tools() { return {HEED_CXX, HEED_BUILD_DIR}; }

struct Judged {
    Exercise exercise;
    Compiled compiled;
    Outcome task, solution;
    std::vector<std::string> wrong;  // files
    std::vector<Outcome> of_wrong;
};

Judged judged(const Exercise& exercise, const std::string& folder) {
    Judged result{exercise, {}, {}, {}, wrong_answers(exercise), {}};
    std::vector<Answer> answers{{"task", exercise.folder + "/task.h"},
                                {"solution", exercise.folder + "/solution.h"}};
    for (std::size_t i = 0; i < result.wrong.size(); ++i)
        answers.push_back({"wrong" + std::to_string(i), result.wrong[i]});
    result.compiled =
        compile_answers(exercise, answers, folder + "/" + exercise.file_name(), tools());
    if (result.compiled.program.empty()) return result;
    result.task = run_answer(result.compiled.program, "task");
    result.solution = run_answer(result.compiled.program, "solution");
    for (std::size_t i = 0; i < result.wrong.size(); ++i)
        result.of_wrong.push_back(run_answer(result.compiled.program, "wrong" + std::to_string(i)));
    return result;
}

// All exercises; as many are compiled at the same time as there are processors.
std::vector<Judged> all_judged(const std::string& folder) {
    const std::vector<Exercise> all = exercises(HEED_SOURCE_DIR);
    std::vector<Judged> results(all.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back([&] {
            for (std::size_t k; (k = next++) < all.size();) results[k] = judged(all[k], folder);
        });
    for (std::thread& worker : workers) worker.join();
    return results;
}

}  // namespace

TEST_CASE("exercises: task, solution and wrong answers are judged as they should be",
          "[lesson][exercises]") {
    // Once: Catch runs the test case from its beginning for every section.
    static const std::vector<Judged> all = [] {
        const Scratch scratch;
        return all_judged(scratch.path);
    }();
    REQUIRE_FALSE(all.empty());
    for (const Judged& one : all) {
        DYNAMIC_SECTION(one.exercise.id() << " " << one.exercise.title) {
            INFO(one.compiled.log);
            // Without the precompiled headers it takes three times as long.
            CHECK(one.compiled.log.find("invalid-pch") == std::string::npos);
            REQUIRE_FALSE(one.compiled.program.empty());
            INFO("the task: " << one.task.text);
            CHECK(one.task.kind == Outcome::Kind::not_written);
            INFO("the solution: " << one.solution.text);
            CHECK(one.solution.kind == Outcome::Kind::solved);
            CHECK(one.solution.text.find("✓") != std::string::npos);
            CHECK(one.wrong.size() >= 2);
            for (std::size_t i = 0; i < one.wrong.size(); ++i) {
                INFO(one.wrong[i] << ": " << one.of_wrong[i].text);
                CHECK(one.of_wrong[i].kind == Outcome::Kind::not_yet);
                CHECK(one.of_wrong[i].text.find(words_of(one.wrong[i])) != std::string::npos);
            }
            for (const std::string& hint : hints(one.exercise)) CHECK(words_in(hint) >= 8);
            CHECK_NOTHROW(prose_html(task_text(one.exercise)));
            for (const std::string& hint : hints(one.exercise)) CHECK_NOTHROW(prose_html(hint));
        }
    }
}

TEST_CASE("exercises: comments and strings are no calls", "[lesson]") {
    CHECK(without_comments("a // softmax(x)\nb") == "a              \nb");
    CHECK(without_comments("a /* softmax(\n x) */ b") == "a            \n       b");
    CHECK(without_comments("f(\"softmax(\\\"x\", '\"')") == "f(\"           \", ' ')");
}

TEST_CASE("exercises: what the judge says", "[lesson]") {
    const Tensor x = tensor({1., 2.}), y = tensor({1., 3.});
    const auto said = [](auto&& rule) {
        Judge judge("Tensor f() { return softmax (x); }");
        rule(judge);
        return judge.text();
    };
    CHECK(said([&](Judge& j) {
              j.equal(
                  "same", [&] { return x; }, x);
          }) == "✓ same\n");
    CHECK(said([&](Judge& j) {
              j.equal("same", [&] { return x; }, y,
                      {.formula = "y = x", .mistakes = {{"a slip", x}}});
          }) ==
          "✗ same\nAt index [1]: expected 3, found 2.\nThe formula: y = x\n"
          "A mistake that many make: a slip.\n");
    CHECK(said([&](Judge& j) {
              j.equal(
                  "same", [&] { return unsqueeze(x, 0); }, x);
          }) == "✗ same\nThe shape is [1, 2], expected is [2].\n");
    CHECK(said([&](Judge& j) {
              j.equal(
                  "same", [&]() -> Tensor { return matmul(x, unsqueeze(x, 0)); }, x);
          }).starts_with("✗ same\nIt stopped with an error: matmul: "));
    CHECK(said([&](Judge& j) {
              j.equal(
                  "same", [&]() -> Tensor { not_written(); }, x);
          }) == "Not written yet.\n");
    CHECK(said([&](Judge& j) {
              j.number("half", [] { return 0.25; }, 0.5, {.mistakes = {{"twice", 0.25}}});
          }) == "✗ half\n0.25 is not right.\nA mistake that many make: twice.\n");
    CHECK(said([&](Judge& j) {
              j.choice(
                  "law", [] { return " Causal\n"; }, "causal");
          }) == "✓ law\n");
    CHECK(said([&](Judge& j) {
              j.choice("law", [] { return "mask"; }, "causal", {{"a mask is no law", "mask"}});
          }) == "✗ law\n\"mask\" is not right.\nA mistake that many make: a mask is no law.\n");
    CHECK(said([&](Judge& j) {
              j.equal("pieces", [] { return std::string("a b"); }, "ab", {{"not joined", "a b"}});
          }) ==
          "✗ pieces\nExpected \"ab\", found \"a b\".\nA mistake that many make: not joined.\n");
    CHECK(said([&](Judge& j) {
              j.refuses(
                  "sizes", [&] { matmul(x, unsqueeze(x, 0)); }, "no error");
          }) == "✓ sizes\n");
    CHECK(said([&](Judge& j) {
              j.refuses(
                  "sizes", [] {}, "It accepts them.");
          }) == "✗ sizes\nIt accepts them.\n");
    CHECK(said([&](Judge& j) {
              j.bytes(
                  "small", [] { zeros({1000}); }, 6000, "");
          }) == "✓ small\n");
    CHECK(said([&](Judge& j) {
              j.bytes(
                  "small", [] { zeros({1000000}); }, 6000, "A copy.");
          }).ends_with("MB at one time; 0.006 MB are enough. A copy.\n"));
    CHECK(said([&](Judge& j) {
              j.gradient("slope", [](const auto& in) { return detach(in[0]) * in[0]; }, {x});
          }).starts_with("✗ slope\nThe gradient of input 1 at index ["));
    // A mistake that gives the right numbers is a fault of judge.cpp.
    CHECK(said([&](Judge& j) {
              j.equal("same", [&] { return x; }, y, {.mistakes = {{"none", y}}});
          }).find("is no mistake here") != std::string::npos);
}

TEST_CASE("exercises: the word for a curve", "[lesson]") {
    const auto word = [](const std::vector<double>& y) { return std::string(curve(y)); };
    CHECK(word({1, 2, 4}) == "rises");
    CHECK(word({-4, -2, -1}) == "rises");
    CHECK(word({4, 2, 1, 1.1}) == "falls");  // with a little noise
    CHECK(word({4, 1, 3}) == "valley");
    CHECK(word({4, 3.9, 3.8, 3.7, 1, 2, 3, 4}) == "valley");
    CHECK(word({100, 104, 101}) == "flat");
    CHECK(word({0, 0, 0}) == "flat");
    CHECK_THROWS_AS(curve(std::vector<double>{1, 4, 2}), std::logic_error);
    CHECK_THROWS_AS(curve(std::vector<double>{4, 1, 1.5}), std::logic_error);  // not clearly
    CHECK_THROWS_AS(curve(std::vector<double>{0, 9, 10, 9.6, 9.2, 8.8}), std::logic_error);
    CHECK_THROWS_AS(curve(std::vector<double>{1, 2}), std::logic_error);
}

TEST_CASE("exercises: the library's own function is refused, the reader's is not", "[lesson]") {
    const auto refused = [](const std::string& source, const std::string& name) {
        Judge judge(source);
        judge.own({name});
        return judge.text();
    };
    for (const char* use :
         {"return softmax(x);", "y = softmax (x);", "heed::softmax(x)", "else softmax(x);",
          "x.softmax()", "p->softmax()", "f(softmax{})", "const Tensor& y = softmax(x);"}) {
        INFO(use);
        CHECK_THAT(refused(use, "softmax"), ContainsSubstring("Your file uses softmax() of"));
    }
    for (const char* other :
         {"log_softmax(x)", "softmax_of(x)", "Tensor softmax(const Tensor& x) { } softmax(y);",
          "const Tensor& softmax(int)", "std::vector<Tensor> softmax(int)", "int softmax = 3;"}) {
        INFO(other);
        CHECK(refused(other, "softmax") == "");
    }
    for (const char* use : {"MultiHead heads(8, 2, rng);", "const MultiHead& m", "MultiHead{8}",
                            "std::make_shared<MultiHead>(8)", "MultiHead m;"}) {
        INFO(use);
        CHECK_THAT(refused(use, "MultiHead"), ContainsSubstring("Your file uses MultiHead of"));
    }
    CHECK(refused("struct MultiHead { };", "MultiHead") == "");
    CHECK(refused("MultiHeadPooling p;", "MultiHead") == "");
}

TEST_CASE("exercises: the first error in the reader's file", "[lesson]") {
    const Scratch scratch;
    const std::string file = scratch.file("mine.h", "int a;\nint b\n");
    CHECK(first_error("x.h:1:1: note: no\n" + file + ":2:6: error: expected ';'\n", file) ==
          "Line 2: expected ';'\n    int b\n         ^\n");
    CHECK(first_error("judge.cpp:4:2: error: no function\n", file).find("no function") !=
          std::string::npos);
}

TEST_CASE("exercises: an incomplete exercise is refused by name", "[lesson][errors]") {
    const Scratch scratch;
    const std::string folder = scratch.path + "/lessons/03_x/exercises/1_y";
    fs::create_directories(folder);
    CHECK(exercises(scratch.path + "/nothing").empty());
    CHECK(error_of([&] { exercises(scratch.path); }) == folder + ": there is no task.h");
    for (const char* name : {"solution.h", "judge.cpp", "hints.md"})
        scratch.file(std::string("lessons/03_x/exercises/1_y/") + name, "");
    scratch.file("lessons/03_x/exercises/1_y/task.h", "//! Title\n");
    CHECK(error_of([&] { exercises(scratch.path); }) ==
          folder + "/task.h: expected a first line '//! # Title'");
    scratch.file("lessons/03_x/exercises/1_y/task.h", "//! # Title\n");
    CHECK(error_of([&] { exercises(scratch.path); }) ==
          folder + "/task.h: expected a line '//! Level N of 3, about M minutes.'");
    scratch.file("lessons/03_x/exercises/1_y/task.h",
                 "//! # Title\n//!\n//! Level 2 of 3, about 15 minutes.\nint f();\n");
    CHECK(error_of([&] { exercises(scratch.path); }) ==
          folder + "/hints.md: expected three hints, found 0");
    scratch.file("lessons/03_x/exercises/1_y/hints.md", "## 1\na\n## 2\nb\n## 3\nc\n");
    const std::vector<Exercise> all = exercises(scratch.path);
    REQUIRE(all.size() == 1);
    CHECK(all[0].id() == "03.1");
    CHECK(all[0].title == "Title");
    CHECK(all[0].level == 2);
    CHECK(all[0].minutes == 15);
    CHECK(all[0].file_name() == "03_1_y.h");
    CHECK(hints(all[0]) == std::vector<std::string>{"a\n", "b\n", "c\n"});
}
