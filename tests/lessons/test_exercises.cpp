// Every exercise both ways: the task as it is given is "not written yet", the solution passes, and
// each wrong answer is refused with its own words. Exercises are found by their folders, so a new one
// needs no line here.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <regex>
#include <span>
#include <sstream>
#include <thread>
#include <vector>

#include "autograd/base/input_file.h"
#include "lessons/course/exercise/curve.h"
#include "lessons/course/exercise/judge.h"
#include "lessons/course/exercise/slips.h"
#include "lessons/course/exercise/workshop.h"
#include "lessons/course/exercise/wrong.h"
#include "lessons/course/report/files.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/screen.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

Tools tools() { return {HEED_CXX, HEED_BUILD_DIR}; }

struct Judged {
    std::string log;  // of the compiler
    Outcome task, solution;
    std::vector<Outcome> wrong;
    bool compiled = false;
};

struct Checked {
    Exercise exercise;
    std::vector<WrongAnswer> wrong;
    Judged judged{};
};

// "10.2", "no_tanh" -> "e10_2_no_tanh"
std::string name_of(const Exercise& exercise, const std::string& answer) {
    return fmt::format("e{}_{}_{}", exercise.lesson.file(), exercise.number, answer);
}

// The task, the solution and the wrong answers, whose files are made of their edits.
std::vector<Answer> answers_of(const Checked& one) {
    const std::string folder = one.exercise.folder, judge = folder + "/judge.cpp",
                      edited = fmt::format("{}/exercise/wrong", HEED_BUILD_DIR);
    std::vector<Answer> answers;
    for (const char* name : {"task", "solution"})
        answers.push_back(
            {name_of(one.exercise, name), fmt::format("{}/{}.h", folder, name), judge});
    make_folder(edited);
    for (const WrongAnswer& answer : one.wrong) {
        const std::string name = name_of(one.exercise, "wrong_" + answer.name),
                          file = fmt::format("{}/{}.h", edited, name);
        write_file(file, answer.source);
        answers.push_back({name, file, judge});
    }
    return answers;
}

// Judges the exercises of a lesson. They share a program: reading heed's headers and linking takes a
// third of its time.
void judge_lesson(std::span<Checked> exercises, const std::string& folder) {
    const std::string name = "lesson_" + exercises[0].exercise.lesson.file();
    std::vector<Answer> all;
    for (const Checked& one : exercises)
        for (const Answer& answer : answers_of(one)) all.push_back(answer);
    const Compiled compiled = compile_answers(
        all, folder + "/" + name, fmt::format("{}/exercise/{}", HEED_BUILD_DIR, name), tools());
    for (Checked& one : exercises) {
        one.judged.log = compiled.log;
        one.judged.compiled = !compiled.program.empty();
        if (!one.judged.compiled) continue;
        const auto outcome = [&](const std::string& answer) {
            return run_answer(compiled.program, name_of(one.exercise, answer));
        };
        one.judged.task = outcome("task");
        one.judged.solution = outcome("solution");
        for (const WrongAnswer& answer : one.wrong)
            one.judged.wrong.push_back(outcome("wrong_" + answer.name));
    }
}

// All exercises; as many lessons are compiled at the same time as there are processors.
std::vector<Checked> all_judged(const std::string& folder) {
    std::vector<Checked> all;
    std::vector<std::span<Checked>> lessons;
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR))
        all.push_back({exercise, wrong_answers(exercise)});
    for (auto first = all.begin(); first != all.end();) {
        const auto last = std::find_if(first, all.end(), [&](const Checked& one) {
            return one.exercise.lesson != first->exercise.lesson;
        });
        lessons.emplace_back(first, last);
        first = last;
    }
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back([&] {
            for (std::size_t k; (k = next++) < lessons.size();) judge_lesson(lessons[k], folder);
        });
    for (std::thread& worker : workers) worker.join();
    return all;
}

}  // namespace

TEST_CASE("exercises: task, solution and wrong answers are judged as they should be",
          "[lesson][exercises]") {
    // Once: Catch runs the test case from its beginning for every section.
    static const std::vector<Checked> all = [] {
        const Scratch scratch;
        return all_judged(scratch.path);
    }();
    REQUIRE_FALSE(all.empty());
    for (const auto& [exercise, wrong, judged] : all) {
        DYNAMIC_SECTION(exercise.id() << " " << exercise.title) {
            INFO(judged.log);
            // Without the precompiled headers it takes three times as long.
            CHECK(judged.log.find("invalid-pch") == std::string::npos);
            REQUIRE(judged.compiled);
            INFO("the task: " << judged.task.text);
            CHECK(judged.task.kind == Outcome::Kind::not_written);
            INFO("the solution: " << judged.solution.text);
            CHECK(judged.solution.kind == Outcome::Kind::solved);
            CHECK(judged.solution.text.find("✓") != std::string::npos);
            CHECK(wrong.size() >= 2);
            for (std::size_t i = 0; i < wrong.size(); ++i) {
                INFO(wrong[i].name << ": " << judged.wrong[i].text);
                CHECK(judged.wrong[i].kind == Outcome::Kind::not_yet);
                CHECK(judged.wrong[i].text.find(wrong[i].words) != std::string::npos);
            }
            for (const std::string& hint : hints(exercise)) CHECK(words_in(hint) >= 8);
            CHECK_NOTHROW(prose_html(task_text(exercise)));
            for (const std::string& hint : hints(exercise)) CHECK_NOTHROW(prose_html(hint));
        }
    }
}

