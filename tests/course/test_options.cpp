// The command line of a lesson: valid options, and the messages for wrong ones.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/input_file.h"
#include "autograd/base/parallel.h"
#include "lessons/course/course.h"
#include "lessons/course/terminal/command_line.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/trial.h"

using namespace heed;
using namespace heed::course;

namespace {

// The error message of a lesson that refuses its options before its body runs.
std::string refusal(const std::vector<std::string>& words) {
    const Scratch scratch;
    Captured captured(scratch.path);
    Lesson lesson(about());
    int width = 4;
    bool swap = false, ran = false;
    std::string level = "word", valid;
    lesson.option("--width", width, "a width");
    lesson.option("--swap", swap, "swap");
    lesson.option("--level", level, {"word", "char"}, "units");
    lesson.input_file("--valid", valid, "pairs");
    int steps = 0;
    lesson.option("--steps", steps, "steps of training");
    const int status = run(lesson, words, [&] { ran = true; });
    if (status != 2 || ran) return "not refused";
    return captured.err();
}

}  // namespace

TEST_CASE("lesson: options reach their variables", "[lesson]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    const std::string data = scratch.file("d.tsv", "a\tb\n");
    Lesson lesson(about());
    int width = 4;
    double rate = 0.1;
    bool swap = false, other = false;
    std::string level = "word", valid;
    lesson.option("--width", width, "a width");
    lesson.option("--rate", rate, "a rate");
    lesson.option("--swap", swap, "swap");
    lesson.option("--other", other, "other");
    lesson.option("--level", level, {"word", "char"}, "units");
    lesson.input_file("--valid", valid, "pairs");
    const int threads_before = heed::threads();
    const int status =
        run(lesson,
            {"--swap", "--width=8", "--rate", "1e-3", "--level", "char", "--valid", data, "--data",
             data, "--threads", "1", "--save", scratch.path + "/m", "--out", scratch.path + "/o"},
            [] {});
    CHECK(heed::threads() == 1);
    heed::set_threads(threads_before);
    CHECK(status == 0);
    CHECK(width == 8);
    CHECK(rate == 1e-3);
    CHECK(swap);
    CHECK_FALSE(other);
    CHECK(level == "char");
    CHECK(valid == data);
    CHECK(lesson.options().data == data);
    CHECK(lesson.options().save == scratch.path + "/m");
    CHECK_FALSE(lesson.quick());
    CHECK(lesson.seed() == 1);
    CHECK(nlohmann::json::parse(read_file(scratch.path + "/o/results.json"))["data"] == data);
}

TEST_CASE("lesson: errors name the option and say what was expected", "[lesson][errors]") {
    CHECK(refusal({"--seed", "abc"}) ==
          "lesson 98: --seed: expected a whole number of 0 or more, found 'abc'\n");
    CHECK(refusal({"--seed", "-1"}) ==
          "lesson 98: --seed: expected a whole number of 0 or more, found '-1'\n");
    CHECK(refusal({"--seed", "99999999999999999999"}).find("found '999") != std::string::npos);
    CHECK(refusal({"--seed"}) == "lesson 98: --seed: expected one N after it\n");
    CHECK(refusal({"--seed", "1", "--seed", "2"}) ==
          "lesson 98: --seed: expected the option once, found it 2 times\n");
    CHECK(refusal({"--threads", "0"}) ==
          "lesson 98: --threads: expected a whole number from 1 to 1024, found '0'\n");
    CHECK(refusal({"--qiuck"}) == "lesson 98: --qiuck: unknown option; did you mean --quick?\n");
    CHECK(refusal({"--colourful"}) ==
          "lesson 98: --colourful: unknown option; --help lists all options\n");
    CHECK(refusal({"word"}) == "lesson 98: 'word': expected options only; --help lists them\n");
    CHECK(refusal({"--quick=no"}) ==
          "lesson 98: --quick: this option takes no value; found '--quick=no'\n");
    CHECK(refusal({"--width", "1.5"}).find("found '1.5'") != std::string::npos);
    CHECK(refusal({"--width", "0"}) ==
          "lesson 98: --width: expected a whole number of 1 or more, found '0'\n");
    CHECK(refusal({"--level", "byte"}) ==
          "lesson 98: --level: expected one of word, char, found 'byte'\n");
    CHECK(refusal({"--data", "/no/such"}) ==
          "lesson 98: --data: /no/such: cannot be read: there is no such file or folder\n");
    CHECK(refusal({"--valid", "/no/such"}).find("--valid: /no/such: cannot be read") !=
          std::string::npos);
    CHECK(refusal({"--load", "/no/such"}).find("--load: /no/such: cannot be read") !=
          std::string::npos);
    CHECK(refusal({"--data", "/dev/null"}) ==
          "lesson 98: --data: /dev/null: expected a file, found a device\n");
    CHECK(refusal({"--data", HEED_SOURCE_DIR "/docs"}) ==
          "lesson 98: --data: " HEED_SOURCE_DIR "/docs: expected a file, found a folder\n");
    CHECK(refusal({"--data", ""}) ==
          "lesson 98: --data: expected the name of a file, found nothing\n");
    CHECK(refusal({"--seed", "18446744073709551616"}) ==
          "lesson 98: --seed: expected a whole number of at most 9223372036854775807, found "
          "'18446744073709551616'\n");
    CHECK(refusal({"--load", __FILE__, "--steps", "5"}) ==
          "lesson 98: --steps: has no effect with --load, because nothing is trained then\n");
    CHECK(refusal({"--save", "/no/such/m"}) == "lesson 98: --save: there is no folder /no/such\n");
    CHECK(refusal({"--out", "/dev/null"}) ==
          "lesson 98: /dev/null: expected a folder, found a file\n");
}

