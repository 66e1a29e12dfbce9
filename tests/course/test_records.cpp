// The reader's records: what is damaged is passed over, and counted.
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

#include "lessons/course/contents/records.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/error_of.h"

using namespace heed::course;

// Each of them would never begin, or never end.
TEST_CASE("records: what is no file, or is too large, is refused at once", "[lesson][errors]") {
    for (const char* name :
         {"progress.tsv", "predictions.tsv", "exercises.tsv", "experiments.tsv", "milestones.tsv"})
        for (const char* kind : {"a pipe", "a device", "a folder", "3 GiB"}) {
            const Scratch scratch;
            INFO(name << ", " << kind);
            std::filesystem::create_directories(scratch.path + "/.heed");
            const std::string path = scratch.path + "/.heed/" + name, what = kind;
            if (what == "a pipe") REQUIRE(mkfifo(path.c_str(), 0600) == 0);
            if (what == "a device") std::filesystem::create_symlink("/dev/zero", path);
            if (what == "a folder") std::filesystem::create_directory(path);
            if (what == "3 GiB") {
                scratch.file(std::string(".heed/") + name, "");
                std::filesystem::resize_file(path, std::uintmax_t{3} << 30);
            }
            const std::string expected = what == "3 GiB"
                                             ? "expected a file of at most 32 MiB, found 3 GiB"
                                             : "expected a file, found " + what;
            CHECK(error_of([&] { damaged_lines(scratch.path); }) == path + ": " + expected);
        }
}

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