TEST_CASE("exercises: what has not changed is not compiled again", "[lesson][exercises]") {
    const Scratch scratch;
    const std::string judge = scratch.file("judge.cpp",
                                           "#include \"lessons/course/exercise/judge.h\"\n"
                                           "#include HEED_ANSWER\n"
                                           "void judge(course::Judge& judge) {\n"
                                           "    judge.number(\"three\", my_number, 3);\n}\n"),
                      program = scratch.path + "/program", kept = scratch.path + "/kept/object";
    const auto kind = [&](const std::string& answer) {
        const std::string file = scratch.file("answer.h", answer);
        const Compiled compiled = compile_answers({{"mine", file, judge}}, program, kept, tools());
        INFO(compiled.log);
        REQUIRE_FALSE(compiled.program.empty());
        return run_answer(program, "mine").kind;
    };
    // The one object file that is kept, with the time at which it was written.
    const auto object = [&] {
        std::vector<std::pair<fs::path, fs::file_time_type>> files;
        for (const auto& entry : fs::directory_iterator(scratch.path + "/kept"))
            files.emplace_back(entry.path(), entry.last_write_time());
        REQUIRE(files.size() == 1);
        return files[0];
    };
    const std::string wrong = "double my_number() { return 2; }\n",
                      right = "double my_number() { return 3; }\n";
    CHECK(kind(wrong) == Outcome::Kind::not_yet);
    const auto first = object();
    CHECK(kind(wrong) == Outcome::Kind::not_yet);
    CHECK(object() == first);
    CHECK(kind(right) == Outcome::Kind::solved);
    CHECK(object().first != first.first);
}

namespace {

// A judge of two checks: a number, and a tensor with its gradient.
constexpr const char* small_judge =
    "#include \"lessons/course/exercise/judge.h\"\n"
    "#include HEED_ANSWER\n"
    "void judge(course::Judge& judge) {\n"
    "    judge.number(\"three\", [] { return 3; }, 3);\n"
    "    const Tensor x = tensor({1., 2.}, Dtype::float64);\n"
    "    judge.given({{\"x\", x}});\n"
    "    judge.equal(\"twice\", [&] { return twice(x); }, 2. * x);\n"
    "    judge.gradient(\"slope\", [](const auto& in) { return twice(in[0]); }, {x});\n}\n";
constexpr const char* head =
    "#include <cassert>\n#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n"
    "#include \"lessons/course/exercise/write.h\"\n";

struct Try {
    std::string name, body;
    Outcome::Kind kind;
    std::string words;
};

}  // namespace

