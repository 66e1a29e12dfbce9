// The reader's records: what is damaged is passed over, and counted.
#include <filesystem>

#include "lessons/course/contents/records.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed::course;

TEST_CASE("records: lines that cannot be read are counted and passed over", "[lesson]") {
    const Scratch scratch;
    CHECK(damaged_lines(scratch.path).empty());
    std::filesystem::create_directories(scratch.path + "/.heed");
    scratch.file(".heed/exercises.tsv",
                 "10.1\tscaled_scores\t2025-11-20\tsolved\nhalf a li\n"
                 "10.1\tscaled_scores\t2025-11-20\tdanced\n");
    scratch.file(".heed/progress.tsv", "10\tscores\td\t1.0\t2\t2\tfull\n");
    scratch.file(".heed/experiments.tsv",
                 "momentum\td\tv\t21\t0.1\t12\t20\t3e-07\tIt helps.\n"
                 "momentum\td\tv\t21\tabc\t12\t20\t0.3\tIt helps.\n");
    const std::map<std::string, int> damaged = damaged_lines(scratch.path);
    CHECK(damaged == std::map<std::string, int>{{"exercises.tsv", 2}, {"experiments.tsv", 1}});
    CHECK(exercise_records(scratch.path).at("scaled_scores").solved == "2025-11-20");
    CHECK(passed_lessons(scratch.path).contains("scores"));
}
