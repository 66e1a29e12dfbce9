// Open experiments, one for each part of the course (./heed experiment). There is no right answer. The reader says
// in a file what to expect and by how much, and twenty seeds say whether it is so.
//
// A bar that is set after the results were seen shows nothing. So a file that was changed is judged on twenty seeds
// that no version of it has used before, and if luck alone would keep a bar, the verdict says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::course {

struct OpenExperiment {
    std::string name;   // "momentum" of lessons/experiments/1_momentum.h
    std::string file;   // its path
    std::string title;  // the first line of its text
    std::string part;   // of the course

    std::string file_name() const { return "experiment_" + name + ".h"; }  // the reader's, in my/
};
std::vector<OpenExperiment> open_experiments(
    const std::string& root);  // in the order of the course

inline constexpr int seeds_of_experiment = 20;
inline constexpr unsigned seconds_of_one_run = 120;
// The exit status of a program that has judged the bar. With any other status it ended before that.
inline constexpr int judged = 70;

// first - second is expected to be at least `by`, with at least `seeds` of the seeds.
struct Bar {
    double by = 0;
    int seeds = 0;
};

struct Finding {
    int kept = 0;     // with how many seeds the difference is at least `by`
    double mean = 0;  // of the differences
    // How often two runs of the second way, which differ in nothing but their seeds, differ by as much; and how
    // probable it is that bar.seeds seeds or more are kept if each is with this probability.
    double luck_of_one = 0, luck = 0;

    bool holds(const Bar& bar) const { return kept >= bar.seeds; }
    bool by_luck() const { return luck > 0.05; }
};
// What is missing before a run, in a sentence with what was expected; empty if nothing is.
std::string missing_before_run(const std::string& hypothesis, const Bar& bar);
// The same as far as the text of the reader's file says it in plain numbers, before it is compiled.
std::string missing_in(const std::string& source);

// The results of both ways, one for each seed; at least two.
Finding finding_of(const std::vector<double>& first, const std::vector<double>& second,
                   const Bar& bar);

// A line of .heed/experiments.tsv.
struct ExperimentRun {
    std::string name{}, date{}, version{};  // version: of the reader's file
    std::uint64_t first_seed = 0;
    Bar bar{};
    int kept = 0;
    double luck = 0;
    std::string hypothesis{};

    std::string verdict() const;  // "kept with 17 of 20 seeds", "not kept, with 3 of 20 seeds"
};
std::vector<ExperimentRun> experiment_runs(const std::string& root);
// Returns why it could not be written, or an empty text.
[[nodiscard]] std::string record_run(const ExperimentRun& run);

// The first of the seeds for a version of the file: as before, or after all that other versions have used.
std::uint64_t first_seed_for(const std::vector<ExperimentRun>& runs, const std::string& name,
                             const std::string& version);

// What ./heed experiment does without a run: it shows the list or makes a new file. Returns nothing if there is a file
// of the reader to be judged; wanted_experiment() says which one. Both throw heed::Error at a word that is not known.
std::optional<int> serve_without_run(const std::string& root,
                                     const std::vector<std::string>& words);
OpenExperiment wanted_experiment(const std::string& root, const std::vector<std::string>& words);

}  // namespace heed::course