TEST_CASE("exercises: only the judge's own word is a verdict", "[lesson][exercises]") {
    using Kind = Outcome::Kind;
    const std::string reached = "✓ three\n✗ twice\n";
    const std::vector<Try> tries{
        {"right", "return x + x;", Kind::solved, "✓ three\n✓ twice\n✓ slope\n"},
        {"closed", "fclose(stdout); close(2); return x + x;", Kind::solved, "✓ slope\n"},
        {"ends", "std::_Exit(0);", Kind::ended_early, reached + "The program ended here"},
        {"ends_well", "printf(\"All is well\\n\"); exit(0);", Kind::ended_early,
         "All is well\n✓ three"},
        {"aborts", "std::abort();", Kind::crashed,
         reached + "The program crashed: abort() was called"},
        {"asserts", "assert(x.dim() == 7); return x + x;", Kind::crashed,
         "The program crashed: the assertion x.dim() == 7 does not hold."},
        {"null", "int* volatile p = nullptr; *p = 1; return x;", Kind::crashed,
         "memory that is not its own"},
        {"throws", "throw 3;", Kind::not_yet,
         "an exception of the type int, which nobody catches.\nLine "},
        {"unassigned", "return Tensor(x) + Tensor();", Kind::not_yet, "a tensor has no numbers."},
        {"throws_text", "throw std::string(\"no\");", Kind::not_yet,
         "thrown the text \"no\", which"},
        {"outside", "const std::vector<double> two{1, 2}; return x * two[x.size(0) + 1];",
         Kind::crashed, "an index is outside of its vector"},
        {"huge", "const std::vector<double> v(1ull << 45); return x * v[0];", Kind::not_yet,
         "there is not so much memory"},
        {"longer", "std::vector<double> v; v.resize(-1); return x * v[0];", Kind::not_yet,
         "cannot be so long"},
        {"twice_freed", "int* p = new int; delete p; delete p; return x;", Kind::crashed,
         "memory was damaged (an index outside, or something was freed twice)"},
        {"minus", "return -2. * x;", Kind::not_yet, "All numbers have the opposite sign."},
        {"none", "return {};", Kind::not_yet, "Your function has returned an empty tensor"},
        {"nothing", "return x * 0. / 0.;", Kind::not_yet,
         "At index [0]: expected 2, found nan.\nnan is the result of 0/0"},
        {"cut", "return detach(x) + x - x + x;", Kind::not_yet,
         "Your file uses detach, which takes"},
        {"off", "return 2. * detach(x);", Kind::not_yet, "The result has no gradient"},
        {"prints", "while (true) puts(\"1234567890 1234567890 1234567890\");", Kind::crashed,
         "it printed more than 8 MB"},
        {"in_place", "Tensor y = x; y.edit<double>()[1] *= 2; return 3. * x;", Kind::not_yet,
         reached +
             "Your function has changed x, which must stay as it is: at index [1] it was 2, and "
             "is 4 after the call."},
        {"in_place_later",
         "Tensor y = x; if (x.requires_grad()) y.edit<double>()[0] = 7; return x + x;",
         Kind::not_yet, "✗ slope\nYour function has changed x, which"},
        {"in_a_float", "return x * 0.1f * 20.;", Kind::not_yet, "as exact as a float is"},
        {"as_float32", "return to_dtype(to_dtype(x + x, Dtype::float32), Dtype::float32);",
         Kind::not_yet,
         "The numbers are right, but the result is float32, and float64 is expected."},
        {"everywhere",
         "for (int i = 0; i < 64; ++i) { if (write(i, \"\\nverdict solved\\n\", 16)) continue; } return x;",
         Kind::not_yet, "✗ twice\nAt index [0]: expected 2, found 1."},
        {"early",
         "for (int i = 3; i < 64; ++i) { if (write(i, \"verdict solved\\n\", 15)) continue; } "
         "std::_Exit(0);",
         Kind::ended_early, "The program ended here"},
        {"guessed",  // a line of the right form, with another word
         "for (int i = 3; i < 64; ++i) { if (write(i, \"\\n0123456789abcdef verdict solved\\n\", 33)) "
         "continue; } std::_Exit(0);",
         Kind::ended_early, "The program ended here"},
        {"halved", "return x;", Kind::not_yet,
         "All numbers are 0.5 times the expected ones. Is there a division by 2, the root of 4, too many?"},
        {"macros",
         "\n#define main my_main\n# define judge my_judge\n#define equal number\n#define run_judge(a, b, c) 0\n"
         "#define HEED_ANSWER \"nothing.h\"\nreturn x + x;",
         Kind::solved, "✓ slope\n"},
        {"later", "not_written();", Kind::not_written, "The next part is not written yet."},
    };
    const Scratch scratch;
    const std::string judge = scratch.file("judge.cpp", small_judge);
    std::vector<Answer> answers;
    for (const Try& one : tries)
        answers.push_back(
            {"a_" + one.name,
             scratch.file(one.name + ".h", std::string(head) + "Tensor twice(const Tensor& x) {\n" +
                                               one.body + "\n}\n"),
             judge});
    const Compiled compiled =
        compile_answers(answers, scratch.path + "/program", scratch.path + "/kept/object", tools());
    INFO(compiled.log);
    REQUIRE_FALSE(compiled.program.empty());
    for (const Try& one : tries) {
        const Outcome outcome = run_answer(compiled.program, "a_" + one.name);
        INFO(one.name << ": " << outcome.text);
        CHECK(outcome.kind == one.kind);
        CHECK(outcome.text.find(one.words) != std::string::npos);
        CHECK(outcome.text.find("-nan") == std::string::npos);
        const std::size_t mark = outcome.text.find("✗");  // at the beginning of a line
        CHECK((mark == std::string::npos || mark == 0 || outcome.text[mark - 1] == '\n'));
        CHECK(outcome.text.size() < 4000);
    }
}

