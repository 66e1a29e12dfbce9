// ./heed learn 23 --mine: the GPT on the reader's own parts has the losses of the library's, and a
// part that is wrong is noticed.
#include <fstream>

#include "lessons/course/exercise/own_engine.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

// Compiles the engine with one file in place of the solution of an exercise, and trains.
Ended train_with(const std::string& id, const std::string& file, const Scratch& scratch) {
    const FileOf file_of = [&](const Exercise& exercise) {
        return exercise.id() == id ? file : std::string();
    };
    const Compiled compiled =
        compile_source(own_engine_program(exercises(HEED_SOURCE_DIR), file_of),
                       scratch.path + "/engine", {HEED_CXX, HEED_BUILD_DIR});
    INFO(compiled.log);
    REQUIRE_FALSE(compiled.program.empty());
    return run(compiled.program, "--steps 12", scratch);
}

Exercise exercise_of(const std::string& id) {
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR))
        if (exercise.id() == id) return exercise;
    FAIL("no exercise " << id);
    return {};
}

}  // namespace

TEST_CASE("own engine: the losses are those of the library's model", "[lesson][exercises]") {
    const Scratch scratch;
    const Ended ended = train_with("05.1", exercise_of("05.1").folder + "/solution.h", scratch);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK_THAT(ended.out, ContainsSubstring("✓ largest difference of the two losses in 12 steps"));
    // One part is the reader's, the others are not.
    const std::size_t you = ended.out.find(" you ");
    CHECK(you != std::string::npos);
    CHECK(ended.out.find(" you ", you + 1) == std::string::npos);
    for (const EnginePart& part : engine_parts())
        CHECK_THAT(ended.out, ContainsSubstring(part.name));
}

TEST_CASE("own engine: a wrong part is noticed", "[lesson][exercises]") {
    const Scratch scratch;
    const std::string solution = read_file(exercise_of("03.1").folder + "/solution.h"),
                      wrong = scratch.path + "/wrong.h";
    const std::string right = "y * (g - sum(g * y, -1, true))";
    REQUIRE(solution.find(right) != std::string::npos);
    std::ofstream(wrong) << std::string(solution).replace(solution.find(right), right.size(),
                                                          "y * g");
    const Ended ended = train_with("03.1", wrong, scratch);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.out, ContainsSubstring("The losses differ in step"));
    CHECK_THAT(ended.out, ContainsSubstring("NEXT  ./heed exercise"));
}
