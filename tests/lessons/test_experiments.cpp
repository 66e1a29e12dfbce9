// The open experiments, ./heed experiment: what twenty seeds say about a bar, and that every one runs.
#include <cmath>
#include <fstream>
#include <functional>
#include <regex>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/references.h"
#include "lessons/course/exercise/answer.h"
#include "lessons/course/exercise/open_experiment.h"
#include "lessons/course/exercise/workshop.h"
#include "lessons/course/report/files.h"
#include "tests/catch.h"
#include "tests/lessons/run.h"

using namespace heed::course;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

// The file as a reader may fill it in.
std::string filled(const OpenExperiment& experiment, const std::string& by,
                   const std::string& seeds) {
    std::string text = with_numbers(read_file(experiment.file));
    const auto set = [&](const char* what, const std::string& with) {
        const std::size_t at = text.find(what);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::string(what).size(), with);
    };
    set("hypothesis = \"\";", "hypothesis = \"The first way is better.\";");
    set("double by = 0;", "double by = " + by + ";");
    set("int seeds = 0;", "int seeds = " + seeds + ";");
    return std::regex_replace(text, std::regex("int steps = [0-9]+"), "int steps = 2");
}

std::string program_of(const std::string& text, const Scratch& scratch) {
    std::ofstream(scratch.path + "/mine.h") << text;
    const Compiled compiled =
        compile_source(joined_program({{"experiment", scratch.path + "/mine.h"}},
                                      "#include \"lessons/experiments/run.cpp\"\n"),
                       scratch.path + "/program", {HEED_CXX, HEED_BUILD_DIR});
    INFO(compiled.log);
    REQUIRE_FALSE(compiled.program.empty());
    return compiled.program;
}

Ended run_at_home(const std::string& program, const std::string& arguments,
                  const Scratch& scratch) {
    return run("/usr/bin/env", "HEED_HOME='" + scratch.path + "' '" + program + "' " + arguments,
               scratch);
}

}  // namespace

TEST_CASE("experiments: a bar, counted and by all outcomes", "[lesson][exercises]") {
    // Differences 2, 1, 0; the second way's runs differ by 1 or more in the pairs 2-1, 3-1 and 3-2.
    const std::vector<double> first{3, 3, 3}, second{1, 2, 3};
    const Bar bar{1, 2};
    const Finding found = finding_of(first, second, bar);
    CHECK(found.kept == 2);
    CHECK(found.holds(bar));
    CHECK_THAT(found.mean, WithinAbs(1, 1e-12));
    const double p = 4.0 / 7;  // three of six pairs, and one added to both
    CHECK_THAT(found.luck_of_one, WithinAbs(p, 1e-12));
    double luck = 0;  // of each of the eight outcomes with two or three seeds kept
    for (int outcome = 0; outcome < 8; ++outcome) {
        const int kept = (outcome & 1) + (outcome >> 1 & 1) + (outcome >> 2);
        if (kept >= 2) luck += std::pow(p, kept) * std::pow(1 - p, 3 - kept);
    }
    CHECK_THAT(found.luck, WithinAbs(luck, 1e-12));
    CHECK(found.by_luck());
    CHECK_FALSE(finding_of(first, second, {1, 3}).holds({1, 3}));
    CHECK_THROWS(finding_of({1}, {1}, bar));
    CHECK_THROWS(finding_of({1, 2}, {1}, bar));
}

TEST_CASE("experiments: a changed file gets seeds that none has used", "[lesson][exercises]") {
    const std::vector<ExperimentRun> runs{
        {.name = "a", .version = "one", .first_seed = 1},
        {.name = "b", .version = "two", .first_seed = 41},
        {.name = "a", .version = "two", .first_seed = 21},
    };
    CHECK(first_seed_for(runs, "a", "one") == 1);
    CHECK(first_seed_for(runs, "a", "two") == 21);
    CHECK(first_seed_for(runs, "a", "three") == 41);
    CHECK(first_seed_for(runs, "b", "one") == 61);
    CHECK(first_seed_for(runs, "c", "one") == 1);
}

TEST_CASE("experiments: there is one for each part of the path", "[lesson][exercises]") {
    std::vector<std::string> parts, ours;
    for (const auto& part : course_parts(HEED_SOURCE_DIR))
        if (!part.workshops() && part.title != "Attention in ten minutes")
            parts.push_back(part.title);
    for (const OpenExperiment& each : open_experiments(HEED_SOURCE_DIR)) ours.push_back(each.part);
    CHECK(ours == parts);
    // The last lesson of each part says so.
    const WithHome home(HEED_SOURCE_DIR);
    CHECK(experiment_after(LessonNumber(23)) == "gpt");
    CHECK(experiment_after(LessonNumber(22)).empty());
}