TEST_CASE("exercises: a crash is found in the reader's file, quickly", "[lesson][exercises]") {
    const Scratch scratch;
    scratch.file("judge.cpp", small_judge);
    Exercise exercise;
    exercise.folder = scratch.path;
    exercise.name = "a_trial_of_crashes";
    const auto judged = [&](const std::string& text) {
        bool searched = false;
        const Outcome outcome = judge_file(exercise, scratch.file("mine.h", text), tools(),
                                           [&](const std::string&) { searched = true; });
        CHECK_FALSE(searched);
        return outcome;
    };
    const Outcome aborted =
        judged(std::string(head) + "Tensor twice(const Tensor&) {\n    std::abort();\n}\n");
    INFO(aborted.text);
    CHECK(aborted.kind == Outcome::Kind::crashed);
#ifdef __linux__
    CHECK(aborted.text.find("Line 7:\n        std::abort();\n") != std::string::npos);
    const Outcome deep = judged(std::string(head) +
                                "int f(int i) { return f(i + 1) + f(i + 2); }\n"
                                "Tensor twice(const Tensor& x) { return x * f(1); }\n");
    INFO(deep.text);
    CHECK(deep.text.find("its stack is used up") != std::string::npos);
    CHECK(deep.text.find("Line 6:") != std::string::npos);
#endif
    // The first call is on another line than the others, and has the last bytes of the stack.
    const Outcome deeper = judged(std::string(head) +
                                  "Tensor twice(const Tensor& x) {\n    const Tensor y = x + x;\n"
                                  "    return twice(y) + y;\n}\n");
    INFO(deeper.text);
#ifdef __linux__
    CHECK(deeper.text.find("its stack is used up") != std::string::npos);
    CHECK(deeper.text.find("Line 8:") != std::string::npos);
#endif
    const Outcome without = judged(
        std::string(head) + "Tensor twice(const Tensor& x) {\n    const Tensor y = x + x;\n}\n");
    INFO(without.text);
    CHECK(without.kind != Outcome::Kind::solved);
    CHECK(without.text.find("Line 8: here a function ends without a return") != std::string::npos);
    const Outcome empty = judged("// nothing yet\n\n");
    CHECK(empty.kind == Outcome::Kind::not_written);
    CHECK(empty.text == "Your file is empty.\n");
}

namespace {

// An exercise of this judge, and what is said about an answer to it.
struct Trial {
    Scratch scratch;
    Exercise exercise{};

    // Tests run side by side, and programs of exercises lie in one folder: each test needs a name.
    Trial(const std::string& name, const std::string& solution) {
        exercise.folder = scratch.path + "/exercises/1_trial";
        exercise.name = name;
        fs::create_directories(exercise.folder);
        scratch.file("exercises/1_trial/judge.cpp", small_judge);
        scratch.file("exercises/1_trial/solution.h", head + solution);
    }
    Outcome judged(const std::string& text) const {
        return judge_file(exercise, scratch.file("mine.h", text), tools());
    }
};

constexpr const char* twice = "Tensor twice(const Tensor& x) { return x + x; }\n";

}  // namespace

TEST_CASE("exercises: the solution is no answer, by whatever way it is included",
          "[lesson][exercises]") {
    const Trial trial("a_trial_of_solutions", twice);
    const std::string solution = trial.exercise.folder + "/solution.h",
                      link = trial.scratch.path + "/innocent.h";
    fs::create_symlink(solution, link);
    const std::string refused = "✗ written by you\nYour file includes the solution";
    const std::vector<std::string> ways{
        "#include \"" + solution + "\"\n", "#include \"" + link + "\"\n",
        "#define SOLUTION \"" + solution + "\"\n#include SOLUTION\n",
        "#define TEXT(x) #x\n#define WHOLE(x) TEXT(x)\n#include WHOLE(" + trial.exercise.folder +
            "/solution.h)\n"};
    for (const std::string& way : ways) {
        const Outcome outcome = trial.judged(head + way);
        INFO(way << outcome.text);
        CHECK(outcome.kind == Outcome::Kind::not_yet);
        CHECK(outcome.text.starts_with(refused));
    }
    const Outcome own = trial.judged(std::string(head) + twice);
    INFO(own.text);
    CHECK(own.kind == Outcome::Kind::solved);
}

TEST_CASE("exercises: two judges of one exercise wait for each other", "[lesson][exercises]") {
    const Trial trial("a_trial_of_two", twice);
    const std::string file = trial.scratch.file("mine.h", std::string(head) + twice);
    std::atomic<int> waiting = 0;
    const auto judge = [&] {
        return judge_file(trial.exercise, file, tools(), [&](const std::string& why) {
            waiting += why.find("being judged already") != std::string::npos;
        });
    };
    std::future<Outcome> other = std::async(std::launch::async, judge);
    const Outcome own = judge();
    INFO(own.text);
    CHECK(own.kind == Outcome::Kind::solved);
    CHECK(other.get().kind == Outcome::Kind::solved);
    CHECK(waiting == 1);
}

