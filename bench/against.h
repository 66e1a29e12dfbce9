// Each workload in heed and in PyTorch, in turn.
#pragma once

#include "bench/results.h"

namespace heed::bench {

struct CompareOptions {
    std::string own_program;  // heed_bench
    std::string python;       // a Python that has PyTorch
    int threads = 1;
    int rounds = 7;
    double seconds = 0.25;  // for each program in a round
    Peak peak{};            // a round in which the machine gives less than this is measured again
    bool compile = false;   // measure torch.compile too
};

// The version of PyTorch that this Python has; empty if it has none.
std::string pytorch_version(const std::string& python);

// The Python of --against pytorch: $HEED_PYTHON, else python3. Throws if it has no PyTorch.
std::string python_with_pytorch();

// The same for other programs of --against: the packages that they need have to be there.
std::string python_that_has(const std::vector<std::string>& packages);

// A file in the folder for temporary files, which the destructor removes.
struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const std::string& what);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
};

// A worker of each program. Those in Python load the weights of heed. With a path, the worker writes the
// results of the workload there.
Worker heed_worker(const Workload& workload, const std::string& own_program, int threads,
                   const std::string& results_file = "");
// The program is "pytorch", "numpy" or "jax".
Worker python_worker(const std::string& program, const Workload& workload,
                     const std::string& python, int threads, std::vector<std::string> options);
Worker pytorch_worker(const Workload& workload, const std::string& python, int threads,
                      bool compile = false, const std::string& results_file = "");

// First both compute the results from the same weights; throws heed::Error if they do not agree
// (agreement.h). Then they are measured in turn; who begins a round alternates. Rounds in which the
// machine was not at full speed (peak.h) are measured again, at most as many as there are rounds.
Result compare(const Workload& workload, const CompareOptions& options);

}  // namespace heed::bench