TEST_CASE("experiments: each one runs both ways and is recorded", "[lesson][exercises]") {
    if (too_slow_here()) return;
    for (const OpenExperiment& experiment : open_experiments(HEED_SOURCE_DIR)) {
        const Scratch scratch;
        const std::string program = program_of(filled(experiment, "0.01", "12"), scratch);
        const Ended ended = run_at_home(program, experiment.name + " v1 21", scratch);
        INFO(experiment.name << "\n" << ended.out << ended.err);
        CHECK(ended.status == judged);
        CHECK_THAT(ended.out, ContainsSubstring("Hypothesis: The first way is better."));
        const std::vector<ExperimentRun> runs = experiment_runs(scratch.path);
        REQUIRE(runs.size() == 1);
        CHECK(runs[0].name == experiment.name);
        CHECK(runs[0].first_seed == 21);
        CHECK(runs[0].bar.seeds == 12);
        CHECK(runs[0].hypothesis == "The first way is better.");
        CHECK_THAT(ended.out,
                   ContainsSubstring("Kept with " + std::to_string(runs[0].kept) + " of 20 seeds"));
    }
}

TEST_CASE("experiments: what is missing in the file is said before anything runs",
          "[lesson][exercises]") {
    const OpenExperiment momentum = open_experiments(HEED_SOURCE_DIR).at(0);
    for (const auto& [by, seeds, words] :
         {std::tuple{"0", "12", "There is no bar yet"}, std::tuple{"-5", "12", "The bar is -5"},
          std::tuple{"NAN", "12", "The bar is nan"}, std::tuple{"0.1", "0", "0 of 20 seeds"},
          std::tuple{"0.1", "21", "21 of 20 seeds"}}) {
        const Scratch scratch;
        const Ended ended =
            run_at_home(program_of(filled(momentum, by, seeds), scratch), "momentum v1 1", scratch);
        INFO(ended.out);
        CHECK(ended.status == 1);
        CHECK_THAT(ended.out, ContainsSubstring(words));
        CHECK(experiment_runs(scratch.path).empty());
    }
}

TEST_CASE("experiments: what the text of the file says is missing needs no compiler",
          "[lesson][exercises]") {
    const OpenExperiment momentum = open_experiments(HEED_SOURCE_DIR).at(0);
    CHECK_THAT(missing_in(with_numbers(read_file(momentum.file))),
               ContainsSubstring("There is no hypothesis yet"));
    CHECK_THAT(missing_in(filled(momentum, "0", "12")), ContainsSubstring("There is no bar yet"));
    CHECK_THAT(missing_in(filled(momentum, "-5", "12")), ContainsSubstring("The bar is -5"));
    CHECK_THAT(missing_in(filled(momentum, "0.1", "25")), ContainsSubstring("25 of 20 seeds"));
    CHECK_THAT(missing_in(filled(momentum, "0.1", "0")), ContainsSubstring("0 of 20 seeds"));
    CHECK(missing_in(filled(momentum, "0.1", "12")).empty());
    CHECK(missing_in(filled(momentum, "1 / 8.", "15 + 2")).empty());  // the program will know
}

TEST_CASE("experiments: a program that ends early is not taken for a finding",
          "[lesson][exercises]") {
    if (too_slow_here()) return;
    const OpenExperiment momentum = open_experiments(HEED_SOURCE_DIR).at(0);
    for (const auto& [body, words] :
         {std::pair{"{ std::exit(0); }", "The program ended before the last seed"},
          std::pair{"{ volatile int* nothing = nullptr; return *nothing; }", "a null pointer"},
          std::pair{"{ throw 3; }", "threw something"},
          std::pair{"{ return std::nan(\"\"); }", "first(1) returns nan"}}) {
        const Scratch scratch;
        std::filesystem::create_directory(scratch.path + "/my");
        std::filesystem::create_directory(scratch.path + "/lessons");
        std::filesystem::create_directory_symlink(HEED_SOURCE_DIR "/lessons/experiments",
                                                  scratch.path + "/lessons/experiments");
        std::string text = filled(momentum, "0.1", "12");
        const std::string was = "{ return accuracy_after({.momentum = 0.9}, seed); }";
        REQUIRE(text.find(was) != std::string::npos);
        std::ofstream(scratch.path + "/my/experiment_momentum.h")
            << text.replace(text.find(was), was.size(), body);
        const Ended ended = run("/usr/bin/env",
                                "HEED_HOME='" + scratch.path +
                                    "' '" HEED_LESSON_DIR "/heed_exercise' --experiment momentum",
                                scratch);
        INFO(ended.out << ended.err);
        CHECK(ended.status == 1);
        CHECK_THAT(ended.out + ended.err, ContainsSubstring(words));
        CHECK_THAT(ended.out, ContainsSubstring("NEXT  change my/experiment_momentum.h"));
        CHECK(experiment_runs(scratch.path).empty());
    }
}

TEST_CASE("experiments: damaged records are passed over", "[lesson][exercises]") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.path + "/.heed");
    std::ofstream(scratch.path + "/.heed/experiments.tsv")
        << "momentum\tdate\tv\t21\tabc\t12\t20\t0.3\tNo number.\n"
           "momentum\nnonsense\t\t\t\t\n\xff\xfe\n"
           "momentum\t2026-01-01T00:00:00Z\tv\t21\t0.1\t12\t20\t0.3\tIt helps.\n";
    const std::vector<ExperimentRun> runs = experiment_runs(scratch.path);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].verdict() == "kept with 20 of 20 seeds, as by luck");
}