TEST_CASE("exercises: a long line is no fault, and a file that nobody wrote is refused at once",
          "[lesson][exercises]") {
    const Trial trial("a_trial_of_length", twice);
    const std::string many(60'000, 'x');
    CHECK(trial.judged(std::string(head) + "// " + many + "\n#define LONG_" + many + " 1\n" + twice)
              .kind == Outcome::Kind::not_written);  // 120,000 bytes
    const Outcome right = trial.judged(std::string(head) + "// " + many + "\n" + twice);
    INFO(right.text);
    CHECK(right.kind == Outcome::Kind::solved);
    const Outcome wrong = trial.judged(std::string(head) +
                                       "Tensor twice(const Tensor& x) { return " + many + "; }\n");
    CHECK(wrong.kind == Outcome::Kind::does_not_compile);
    CHECK(wrong.text.starts_with("Line "));
    const Outcome huge = trial.judged(std::string(2'000'000, ' ') + twice);
    CHECK(huge.text.starts_with("Your file is too long: "));
}

TEST_CASE("exercises: an endless loop and a slow answer get different messages",
          "[lesson][exercises]") {
    const Trial trial("a_trial_of_time", twice);
    const Outcome endless = trial.judged(
        std::string(head) +
        "Tensor twice(const Tensor& x) {\n    volatile int i = 0;\n    while (i == 0) {}\n"
        "    return x;\n}\n");
    INFO(endless.text);
    CHECK(endless.kind == Outcome::Kind::too_long);
    CHECK(endless.text.find(
              "✗ twice\nStill running after 10 s, so it was stopped. The checks before this "
              "one took 0.") != std::string::npos);
    CHECK(endless.text.find("a loop that does not end") != std::string::npos);
#ifdef __linux__
    CHECK(endless.text.find("was running:\n        while (i == 0) {}\n") != std::string::npos);
#endif
    CHECK(endless.text.find("Our solution takes ") != std::string::npos);
    const Outcome slow = trial.judged(
        std::string(head) +
        "Tensor twice(const Tensor& x) {\n    usleep(3500000);\n    return x + x;\n}\n");
    INFO(slow.text);
    CHECK(slow.kind == Outcome::Kind::too_long);
    CHECK(slow.text.find("✗ slope\nStill running") != std::string::npos);
    CHECK(slow.text.find(" s: your file is slow, rather than without an end.") !=
          std::string::npos);
}

// compile_answers() knows that these headers have changed, and no others.
TEST_CASE("exercises: they include the libraries and what is made for judges", "[lesson][house]") {
    const std::regex include("#include \"(.*)\""),
        allowed("(autograd|nn|attention)/.*|lessons/course/exercise/(judge|curve|write)\\.h");
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR))
        for (const char* name : {"task.h", "solution.h", "judge.cpp"}) {
            const std::string file = exercise.folder + "/" + name, source = heed::read_file(file);
            std::sregex_iterator i(source.begin(), source.end(), include), end;
            INFO(file);
            CHECK(i != end);
            for (; i != end; ++i) {
                INFO(i->str());
                CHECK(std::regex_match(i->str(1), allowed));
            }
        }
}

