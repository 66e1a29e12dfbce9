// The reader's own programs, ./heed learn N --mine and ./heed chat FILE --mine: the translator, the eye and the
// GPT made of solutions have the losses and gradients of the library's, a published model has its logits, and a
// part that is wrong is noticed.
#include <fstream>

#include "lessons/course/contents/records.h"
#include "lessons/course/exercise/own_options.h"
#include "lessons/course/exercise/own_program.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

// Compiles the program with one file in place of the solution of an exercise, and trains.
Ended train_with(const std::string& program, const std::string& exercise_name,
                 const std::string& file, const Scratch& scratch, const std::string& options) {
    const FileOf file_of = [&](const Exercise& exercise) {
        return exercise.name == exercise_name ? file : std::string();
    };
    const Compiled compiled = compile_source(
        own_program_source(own_program(program), exercises(HEED_SOURCE_DIR), file_of),
        scratch.path + "/own", {HEED_CXX, HEED_BUILD_DIR});
    INFO(compiled.log);
    REQUIRE_FALSE(compiled.program.empty());
    return run(compiled.program, options, scratch);
}

std::string solution_of(const std::string& name) {
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR))
        if (exercise.name == name) return exercise.folder + "/solution.h";
    FAIL("no exercise " << name);
    return {};
}

void check_program(const std::string& name, const std::string& steps) {
    const Scratch scratch;
    const Ended ended = train_with(name, "cross_entropy", solution_of("cross_entropy"), scratch,
                                   "--steps " + steps);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK_THAT(ended.out,
               ContainsSubstring("✓ largest difference of the two losses in the first " + steps));
    // One part is the reader's, the others are not.
    const std::size_t you = ended.out.find(" you ");
    CHECK(you != std::string::npos);
    CHECK(ended.out.find(" you ", you + 1) == std::string::npos);
    for (const OwnPart& part : own_program(name).parts)
        CHECK_THAT(ended.out, ContainsSubstring(part.what));
}

void check_wrong(const std::string& program, const std::string& exercise, const std::string& right,
                 const std::string& instead) {
    const Scratch scratch;
    std::string text = read_file(solution_of(exercise));
    REQUIRE(text.find(right) != std::string::npos);
    const std::string wrong = scratch.path + "/wrong.h";
    std::ofstream(wrong) << text.replace(text.find(right), right.size(), instead);
    const Ended ended = train_with(program, exercise, wrong, scratch, "--steps 12");
    INFO(ended.out << ended.err);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.out, ContainsSubstring("The losses differ in step"));
    CHECK_THAT(ended.out, ContainsSubstring("NEXT  ./heed exercise"));
}

}  // namespace

TEST_CASE("own programs: an option that is wrong is refused before anything is compiled",
          "[lesson]") {
    const OwnProgram& gpt = own_program("gpt");
    const FileOf none = [](const Exercise&) { return std::string(); };
    const Tools no_compiler{"/nowhere/c++", "/nowhere"};
    const auto with = [&](const std::vector<std::string>& words) {
        run_own_program(gpt, exercises(HEED_SOURCE_DIR), none, no_compiler, "/nowhere", words);
    };
    CHECK_THROWS_WITH(with({"--nonsense"}),
                      "--nonsense: unknown option; with --mine there are --seed, --steps");
    CHECK_THROWS_WITH(with({"--steps", "0"}),
                      "--steps 0: expected a whole number from 1 to 1000000");
    CHECK_THROWS_WITH(with({"--steps"}), "--steps: expected a value after it");
    CHECK(with_values(usual_options("gpt"), {"--steps", "7"}).at("--steps") == "7");
    const OwnOptions flags = with_values(usual_options("chat"), {"--what-breaks", "--length", "9"});
    CHECK(flags.at("--what-breaks") == "yes");
    CHECK(flags.at("--length") == "9");
}

TEST_CASE("own program: the GPT has the losses of the library's model", "[lesson][exercises]") {
    check_program("gpt", "12");
}

TEST_CASE("own program: the translator has the losses of the library's, and translates alike",
          "[lesson][exercises]") {
    check_program("translator", "12");
}

TEST_CASE("own program: a wrong part is noticed", "[lesson][exercises]") {
    check_wrong("gpt", "softmax_backward", "y * (g - sum(g * y, -1, true))", "y * g");
    check_wrong("translator", "additive_scores", "tanh(", "sigmoid(");
}

TEST_CASE("own program: a milestone is kept when all parts are the reader's own",
          "[lesson][exercises]") {
    for (const bool all_own : {false, true}) {
        const Scratch scratch;
        const FileOf file_of = [&](const Exercise& exercise) {
            return all_own ? exercise.folder + "/solution.h" : std::string();
        };
        const Compiled compiled = compile_source(
            own_program_source(own_program("tape"), exercises(HEED_SOURCE_DIR), file_of),
            scratch.path + "/own", {HEED_CXX, HEED_BUILD_DIR});
        INFO(compiled.log);
        REQUIRE_FALSE(compiled.program.empty());
        const Ended ended = run(
            "/usr/bin/env", "HEED_HOME='" + scratch.path + "' '" + compiled.program + "'", scratch);
        INFO(ended.out << ended.err);
        CHECK(ended.status == 0);
        CHECK_THAT(ended.out, ContainsSubstring(all_own ? "MILESTONE: " : "0 are."));
        CHECK(milestones(scratch.path).size() == (all_own ? 1 : 0));
        if (all_own) CHECK(milestones(scratch.path).at("tape").measured == "1000 of 1000 right");
    }
}

