// A lesson that is stopped and resumed: what goes on, and what is refused.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/material/read/text_data.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/trial.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

struct Outcome {
    int status = -1, steps = 0;  // steps that were computed
    std::string out, err;
    double width = 0;
    std::vector<double> weights;  // of three trainings
};

// A lesson with three trainings of five steps. Ctrl-C is pressed in step `stop` of all its steps.
Outcome trial(std::vector<std::string> words, const Scratch& scratch, int stop = 0) {
    Outcome outcome;
    Captured captured(scratch.path);
    Lesson lesson(about());
    int width = 2;
    lesson.option("--width", width, "a width");
    words.push_back("--no-predict");
    outcome.status = run(lesson, words, [&] {
        outcome.width = width;
        for (int training = 0; training < 3; ++training) {
            Rng rng(lesson.seed() + training);
            const Tensor w = parameter(zeros({width}));
            Sgd sgd({{"w", w}}, {.lr = 0.1, .momentum = 0.5});
            const TrainOptions options{.steps = 5,
                                       .on_step =
                                           [&](const heed::TrainProgress&) {
                                               if (++outcome.steps == stop) std::raise(SIGINT);
                                           },
                                       .checkpoint = next_checkpoint({rng})};
            train(sgd, options, [&](int64_t) {
                return StepResult{sum(square(w - normal({width}, 0, 1, rng))), 1};
            });
            outcome.weights.push_back(sum(w).item() + rng.uniform());
        }
        lesson.claim("trained", "trained", 1, is_true());
    });
    outcome.out = captured.out();
    outcome.err = captured.err();
    return outcome;
}

}  // namespace

TEST_CASE("resume: trainings that are finished are loaded, the stopped one goes on", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    const Outcome whole =
        trial({"--seed", "4", "--width", "3", "--out", scratch.path + "/whole"}, scratch);
    REQUIRE(whole.status == 0);
    CHECK(whole.steps == 15);
    CHECK_FALSE(fs::exists(scratch.path + "/whole/checkpoint"));
    for (int stop = 1; stop <= 15; ++stop) {
        INFO("stopped in step " << stop);
        const Outcome stopped = trial({"--seed", "4", "--width", "3", "--out", out}, scratch, stop);
        CHECK(stopped.status == 130);
        CHECK_THAT(stopped.err, ContainsSubstring("Stopped. What was trained is saved; go on with\n"
                                                  "  ./heed learn 98 --resume " +
                                                  out + "\n"));
        CHECK_FALSE(fs::exists(out + "/results.json"));
        const Outcome resumed = trial({"--resume", out}, scratch);
        INFO(resumed.out << resumed.err);
        CHECK(resumed.status == 0);
        CHECK_THAT(resumed.out, ContainsSubstring("This run goes on where it was stopped"));
        CHECK(resumed.steps == 15 - stop);
        CHECK(resumed.width == 3);
        CHECK(resumed.weights == whole.weights);
        CHECK_FALSE(fs::exists(out + "/checkpoint"));
        fs::remove_all(out);
    }
}

TEST_CASE("resume: a run that is stopped again before it trains says how to go on", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    REQUIRE(trial({"--seed", "4", "--out", out}, scratch, 3).status == 130);
    const pid_t child = fork();
    if (child == 0) {
        Captured captured(scratch.path);
        Lesson lesson(about());
        run(lesson, {"--resume", out, "--no-predict"}, [] { std::raise(SIGTERM); });
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 143);
    CHECK_THAT(read_file(scratch.path + "/stderr"), ContainsSubstring("--resume " + out + "\n"));
    CHECK(trial({"--resume", out}, scratch).steps == 12);
}