TEST_CASE("exercises: wrong answers are edits of the solution", "[lesson][errors]") {
    const std::string solution = "int f() {\n    int a = 1;  // one\n    return a + a;\n}\n";
    const auto wrong = [&](const std::string& text) {
        return parse_wrong(text, "wrong.txt", solution);
    };
    const std::vector<WrongAnswer> all = wrong(
        "# A comment.\n\ntwo: it is two\n- int a = 1;\n+ int a = 2;\n\n"
        "# Several lines, a part of a line, and nothing instead.\n"
        "short_one: no: 1\n- int f() {\n-     int a = 1;\n+ int f(int a) {\n+     ++a;\n"
        "- + a;\n+ ;\n- return\n+\n");
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "two");
    CHECK(all[0].words == "it is two");
    CHECK(all[0].source == "int f() {\nint a = 2;  // one\nreturn a + a;\n}\n");
    CHECK(all[1].name == "short_one");
    CHECK(all[1].words == "no: 1");
    CHECK(all[1].source == "int f(int a) {\n++a;  // one\n a ;\n}\n");

    const auto message = [&](const std::string& text) { return error_of([&] { wrong(text); }); };
    const std::string name = "expected a line 'name: words that the judge must find', found ";
    CHECK(message("two it is\n") == "wrong.txt: line 1: " + name + "'two it is'");
    CHECK(message("it is: two\n") == "wrong.txt: line 1: " + name + "'it is: two'");
    CHECK(message("two: \n") == "wrong.txt: line 1: " + name + "'two: '");
    CHECK(message("- int a = 1;\n") == "wrong.txt: line 1: " + name + "'- int a = 1;'");
    CHECK(message("two: it is two\n\n- int a = 1;\n+ b\n") ==
          "wrong.txt: line 2: expected a line '- ' of the solution, found ''");
    CHECK(message("two: it is two\n+ b\n") ==
          "wrong.txt: line 2: expected a line '- ' of the solution, found '+ b'");
    CHECK(message("two: it is two\n- int a = 1;\n") ==
          "wrong.txt: line 3: expected a line '+ ', or '+' alone to delete, found ''");
    CHECK(message("two: it is two\n-int a = 1;\n+ b\n") ==
          "wrong.txt: line 2: expected a blank after the sign, found '-int a = 1;'");
    CHECK(message("two: it is two\n- int a = 1;\n+ b\nc\n") ==
          "wrong.txt: line 4: expected a line '- ' of the solution, found 'c'");
    const std::string once = "expected text that occurs once in the solution; this occurs ";
    CHECK(message("two: it is two\n- int b = 1;\n+ c\n") ==
          "wrong.txt: line 2: " + once + "0 times");
    CHECK(message("two: it is two\n# Here.\n- int a\n+ int b\n- a\n+ b\n") ==
          "wrong.txt: line 5: " + once + "2 times");
    CHECK(message("two: it is\n- = 1\n+ = 2\n\ntwo: so\n- = 1\n+ = 3\n") ==
          "wrong.txt: two answers are called 'two'");
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
          }) ==
          "✗ same\nThe shape is [1, 2], expected is [2].\nThe numbers themselves are right.\n");
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
              j.number(
                  "half", [] { return 50; }, 0.5);
          }) == "✗ half\n50 is not right.\nIf it is in percent: 25 % is the number 0.25.\n");
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
    // What all numbers have in common, unless the mistake is known by name.
    const Tensor square = tensor({1., 2., 3., 4.}, {2, 2}),
                 wide = tensor({1., 2., 3., 4., 5., 6.}, {2, 3});
    const auto compared = [&](const Tensor& found, const Tensor& expected) {
        return said([&](Judge& j) {
            j.equal(
                "same", [&] { return found; }, expected);
        });
    };
    CHECK(compared(transpose(square), square)
              .ends_with("transposed: rows and columns are exchanged.\n"));
    CHECK(
        compared(transpose(wide), wide).ends_with("transposed: rows and columns are exchanged.\n"));
    CHECK(compared(-square, square).ends_with("All numbers have the opposite sign.\n"));
    CHECK(
        compared(square * 0.25, square)
            .ends_with(
                "All numbers are 0.25 times the expected ones. Is there a division by 4, the root of 16, too many?\n"));
    CHECK(compared(square * 0., square) == "✗ same\nAt index [0, 0]: expected 1, found 0.\n");
    CHECK(compared(tensor({6.}), tensor({3.})) == "✗ same\nAt index [0]: expected 3, found 6.\n");
    // A rounded number is not taken for the answer of a known mistake. A word that is not in the list is
    // answered with the list.
    const auto guessed = [&](double number) {
        return said([&](Judge& j) {
            j.number("lowest", [&] { return number; }, 5.4, {.mistakes = {{"the middle", 5}}});
        });
    };
    CHECK(guessed(5) == "✗ lowest\n5 is not right.\nIf it is rounded, give more digits.\n");
    CHECK(guessed(4) == "✗ lowest\n4 is not right.\n");
    const auto chosen = [&](const std::string& word, const std::string& right) {
        return said([&](Judge& j) {
            j.choice("law", [&] { return word; }, right, {{"a slip", "sum"}});
        });
    };
    CHECK(chosen("what", "order") ==
          "✗ law\n\"what\" is not right.\nThe words to choose from: order, sum.\n");
    CHECK(chosen("Sum ", "order").ends_with("A mistake that many make: a slip.\n"));
    CHECK(chosen("hill", "flat").ends_with("from: falls, flat, rises, sum, valley.\n"));
    // A mistake that gives the right numbers is a fault of judge.cpp.
    CHECK(said([&](Judge& j) {
              j.equal("same", [&] { return x; }, y, {.mistakes = {{"none", y}}});
          }).find("is no mistake here") != std::string::npos);
}