TEST_CASE("own program: a wrong derivative fails the checks of the tape", "[lesson][exercises]") {
    const Scratch scratch;
    std::string text = read_file(solution_of("logarithm"));
    const std::string right = "a.tape->write(a.line, 1 / b.value, b.line,";
    INFO(text);
    REQUIRE(text.find(right) != std::string::npos);
    const std::string wrong = scratch.path + "/wrong.h";
    std::ofstream(wrong) << text.replace(text.find(right), right.size(),
                                         "a.tape->write(a.line, b.value, b.line,");
    const Ended ended = train_with("tape", "logarithm", wrong, scratch, "");
    INFO(ended.out << ended.err);
    CHECK(ended.status == 1);
}

TEST_CASE("own program: the eye has the library's gradients, and a wrong part is noticed",
          "[lesson][exercises]") {
    const Scratch scratch;
    const Ended right = train_with("eyes", "", "", scratch, "--steps 3");
    INFO(right.out << right.err);
    CHECK(right.status == 0);
    CHECK_THAT(right.out, ContainsSubstring("Milestone, not reached yet"));
    for (const auto& [exercise, of_solution, instead] :
         {std::tuple{"reinforce", "factor * log_prob", "log_prob"},
          std::tuple{"leave_one_out", "static_cast<double>(S - 1)", "static_cast<double>(S)"},
          std::tuple{"cut_out_a_glimpse", "my_cut(my_cut(picture, 0, top, size), 1, left, size)",
                     "my_cut(my_cut(picture, 1, top, size), 0, left, size)"}}) {
        std::string text = read_file(solution_of(exercise));
        REQUIRE(text.find(of_solution) != std::string::npos);
        const std::string wrong = scratch.path + "/wrong.h";
        std::ofstream(wrong) << text.replace(text.find(of_solution),
                                             std::string(of_solution).size(), instead);
        const Ended ended = train_with("eyes", exercise, wrong, scratch, "--steps 3");
        INFO(exercise << "\n" << ended.out << ended.err);
        CHECK(ended.status == 1);
        CHECK_THAT(ended.out, ContainsSubstring("✗ largest distance"));
    }
}

TEST_CASE("own program: a published model with the reader's functions has the library's logits",
          "[lesson][exercises]") {
    const Scratch scratch;
    const auto program_with = [&](const std::string& file, const std::string& mistakes) {
        const FileOf file_of = [&](const Exercise& exercise) {
            return exercise.name == "rms_norm" ? file : std::string();
        };
        const Compiled compiled = compile_source(
            own_program_source(own_program("chat"), exercises(HEED_SOURCE_DIR), file_of, mistakes),
            scratch.path + "/own", {HEED_CXX, HEED_BUILD_DIR});
        INFO(compiled.log);
        REQUIRE_FALSE(compiled.program.empty());
        return compiled.program;
    };
    // Rotation in halves, and two groups of keys for four heads.
    const std::string options =
        "--model '" HEED_SOURCE_DIR "/tests/parity/families/llama' --question cab --length 6";
    const std::string program = program_with(solution_of("rms_norm"), scratch.path);
    const Ended right = run(program, options, scratch);
    INFO(right.out << right.err);
    CHECK(right.status == 0);
    CHECK_THAT(right.out, ContainsSubstring("✓ the logits agree"));
    CHECK_THAT(right.out, ContainsSubstring("✓ the answer is the same"));
    for (const OwnPart& part : own_program("chat").parts)
        CHECK_THAT(right.out, ContainsSubstring(part.what));

    const Ended broken = run(program, options + " --what-breaks", scratch);
    INFO(broken.out << broken.err);
    CHECK(broken.status == 0);
    for (const char* mistake : {"the sum of squares: ", "the layouts are swapped: ", "g = h mod G",
                                "the linear part is missing: "})
        CHECK_THAT(broken.out, ContainsSubstring(mistake));
    // What is in other functions of the exercises is no row.
    CHECK(broken.out.find("both keys and values are stored") == std::string::npos);

    std::string text = read_file(solution_of("rms_norm"));
    const std::string of_solution = "mean(x * x, -1, true)";
    REQUIRE(text.find(of_solution) != std::string::npos);
    const std::string wrong = scratch.path + "/wrong.h";
    std::ofstream(wrong) << text.replace(text.find(of_solution), of_solution.size(),
                                         "sum(x * x, -1, true)");
    const Ended noticed = run(program_with(wrong, ""), options, scratch);
    INFO(noticed.out << noticed.err);
    CHECK(noticed.status == 1);
    CHECK_THAT(noticed.out, ContainsSubstring("NEXT  ./heed exercise 32.1"));
}