TEST_CASE("resume: another run is refused by what differs", "[lesson][errors]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out", data = scratch.file("d.tsv", "a\tb\n");
    REQUIRE(trial({"--seed", "4", "--data", data, "--out", out}, scratch, 7).status == 130);
    const auto refusal = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--resume", out});
        const Outcome outcome = trial(words, scratch);
        CHECK(outcome.status == 2);
        CHECK(outcome.steps == 0);
        return outcome.err;
    };
    const std::string started = "lesson 98: --resume: the run in " + out + " was started with ";
    CHECK(refusal({"--seed", "5"}) == started + "--seed 4, now there is --seed 5\n");
    CHECK(refusal({"--quick"}) == started + "no --quick, now there is --quick\n");
    CHECK(refusal({"--width", "3"}) == started + "no --width, now there is --width 3\n");
    CHECK(refusal({"--out", scratch.path + "/other"}) ==
          "lesson 98: --out: cannot be used with --resume, which writes to " + out + "\n");
    scratch.file("d.tsv", "a\tc\n");
    CHECK(refusal({}) == "lesson 98: --resume: the file of --data has changed since the run in " +
                             out + " was stopped\n");
    scratch.file("d.tsv", "a\tb\n");

    // Another program, another lesson, a damaged record.
    const std::string path = out + "/checkpoint/run.json", record = read_file(path);
    const auto with = [&](const std::string& what, const std::string& other) {
        std::string changed = record;
        changed.replace(changed.find(what), what.size(), other);
        scratch.file("out/checkpoint/run.json", changed);
        return refusal({});
    };
    CHECK_THAT(with("\"program\": \"", "\"program\": \"x"),
               ContainsSubstring("the program of this lesson has changed"));
    CHECK_THAT(with("\"lesson\": 98", "\"lesson\": 97"),
               ContainsSubstring("is a run of lesson 97, this is lesson 98"));
    const std::string damaged = "lesson 98: " + path +
                                ": damaged: expected what a run of a lesson writes; run the lesson "
                                "without --resume\n";
    CHECK(with("\"options\"", "options") == damaged);       // no JSON
    CHECK(with("\"options\"", "\"opinions\"") == damaged);  // without a key
    CHECK(with("\"options\": [", "\"options\": [7, ") == damaged);
}

TEST_CASE("resume: options that change no result may be others", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    REQUIRE(trial({"--out", out}, scratch, 7).status == 130);
    CHECK(trial({"--resume", out, "--threads", "1", "--out", out}, scratch).status == 0);
}

TEST_CASE("resume: a folder without a stopped run", "[lesson][errors]") {
    const Scratch scratch;
    const Outcome none = trial({"--resume", scratch.path + "/none"}, scratch);
    CHECK(none.status == 2);
    CHECK(none.err == "lesson 98: --resume: there is no folder '" + scratch.path +
                          "/none'; a run makes it at its first training, and one that was stopped "
                          "before starts again with its options and --out\n");

    // Stopped before the first training, or as it began.
    const std::string out = scratch.path + "/out";
    const auto refusal = [&] {
        const Outcome outcome = trial({"--resume", out}, scratch);
        CHECK(outcome.status == 2);
        CHECK(outcome.steps == 0);
        CHECK_FALSE(fs::exists(out + "/report.html"));
        return outcome.err;
    };
    const std::string nothing = fmt::format(
        "lesson 98: --resume: there is nothing to go on with in {}, because a run saves "
        "nothing before its first training; start it again with its options and with "
        "--out {} instead of --resume\n",
        out, out);
    fs::create_directory(out);
    CHECK(refusal() == nothing);
    fs::create_directory(out + "/checkpoint");
    CHECK(refusal() == nothing);

    // A folder of something else.
    const std::string other = "lesson 98: --resume: " + out +
                              " is not the --out folder of a run of lesson 98: expected "
                              "checkpoint/run.json or the lesson's results.json in it\n";
    scratch.file("out/passwd", "root\n");
    CHECK(refusal() == other);
    for (const char* results : {"{\"lesson\": 97}", "[98]", "{\"lesson\": \"98\"}", "{", ""}) {
        scratch.file("out/results.json", results);
        CHECK(refusal() == other);
        CHECK(read_file(out + "/results.json") == results);
    }
}

TEST_CASE("resume: a run that is complete starts at the beginning", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    const Outcome whole = trial({"--out", out}, scratch);
    REQUIRE(whole.status == 0);
    const Outcome again = trial({"--resume", out}, scratch);
    CHECK(again.status == 0);
    CHECK(again.steps == 15);
    CHECK(again.weights == whole.weights);
    CHECK_THAT(again.out, ContainsSubstring("Nothing of a stopped run is saved"));
}

TEST_CASE("resume: a new run says what it replaces, and starts at the beginning", "[lesson]") {
    const Scratch scratch;
    const std::string out = scratch.path + "/out";
    REQUIRE(trial({"--seed", "4", "--out", out}, scratch, 7).status == 130);
    const Outcome fresh = trial({"--seed", "5", "--out", out}, scratch);
    CHECK(fresh.status == 0);
    CHECK(fresh.steps == 15);
    CHECK_THAT(fresh.out, ContainsSubstring("A run that was stopped is saved"));
}