TEST_CASE("exercises: slips that can happen everywhere", "[lesson]") {
    const auto d64 = Dtype::float64;
    const Tensor scores = tensor({0.3, -1.2, 2.5, 0.9, 1.1, -0.4, 0.2, 0.6, -2., 1.7, -0.8, 0.1},
                                 {3, 4}, d64),
                 weights = softmax(scores, -1), numbers = scores + 3.;
    const auto slip = [](const Tensor& found, const Tensor& expected) {
        return slip_in(found, expected, 1e-6);
    };
    const double root = std::sqrt(5.);
    CHECK(
        slip(scores * root, scores) ==
        "\nAll numbers are 2.236 times the expected ones. Is a division by the root of 5 missing?");
    CHECK(
        slip(scores / root, scores) ==
        "\nAll numbers are 0.4472 times the expected ones. Is there a division by the root of 5 too many?");
    CHECK(slip(scores * 12., scores) ==
          "\nAll numbers are 12 times the expected ones. Is a division by 12 missing?");
    CHECK(
        slip(scores * 3., scores) ==
        "\nAll numbers are 3 times the expected ones. Is a division by 3, the root of 9, missing?");
    CHECK(slip(scores * 1.00002, scores) == "\nAll numbers are 1.00002 times the expected ones.");
    CHECK(slip(-scores, scores) == "\nAll numbers have the opposite sign.");
    CHECK(
        slip(softmax(scores * 2., -1), weights) ==
        "\nThese are the weights of scores that are 2 times the right ones. Is a division by 2, the "
        "root of 4, missing?");
    CHECK(slip(softmax(-scores, -1), weights) ==
          "\nThese are the weights of scores with the opposite sign.");
    CHECK(slip(softmax(scores * 0., -1), weights) ==
          "\nAll weights are equal, whatever the scores are.");
    CHECK_THAT(slip(softmax(scores, 0), weights),
               ContainsSubstring("sum to 1 along axis 0, and should along axis 1"));
    CHECK_THAT(slip(reshape(softmax(flatten(scores)), {3, 4}), weights),
               ContainsSubstring("All weights together sum to 1, and should along axis 1"));
    CHECK(slip(unsqueeze(scores, 0), scores) == "\nThe numbers themselves are right.");
    CHECK(slip(unsqueeze(square(scores), 0), scores).empty());
    CHECK(slip(exp(scores), weights) ==
          "\nOnly the division of the weights by their sum along axis 1 is missing.");
    const Tensor mask = tensor({1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1}, {3, 4}, d64);
    CHECK_THAT(slip(masked_softmax(scores * root, mask), masked_softmax(scores, mask)),
               ContainsSubstring("the root of 5 missing"));
    CHECK(slip(transpose(scores), scores).ends_with("rows and columns are exchanged."));
    CHECK(slip(transpose(reshape(scores, {2, 3, 2}), 0, 2), reshape(scores, {2, 3, 2})) ==
          "\nThe axes 0 and 2 are exchanged.");
    CHECK(slip(flip(scores, 1), scores) ==
          "\nThe expected numbers stand in the opposite order along axis 1.");
    const Tensor row = tensor({1, 4, 2, 8, 5}, d64);
    CHECK(slip(tensor({4, 1, 8, 2}, d64), tensor({1, 4, 2, 8}, d64)) ==
          "\nNeighbours are exchanged: index 0 with 1, and so on.");
    CHECK(slip(tensor({4, 2, 8, 5, 0}, d64), row) == "\nEach number stands one index too early.");
    CHECK(slip(tensor({0, 1, 4, 2, 8}, d64), row) == "\nEach number stands one index too late.");
    CHECK(slip(1. - weights, weights) == "\nThese are 1 minus the expected numbers.");
    CHECK(slip(log(weights), weights) == "\nThese are the logarithms of the expected numbers.");
    CHECK(slip(exp(scores), scores) == "\nThe expected numbers are the logarithms of these.");
    CHECK(slip(square(numbers), numbers) == "\nThese are the squares of the expected numbers.");
    CHECK(slip(sqrt(numbers), numbers) == "\nThese are the roots of the expected numbers.");
    CHECK(slip(1. / numbers, numbers) == "\nThese are 1 over the expected numbers.");
    CHECK(slip(scores - 0.5, scores) == "\nAll numbers are too small by 0.5.");
    // What is only nearly right is no slip of any kind, and neither are other numbers, too few of them, or equal ones.
    for (const Tensor& found :
         {scores + 1e-7 * square(scores), square(scores) - scores, scores * std::nan("")})
        CHECK(slip(found, scores).empty());
    CHECK(slip(tensor({6.}), tensor({3.})).empty());
    CHECK(slip(ones({3}), zeros({3})).empty());
    // An argument that is missing in the result, or too much.
    const Tensor x = tensor({1, 2, 6, 3}, d64);
    const auto with_x = [&](const Tensor& found) { return slip_with("x", x, found, scores, 1e-6); };
    CHECK(with_x(scores - x) == "\nThese are the expected numbers without x: is it not added?");
    CHECK(with_x(scores + x) == "\nThese are the expected numbers plus x.");
    CHECK(with_x(scores / x) == "\nThese are the expected numbers without the factor x.");
    CHECK(with_x(scores * x) == "\nThese are the expected numbers times x.");
    CHECK(with_x(square(scores)).empty());
    CHECK(slip_with("x", scores, scores, weights, 1e-6) == "\nThis is the argument x itself.");
    CHECK(slip_with("x", tensor({1.}, d64), tensor({2.}, d64), tensor({3.}, d64), 1e-6).empty());
    CHECK(factor_text(1 + 1e-9) == "1.000000001");
    CHECK(factor_text(-1) == "-1");
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
          "const Tensor& softmax(int)", "std::vector<Tensor> softmax(int)", "int softmax = 3;",
          "const auto softmax = [](double x) { return x; }; y = softmax(1);",
          "y = softmax(1); } double softmax(double x) {",
          "f([](auto&& softmax) { return softmax(2); })",
          "double sum = 0, softmax = 1; x = sum + double(softmax); softmax (3);",
          "const auto [sum, softmax] = both(); softmax(3);",
          "for (auto& softmax : all) softmax(1);"}) {
        INFO(other);
        CHECK(refused(other, "softmax") == "");
    }
    CHECK_THAT(refused("#define GLUE(a, b) a##b\ny = GLUE(soft, max)(x);", "softmax"),
               ContainsSubstring("makes names of pieces, with ##"));
    // A name of the reader's does not hide the library's.
    for (const char* use :
         {"auto softmax = [](auto x) { return heed::softmax(x); };", "a > softmax(x)",
          "a && softmax(x)", "return softmax(y == 1 ? x : 2)", "if (a, softmax(x) == 1)"}) {
        INFO(use);
        CHECK_THAT(refused(use, "softmax"), ContainsSubstring("Your file uses softmax() of"));
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
    // What is missing at the end of a line is missed at the beginning of the next one.
    const std::string two = scratch.file("two.h", "int a = 1\n// so\n\nint b;\nint c = a b;\n");
    CHECK(first_error(two + ":4:1: error: expected ‘,’ or ‘;’ before ‘int’\n", two) ==
          "Line 1: there is no ; at its end\n    int a = 1\n");
    CHECK(first_error(two + ":5:11: error: expected ‘,’ or ‘;’ before ‘b’\n", two)
              .starts_with("Line 5: expected"));
    const std::string warned = two + ":5:11: warning: ";
    CHECK(telling_warning(warned + "unused variable ‘c’ [-Wunused-variable]\n", two).empty());
    CHECK(telling_warning("x.h:5:1: warning: no return [-Wreturn-type]\n", two).empty());
    CHECK(telling_warning(warned + "no return [-Wreturn-type]\n", two) ==
          "Line 5: here a function ends without a return, so its result is left to chance\n"
          "    int c = a b;\n");
    CHECK(telling_warning(warned + "division by zero [-Wdiv-by-zero]\n", two) ==
          "Line 5: the compiler warns: division by zero\n    int c = a b;\n");
    const std::string wide = scratch.file("wide.h", "int a;  // ；\nint b = 1；\n");
    CHECK(first_error(wide + ":2:9: error: no literal operator\n", wide) ==
          "Line 2: C++ does not know the sign ；\n    int b = 1；\n");
    CHECK(first_error(wide + ":1:5: error: nothing\n", wide).starts_with("Line 1: nothing"));
    CHECK(first_error("judge.cpp:4:2: error: no function\n", file).find("no function") !=
          std::string::npos);
}

