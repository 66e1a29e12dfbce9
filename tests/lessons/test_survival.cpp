// Programs that are stopped while they train, by SIGKILL, by Ctrl-C and with a full disk, and go on
// until they end: with the same bits as without a stop. The long versions are hidden and print their
// figures:
//
//     ./heed test '[kills]'      200 kills of a training program
//     ./heed test '[resume]'     every lesson that trains, stopped again and again
//     ./heed test '[resume]' -c 'lesson 04'     one of them
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "autograd/base/rng.h"
#include "lessons/course/terminal/process.h"
#include "lessons/material/read/text_data.h"
#include "nn/train/checkpoint.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/lessons/training_lessons.h"

using Catch::Matchers::ContainsSubstring;
using heed::Rng;
using heed::course::read_file;
namespace fs = std::filesystem;

namespace {

const std::string programs = HEED_LESSON_DIR;

struct Exit {
    int status = -1;  // -1: killed by a signal
    std::string out, err;
};

// A program that runs beside the test. With `bytes` above 0 no file of it can be longer than that:
// writing more fails, as on a full disk.
class Program {
  public:
    Program(const std::vector<std::string>& words, const Scratch& scratch, std::size_t bytes = 0)
        : out_(scratch.path + "/stdout"), err_(scratch.path + "/stderr") {
        child_ = heed::course::start(words, [&] {
            int to = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(to, STDOUT_FILENO);
            to = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(to, STDERR_FILENO);
            if (bytes > 0) {
                std::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit{bytes, bytes};
                setrlimit(RLIMIT_FSIZE, &limit);
            }
            for (int stopping : {SIGINT, SIGTERM}) std::signal(stopping, SIG_DFL);
            setenv("HEED_HOME", "", 1);
        });
    }

    Exit wait() {
        int status = 0;
        waitpid(child_, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out_), read_file(err_)};
    }
    // Sends the signal after that time, if the program still runs.
    Exit stop(double milliseconds, int signal) {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
        kill(child_, signal);
        return wait();
    }
    // Returns when there is a file of this name, or when the program has ended.
    void wait_for(const std::string& path) const {
        siginfo_t ended{};
        while (!fs::exists(path) && ended.si_pid == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT);
        }
    }

  private:
    std::string out_, err_;
    pid_t child_;
};

// --- a training program -----------------------------------------------------------------------------

// The training of lessons/examples, which saves as often as it can.
std::vector<std::string> training(const std::string& folder) {
    return {programs + "/example_checkpointed_training", folder, "400", "0.0001"};
}

struct Outcome {
    std::string out, model;
    bool operator==(const Outcome&) const = default;
};

struct Kills {
    int kills = 0, on_a_full_disk = 0, runs = 0, before_the_first = 0;
    bool same = true;
};

// Kills the program at random moments until it has been killed so many times, and lets it go on
// each time; every second time the disk is full from some byte on. What it ends with is compared.
Kills kill_often(int wanted, std::uint64_t seed) {
    const Scratch scratch;
    const std::string folder = scratch.path + "/run", file = folder + "/checkpoint.safetensors";
    const auto at_the_end = [&](const Exit& exit) {
        INFO(exit.out << exit.err);
        REQUIRE(exit.status == 0);
        return Outcome{exit.out, read_file(folder + "/model.safetensors")};
    };
    const Outcome expected = at_the_end(Program(training(folder), scratch).wait());
    REQUIRE_THAT(expected.out, ContainsSubstring("400 steps, sum of the losses 0x1."));
    const auto size = static_cast<std::int64_t>(fs::file_size(file));
    fs::remove_all(folder);

    Kills all;
    Rng rng(seed);
    for (int start = 0; all.kills < wanted; ++start) {
        REQUIRE(start < 20 * wanted);
        const bool full = start % 2 == 1;
        Program program(training(folder), scratch,
                        full ? static_cast<std::size_t>(1 + rng.below(size)) : 0);
        const Exit exit = program.stop(rng.uniform(3, 250), SIGKILL);
        if (exit.status < 0) {
            ++all.kills;
            all.on_a_full_disk += full;
        } else if (!full) {
            all.same = all.same && at_the_end(exit) == expected;
            ++all.runs;
            fs::remove_all(folder);
            continue;
        }
        // Whatever has happened: the checkpoint is whole.
        if (fs::exists(file))
            REQUIRE_NOTHROW(heed::load_state(file));
        else
            ++all.before_the_first;
    }
    all.same = all.same && at_the_end(Program(training(folder), scratch).wait()) == expected;
    ++all.runs;
    return all;
}

}  // namespace

TEST_CASE("survival: a training that is killed ends with the same bits", "[checkpoint][lesson]") {
    const Kills all = kill_often(12, 1);
    CHECK(all.kills == 12);
    CHECK(all.on_a_full_disk > 0);
    CHECK(all.same);
}

TEST_CASE("survival: 200 kills", "[.][kills]") {
    const Kills all = kill_often(200, static_cast<std::uint64_t>(std::time(nullptr)));
    CHECK(all.same);
    fmt::print(
        "{} kills, {} of them with a full disk, {} before the first checkpoint: {} runs to the "
        "end, {} the same bits as a run that was never stopped\n",
        all.kills, all.on_a_full_disk, all.before_the_first, all.runs,
        all.same ? "each with" : "NOT each with");
}

