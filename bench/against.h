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
    bool compile = false;   // measure torch.compile too
};

// The version of PyTorch that this Python has; empty if it has none.
std::string pytorch_version(const std::string& python);

// The Python of --against pytorch: $HEED_PYTHON, else python3. Throws if it has no PyTorch.
std::string python_with_pytorch();

// A worker of each program. PyTorch's loads the weights of heed.
Worker heed_worker(const Workload& workload, const std::string& own_program, int threads);
Worker pytorch_worker(const Workload& workload, const std::string& python, int threads,
                      bool compile = false);

// First both compute the loss from the same weights; throws heed::Error if the losses differ by
// more than 1e-4 relative. Then they are measured in turn: in each round, heed first and PyTorch
// second.
Result compare(const Workload& workload, const CompareOptions& options);

}  // namespace heed::bench
