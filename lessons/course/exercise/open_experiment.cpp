#include "lessons/course/exercise/open_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/contents/references.h"
#include "lessons/course/exercise/desk.h"
#include "lessons/course/report/files.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage_of_experiment =
    "./heed experiment             the open experiments, one for each part of the course\n"
    "./heed experiment NAME        begin one; later, judge the hypothesis that you wrote in its file\n"
    "  --reset                     begin again; the old file is kept beside the new one\n";

template <class... Args>
void print_fitted(fmt::format_string<Args...> format, Args&&... args) {
    fmt::print(
        "{}", fitted(fmt::format(format, std::forward<Args>(args)...), screen_of_stdout().limit()));
}

// What stands in the lines that begin with //! .
std::string text_of_experiment(const OpenExperiment& experiment) {
    std::istringstream lines(with_numbers(read_regular_file(experiment.file)));
    std::string text;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("//!"))
            text += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
    return text;
}

// The last run of an experiment; null if there was none.
const ExperimentRun* last_run(const std::vector<ExperimentRun>& runs, const std::string& name) {
    const auto found = std::find_if(runs.rbegin(), runs.rend(),
                                    [&](const ExperimentRun& run) { return run.name == name; });
    return found == runs.rend() ? nullptr : &*found;
}

void show_list(const std::string& root) {
    const Screen screen = screen_of_stdout();
    const std::vector<ExperimentRun> runs = experiment_runs(root);
    std::string next, lines;
    for (const OpenExperiment& experiment : open_experiments(root)) {
        const ExperimentRun* run = last_run(runs, experiment.name);
        if (!run && next.empty()) next = experiment.name;
        lines += screen.paint(experiment.part, Ink::faint) + "\n";
        lines += list_line(fmt::format("  {} {:<10}", run ? "✓" : " ", experiment.name),
                           experiment.title, 62, run ? "  " + run->verdict() : "", screen.limit());
    }
    print_in_pages(lines);
    print_fitted("\nYou write what you expect, and a bar. Twenty seeds judge it.\n");
    print_fitted("NEXT  ./heed experiment {}\n", next.empty() ? "NAME" : next);
}

}  // namespace

std::vector<OpenExperiment> open_experiments(const std::string& root) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(root + "/lessons/experiments", none))
        if (entry.path().extension() == ".h") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<OpenExperiment> all;
    for (const fs::path& file : files) {
        const std::string stem = file.stem().string();
        OpenExperiment experiment{stem.substr(stem.find('_') + 1), file.string(), {}, {}};
        std::istringstream lines(text_of_experiment(experiment));
        std::getline(lines, experiment.title);
        std::getline(lines, experiment.part);
        check(experiment.title.starts_with("# ") && experiment.part.starts_with("Part: "),
              "{}: expected '//! # Title' and '//! Part: title of the part'", experiment.file);
        experiment.title.erase(0, 2);
        experiment.part.erase(0, 6);
        all.push_back(experiment);
    }
    return all;
}

std::string missing_before_run(const std::string& hypothesis, const Bar& bar) {
    if (hypothesis.find_first_not_of(" \t\n") == std::string::npos)
        return "There is no hypothesis yet: one sentence that could turn out to be wrong.";
    if (bar.by == 0) return "There is no bar yet: by how much, above 0, is the first way better?";
    if (!(bar.by > 0) || !std::isfinite(bar.by))
        return fmt::format("The bar is {}; expected a number above 0.", bar.by);
    if (bar.seeds < 1 || bar.seeds > seeds_of_experiment)
        return fmt::format("The bar asks for {} of {} seeds; expected 1 to {}.", bar.seeds,
                           seeds_of_experiment, seeds_of_experiment);
    return "";
}

std::string missing_in(const std::string& source) {
    const std::string code =
        std::regex_replace(with_short_lines(source), std::regex("//[^\n]*"), "");
    std::smatch found;
    std::string hypothesis = "not a plain string";
    if (std::regex_search(code, found, std::regex(R"(\bhypothesis\s*=\s*"\s*"\s*;)")))
        hypothesis = "";
    Bar bar{1, 1};
    if (std::regex_search(code, found, std::regex(R"(\bdouble\s+by\s*=\s*(-?[0-9.]+)\s*;)")))
        bar.by = std::strtod(found[1].str().c_str(), nullptr);
    if (std::regex_search(code, found, std::regex(R"(\bint\s+seeds\s*=\s*(-?[0-9]{1,6})\s*;)")))
        bar.seeds = std::atoi(found[1].str().c_str());
    return missing_before_run(hypothesis, bar);
}