TEST_CASE("exercises: an incomplete exercise is refused by name", "[lesson][errors]") {
    const Scratch scratch;
    const std::string folder = scratch.path + "/lessons/03_x/exercises/1_y";
    fs::create_directories(folder);
    CHECK(exercises(scratch.path + "/nothing").empty());
    CHECK(error_of([&] { exercises(scratch.path); }) == folder + ": there is no task.h");
    for (const char* name : {"solution.h", "judge.cpp", "hints.md", "wrong.txt"})
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

TEST_CASE("exercises: a brace or a header that is wrong has its line", "[lesson][exercises]") {
    const Scratch scratch;
    const auto said = [&](const std::string& text, const std::string& error) {
        return first_error("/judge.cpp:9:1: error: " + error + "\n", scratch.file("mine.h", text));
    };
    const std::string behind = "a function-definition is not allowed here before '{' token";
    CHECK_THAT(said("int a() {\n    return 1;\n", behind),
               ContainsSubstring("Line 1: this { is never closed"));
    CHECK_THAT(said("int a() {\n    if (true) {\n    return '}';  // }\n}\n", behind),
               ContainsSubstring("Line 1: this { is never closed"));
    CHECK_THAT(said("int a() { return 1; }\n}\n", behind),
               ContainsSubstring("Line 2: this } closes nothing"));
    CHECK_THAT(said("// mine\n#include <vectr>\n", "vectr: No such file or directory"),
               ContainsSubstring("Line 2: there is no header 'vectr'"));
    CHECK_THAT(said("int a();\n", behind), ContainsSubstring("Your file by itself compiles"));
}