TEST_CASE("lesson: a lesson without data or model refuses the option for it", "[lesson][errors]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    Lesson lesson({.number = 97, .name = "n", .title = "t", .question = "q"});
    CHECK(run(lesson, {"--data", "/dev/null"}, [] {}) == 2);
    CHECK(run(lesson, {"--load", "/dev/null"}, [] {}) == 2);
    const std::string text = captured.err();
    CHECK(text.find("--data: lesson 97 generates its data and reads no file") != std::string::npos);
    CHECK(text.find("--load: lesson 97 saves no model") != std::string::npos);
}

TEST_CASE("lesson: a lesson that trains nothing refuses --resume", "[lesson][errors]") {
    const Scratch scratch;
    const auto outcome = [&](const std::vector<std::string>& words) {
        Captured captured(scratch.path);
        Lesson lesson({.number = 97, .name = "n", .title = "t", .question = "q", .trains = false});
        const int status = run(lesson, words, [] {});
        return std::pair(status, captured.out() + captured.err());
    };
    CHECK(outcome({"--resume", scratch.path}) ==
          std::pair(2, std::string("lesson 97: --resume: lesson 97 trains nothing, so there is "
                                   "nothing to go on with; run it again without --resume\n")));
    const std::string help = outcome({"--help"}).second;
    const std::size_t line = help.find("--resume");
    CHECK(help.substr(line, help.find('\n', line) - line).find("(none in this lesson)") !=
          std::string::npos);
}

TEST_CASE("lesson: --help lists all options and runs nothing", "[lesson]") {
    const Scratch scratch;
    Captured captured(scratch.path);
    Lesson lesson(about());
    bool swap = false, ran = false;
    lesson.option("--swap", swap, "exchange the sides");
    CHECK(run(lesson, {"--help"}, [&] { ran = true; }) == 0);
    CHECK_FALSE(ran);
    const std::string text = captured.out();
    for (const char* name : {"--quick", "--seed", "--threads", "--data", "--out", "--save",
                             "--load", "--no-predict", "--help", "--swap", "exchange the sides"})
        CHECK(text.find(name) != std::string::npos);
}

TEST_CASE("options: what CLI11 says of a command line becomes a message like all others",
          "[lesson][errors]") {
    const auto said = [](const char* text) { return command_line_fault(text, "./heed chat"); };
    CHECK(said("The following argument was not expected: --foo") ==
          "--foo: unknown option; ./heed chat --help lists all options");
    CHECK(said("The following arguments were not expected: more extra") ==
          "'extra': expected nothing more; ./heed chat --help says what may stand here");
    CHECK(said("--order: 3 not in {1,2}") == "--order: expected 1 or 2, found '3'");
    CHECK(said("--kind: x not in {a,b,c}") == "--kind: expected a, b or c, found 'x'");
    CHECK(said("--against: x not in {pytorch}") == "--against: expected pytorch, found 'x'");
    CHECK(said("--temperature: Value abc not in range 0.000000 to 100.000000") ==
          "--temperature: expected a number from 0 to 100, found 'abc'");
    CHECK(said("--json: 1 required TEXT missing") == "--json: expected a value after it");
    CHECK(said("--order: At Most 1 required but received 2") == "--order: expected only once");
    CHECK(said("--order: x") == "--order: expected a number, found 'x'");
    CHECK(said("something else") == "something else");
}
