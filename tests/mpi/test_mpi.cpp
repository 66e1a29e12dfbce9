// Programs under mpirun: the losses of one process, and what happens when a rank is killed. Where MPI
// is missing these tests are skipped; tests/nn/train/test_ranks.cpp holds the same without MPI.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "mpi/mpi_ranks.h"
#include "nn/train/checkpoint.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

bool no_mpi_here() {
    if (!heed::built_with_mpi())
        return skipped("MPI was not found when heed was built (libopenmpi-dev)");
    if (std::system("mpirun --version >mpirun.log 2>&1") != 0)
        return skipped("there is no mpirun here (openmpi-bin)");
    return heed::sanitized && skipped("the sanitizers report what MPI itself leaves allocated");
}

// `command` in so many ranks: more than there are processors, also as root, with one thread each.
Ended mpirun(int ranks, const std::string& command, const Scratch& scratch) {
    return run("/usr/bin/env",
               fmt::format("OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 "
                           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
                           "OMPI_MCA_mpi_yield_when_idle=1 HEED_HOME= mpirun -n {} {}",
                           ranks, command),
               scratch);
}

std::string program(const std::string& name) {
    return fmt::format("'{}/{}'", HEED_LESSON_DIR, name);
}

double number_after(const std::string& text, const std::string& words) {
    std::smatch match;
    INFO(text);
    REQUIRE(std::regex_search(text, match, std::regex(words + " ([0-9.]+)")));
    return std::stod(match[1]);
}

}  // namespace

TEST_CASE("mpi: a user's program has the losses of one process; only rank 0 prints",
          "[mpi][lesson][unsanitized]") {
    if (no_mpi_here()) return;
    const Scratch scratch;
    const Ended alone =
        run(std::string(HEED_LESSON_DIR) + "/example_data_parallel", "\"\" 60", scratch);
    REQUIRE(alone.status == 0);
    const double expected = number_after(alone.out, "sum of the losses");
    for (int ranks : {2, 4}) {
        const Ended together =
            mpirun(ranks, program("example_data_parallel") + " \"\" 60", scratch);
        INFO(together.out << together.err);
        REQUIRE(together.status == 0);
        CHECK(number_after(together.out, "sum of the losses") == Approx(expected).epsilon(1e-4));
        CHECK_THAT(together.out, ContainsSubstring(fmt::format("{} ranks; 60 steps", ranks)));
        CHECK(together.out.find("sum of") == together.out.rfind("sum of"));  // printed once
        CHECK_THAT(alone.out, ContainsSubstring(" 0 bytes sent in each step"));
        // 1218 parameters; besides them a few numbers that the ranks have to agree on.
        const double bytes = number_after(together.out, "60 steps;");
        CHECK(bytes >= 2.0 * (ranks - 1) / ranks * 4 * 1218);
        CHECK(bytes <= 2.0 * (ranks - 1) / ranks * 4 * 1218 + 500);
    }
}

TEST_CASE("mpi: a rank that is killed ends all, and the checkpoint is whole",
          "[mpi][lesson][unsanitized]") {
    if (no_mpi_here()) return;
    const Scratch scratch;
    const std::string folder = scratch.path + "/run", file = folder + "/checkpoint.safetensors";
    const std::string training = program("example_data_parallel") + " \"" + folder + "\" 300";
    // Rank 1 is a shell that kills the program, and then itself, when there is a checkpoint.
    std::ofstream(scratch.path + "/rank.sh")
        << "[ $OMPI_COMM_WORLD_RANK = 1 ] || exec " << training << "\n"
        << training << " & program=$!\n"
        << "until [ -e \"" << file << "\" ]; do sleep 0.01; done\n"
        << "kill -9 $program; kill -9 $$\n";
    const Ended ended = mpirun(3, "sh '" + scratch.path + "/rank.sh'", scratch);
    INFO(ended.out << ended.err);
    CHECK(ended.status != 0);
    CHECK_THAT(ended.err, ContainsSubstring("exited on signal 9"));
    const int64_t step = std::stoll(heed::load_state(file).texts.at("step"));
    CHECK(step >= 20);
    CHECK(step < 300);
    const Ended again = mpirun(3, training, scratch);  // goes on
    INFO(again.out << again.err);
    CHECK(again.status == 0);
    CHECK_THAT(again.out, ContainsSubstring("3 ranks; 300 steps"));
}

TEST_CASE("mpi: lesson 23 trains as in one process", "[mpi][lesson][unsanitized]") {
    if (no_mpi_here()) return;
    const Scratch scratch;
    const auto ratio_of = [&](int ranks) {
        const std::string out = fmt::format("{}/{}", scratch.path, ranks);
        const std::string options = "--quick --steps 30 --no-predict --out '" + out + "'";
        const Ended ended = ranks == 1
                                ? run(std::string(HEED_LESSON_DIR) + "/lesson_23", options, scratch)
                                : mpirun(ranks, program("lesson_23") + " " + options, scratch);
        INFO(ended.out << ended.err);
        REQUIRE(ended.status <= 1);  // 30 steps are too few for some of the claims
        const auto results = nlohmann::json::parse(heed::course::read_file(out + "/results.json"));
        for (const auto& claim : results.at("claims"))
            if (claim.at("name") == "context-gain") return claim.at("measured").get<double>();
        FAIL("no such claim");
        return 0.0;
    };
    CHECK(ratio_of(4) == Approx(ratio_of(1)).epsilon(1e-4));
}

TEST_CASE("mpi: if the first rank cannot write its files, no other waits for it",
          "[mpi][lesson][errors][unsanitized]") {
    if (no_mpi_here()) return;
    const Scratch scratch;
    const std::string file = scratch.file("taken", "");
    const Ended ended = mpirun(
        2, program("lesson_23") + " --quick --steps 30 --no-predict --out '" + file + "'", scratch);
    CHECK(ended.status != 0);
    CHECK_THAT(ended.err, ContainsSubstring("expected a folder, found a file"));
}

#if !defined(HEED_MPI)
TEST_CASE("mpi: a program without MPI says so under mpirun", "[mpi][errors]") {
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    CHECK_THROWS_WITH(heed::launched_ranks(), ContainsSubstring("built without MPI"));
    unsetenv("OMPI_COMM_WORLD_SIZE");
    CHECK(heed::launched_ranks()->size() == 1);
}
#endif