TEST_CASE("survival: Ctrl-C and SIGTERM save and end the program in good order",
          "[checkpoint][lesson]") {
    const Scratch scratch;
    const std::string folder = scratch.path + "/run";
    const Exit expected = Program(training(folder), scratch).wait();
    REQUIRE(expected.status == 0);
    fs::remove_all(folder);
    int stopped = 0;
    for (int n = 0; n < 100; ++n) {
        const int signal = n % 2 == 0 ? SIGINT : SIGTERM;
        Program program(training(folder), scratch);
        program.wait_for(folder + "/checkpoint.safetensors");  // the first time, until it trains
        const Exit exit = n < 6 ? program.stop(10 * (n + 1), signal) : program.wait();
        INFO(exit.out << exit.err);
        if (exit.status == 0) {
            CHECK(exit.out == expected.out);
            break;
        }
        if (exit.status < 0) continue;  // before training has begun
        ++stopped;
        CHECK(exit.status == 128 + signal);
        CHECK(exit.err.starts_with(fmt::format("error: train: stopped by {} after step ",
                                               signal == SIGINT ? "Ctrl-C" : "SIGTERM")));
        CHECK(exit.err.ends_with("; saved in " + folder + "; run the program again to go on\n"));
    }
    CHECK(stopped > 0);
}

// --- lessons ----------------------------------------------------------------------------------------

namespace {

// results.json without the time.
nlohmann::json results_in(const std::string& out) {
    auto json = nlohmann::json::parse(read_file(out + "/results.json"));
    json.erase("seconds");
    return json;
}

struct Stops {
    int stops = 0, resumed = 0;
    bool same = true;
};

// Runs the lesson in quick mode without a stop, and then stopped at random moments, by the three
// signals in turn. Only the first of these commands has the options. If no training has begun after
// half of the stops, the next one waits for it.
Stops stop_often(const std::string& number, int wanted, std::uint64_t seed) {
    const Scratch scratch;
    const std::string program = programs + "/lesson_" + number;
    const std::string whole = scratch.path + "/whole", out = scratch.path + "/out";
    const auto words = [&](const std::string& folder) {
        return std::vector<std::string>{program,     "--quick", "--no-predict", "--seed", "5",
                                        "--threads", "1",       "--out",        folder};
    };
    const auto start = std::chrono::steady_clock::now();
    const Exit expected = Program(words(whole), scratch).wait();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    INFO(expected.out << expected.err);
    REQUIRE(expected.status <= 1);  // a claim may fail with this seed

    Stops all;
    Rng rng(seed);
    while (true) {
        const bool resume = fs::exists(out + "/checkpoint/run.json");
        const std::vector<std::string> now =
            resume ? std::vector<std::string>{program, "--threads", "1", "--resume", out}
                   : words(out);
        const int signal = all.stops % 3 == 0 ? SIGINT : all.stops % 3 == 1 ? SIGKILL : SIGTERM;
        Program running(now, scratch);
        const bool late = !resume && 2 * all.stops >= wanted;
        if (late) running.wait_for(out + "/checkpoint/run.json");
        const double moment = late ? rng.uniform(0, 0.02) : rng.uniform(0.05, 0.6);
        const Exit exit =
            all.stops < wanted ? running.stop(moment * milliseconds, signal) : running.wait();
        INFO(exit.out << exit.err);
        if (resume) {
            ++all.resumed;
            if (!exit.out.empty()) CHECK_THAT(exit.out, ContainsSubstring("goes on where it was"));
        }
        if (exit.status == 0 || exit.status == 1) {
            CHECK(exit.status == expected.status);
            all.same = results_in(out) == results_in(whole);
            CHECK_FALSE(fs::exists(out + "/checkpoint"));
            return all;
        }
        ++all.stops;
        REQUIRE(all.stops < wanted + 10);
        if (signal == SIGKILL) continue;
        CHECK((exit.status == 128 + signal || exit.status == -1));  // -1: as the program started
        if (exit.status != -1 && fs::exists(out + "/checkpoint/run.json"))
            CHECK_THAT(exit.err, ContainsSubstring("--resume " + out));
    }
}

}  // namespace

TEST_CASE("survival: a lesson that is stopped goes on and has the same results",
          "[checkpoint][lesson]") {
    const std::string number = GENERATE("17", "23");
    const Stops all = stop_often(number, 3, 1);
    INFO("lesson " << number);
    CHECK(all.resumed > 0);
    CHECK(all.same);
}

TEST_CASE("survival: every lesson that trains", "[.][resume]") {
    for (const LessonSources& lesson : sources_of_lessons()) {
        if (!lesson.trains) continue;
        DYNAMIC_SECTION("lesson " << lesson.number) {
            const Stops all =
                stop_often(lesson.number, 6, static_cast<std::uint64_t>(std::time(nullptr)));
            CHECK(all.same);
            CHECK(all.resumed > 0);
            fmt::print("lesson {}: {} stops, resumed {} times, {} results\n", lesson.number,
                       all.stops, all.resumed, all.same ? "the same" : "OTHER");
            std::fflush(stdout);
        }
    }
}
