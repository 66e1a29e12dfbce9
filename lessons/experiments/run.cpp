// ./heed experiment NAME: both ways of the reader's file, with twenty seeds, and what they say about
// the bar.
//
// This file is compiled after the namespace `experiment` that the reader's file is in. Its arguments
// are the name of the experiment, the version of the reader's file and the first seed.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/course/exercise/open_experiment.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

// The result of one way. A run that takes longer than this is stopped by SIGALRM.
double result_of(double (*way)(std::uint64_t), const char* name, std::uint64_t seed) {
    alarm(seconds_of_one_run);
    const double result = way(seed);
    alarm(0);
    check(std::isfinite(result), "{}({}) returns {}; expected a finite number", name, seed, result);
    return result;
}

std::string said(const Finding& found, const Bar& bar) {
    if (!found.holds(bar))
        return "The bar is not kept. That is a result too. What would you expect now? Write it down: "
               "a new hypothesis is judged on new seeds.";
    if (found.by_luck())
        return "The bar is kept, but luck would keep it too, so it shows nothing. Ask for more.";
    return "The bar is kept, and luck would hardly have kept it. Your hypothesis has passed this test.";
}

void print_paragraph(const std::string& text) {
    fmt::print("{}\n", wrap(text, screen_of_stdout().measure()));
}

int run(const std::string& name, const std::string& version, std::uint64_t seed) {
    const Bar bar{experiment::by, experiment::seeds};
    if (const std::string what = missing_before_run(experiment::hypothesis, bar); !what.empty()) {
        fmt::print("{}\nNEXT  write it in my/experiment_{}.h\n", what, name);
        return 1;
    }
    print_paragraph(fmt::format("Hypothesis: {}", experiment::hypothesis));
    print_paragraph(fmt::format(
        "Bar: the first way is better by at least {} with at least {} of {} seeds, {} to {}.",
        number(bar.by), bar.seeds, seeds_of_experiment, seed, seed + seeds_of_experiment - 1));
    fmt::print("{:>6}{:>11}{:>11}{:>13}\n", "seed", "first", "second", "difference");
    std::fflush(stdout);
    std::vector<double> first, second;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < seeds_of_experiment; ++i) {
        first.push_back(result_of(experiment::first, "first", seed + i));
        second.push_back(result_of(experiment::second, "second", seed + i));
        const double difference = first.back() - second.back();
        fmt::print("{:>6}{:>11}{:>11}{:>13}{}\n", seed + i, number(first.back()),
                   number(second.back()), number(difference, 3), difference >= bar.by ? "  ✓" : "");
        if (i == 0) {
            const std::chrono::duration<double> one = std::chrono::steady_clock::now() - start;
            fmt::print("       all of them take about {:.0f} s\n",
                       seeds_of_experiment * one.count());
        }
        std::fflush(stdout);
    }
    const Finding found = finding_of(first, second, bar);
    fmt::print("\n");
    print_paragraph(
        fmt::format("Kept with {} of {} seeds; the bar was {}. The mean difference is {}.",
                    found.kept, seeds_of_experiment, bar.seeds, number(found.mean, 3)));
    print_paragraph(fmt::format(
        "Luck: two runs of the second way, which differ in nothing but their seeds, differ by as much in {} % "
        "of all pairs. Then {} of {} seeds or more are kept with probability {}.",
        number(100 * found.luck_of_one, 2), bar.seeds, seeds_of_experiment,
        found.luck < 1e-6 ? "below 0.000001" : number(found.luck, 2)));
    print_paragraph(said(found, bar));
    const std::string problem = record_run(
        {name, timestamp(), version, seed, bar, found.kept, found.luck, experiment::hypothesis});
    if (!problem.empty()) fmt::print("{}\n", problem);
    fmt::print("NEXT  ./heed experiment\n");
    return judged;
}

}  // namespace
}  // namespace heed::course

int main(int, char** argv) {
    try {
        return heed::course::run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10));
    } catch (const std::exception& error) {
        std::fflush(stdout);
        fmt::print(stderr, "heed: {}\n", error.what());
    } catch (...) {
        std::fflush(stdout);
        fmt::print(stderr, "heed: your file threw something that is not a std::exception\n");
    }
    return 2;
}