Finding finding_of(const std::vector<double>& first, const std::vector<double>& second,
                   const Bar& bar) {
    const auto n = static_cast<int>(first.size());
    check(n >= 2 && first.size() == second.size(), "an experiment of {} and {} seeds", first.size(),
          second.size());
    Finding found;
    int alike = 0;
    for (int i = 0; i < n; ++i) {
        found.kept += first[i] - second[i] >= bar.by;
        found.mean += (first[i] - second[i]) / n;
        for (int j = 0; j < n; ++j) alike += i != j && second[i] - second[j] >= bar.by;
    }
    // One is added to both, so that what was not seen in so many pairs is rare and not impossible.
    const double p = found.luck_of_one = (alike + 1.0) / (n * (n - 1) + 1.0);
    double choices = 1;  // n over k
    for (int k = 0; k <= n; ++k) {
        if (k >= bar.seeds) found.luck += choices * std::pow(p, k) * std::pow(1 - p, n - k);
        choices = choices * (n - k) / (k + 1);
    }
    return found;
}

std::string ExperimentRun::verdict() const {
    const bool held = kept >= bar.seeds;
    return fmt::format("{} with {} of {} seeds{}", held ? "kept" : "not kept,", kept,
                       seeds_of_experiment, held && luck > 0.05 ? ", as by luck" : "");
}

std::vector<ExperimentRun> experiment_runs(const std::string& root) {
    std::vector<ExperimentRun> runs;
    for_each_experiment(root, [&](const std::vector<std::string>& run) {
        runs.push_back({.name = run[0],
                        .date = run[1],
                        .version = run[2],
                        .first_seed = std::stoull(run[3]),
                        .bar = {std::strtod(run[4].c_str(), nullptr), std::stoi(run[5])},
                        .kept = std::stoi(run[6]),
                        .luck = std::strtod(run[7].c_str(), nullptr),
                        .hypothesis = run[8]});
    });
    return runs;
}

std::string record_run(const ExperimentRun& run) {
    return append_record("experiments.tsv",
                         fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", run.name, run.date,
                                     run.version, run.first_seed, run.bar.by, run.bar.seeds,
                                     run.kept, run.luck, field(run.hypothesis)));
}

std::uint64_t first_seed_for(const std::vector<ExperimentRun>& runs, const std::string& name,
                             const std::string& version) {
    std::uint64_t next = 1;
    for (const ExperimentRun& run : runs) {
        if (run.name != name) continue;
        if (run.version == version) return run.first_seed;
        next = std::max(next, run.first_seed + seeds_of_experiment);
    }
    return next;
}

OpenExperiment wanted_experiment(const std::string& root, const std::vector<std::string>& words) {
    std::string name;
    for (const std::string& word : words) {
        if (word == "--reset") continue;
        check(!word.starts_with("-"),
              "{}: unknown option; ./heed experiment --help lists all options", word);
        check(name.empty(), "expected one experiment, found {} and {}", name, word);
        name = word;
    }
    check(!name.empty(), "--reset needs the name of an experiment");
    const std::vector<OpenExperiment> all = open_experiments(root);
    for (const OpenExperiment& experiment : all)
        if (experiment.name == name) return experiment;
    std::vector<std::string> names;
    for (const OpenExperiment& experiment : all) names.push_back(experiment.name);
    if (const std::string other = meant(name, names); !other.empty())
        fail("there is no experiment {}; did you mean {}?", name, other);
    fail("there is no experiment {}; ./heed experiment lists all", name);
}

std::optional<int> serve_without_run(const std::string& root,
                                     const std::vector<std::string>& words) {
    if (words.empty()) return show_list(root), 0;
    const auto has = [&](const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has("--help") || has("-h")) return print_fitted("{}", usage_of_experiment), 0;
    const OpenExperiment experiment = wanted_experiment(root, words);
    const std::string given = with_numbers(read_regular_file(experiment.file)),
                      name = "my/" + experiment.file_name();
    if (fs::exists(root + "/" + name) && !has("--reset")) {
        const std::string own = read_regular_file(root + "/" + name);
        if (own != given) {
            const std::string missing = missing_in(own);
            if (missing.empty()) return {};
            print_fitted("{}\nNEXT  write it in {}\n", missing, name);
            return 1;
        }
        print_fitted(
            "Your file is as it was given to you: it has no hypothesis yet.\n"
            "NEXT  write one, and a bar, in {}\n",
            name);
        return 1;
    }
    put_into_my(root, experiment.file_name(), given);
    for (const std::string& block :
         prose_blocks(text_of_experiment(experiment), screen_of_stdout()))
        fmt::print("{}\n", block);
    print_fitted("\nNEXT  write your hypothesis in {}, then ./heed experiment {}\n", name,
                 experiment.name);
    return 0;
}

}  // namespace heed::course
