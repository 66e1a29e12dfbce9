// Each workload here and in PyTorch, in turn.
#pragma once

#include "bench/results.h"

namespace heed::bench {

struct Contest {
    std::string own_program;  // heed_bench
    std::string python;       // an interpreter that has PyTorch
    int threads = 1;
    int rounds = 7;
    double seconds = 0.25;  // of one program in one round
    bool compile = false;   // torch.compile as well
};

// Whether this Python has PyTorch; its version, or nothing.
std::string pytorch_version(const std::string& python);

// First both compute the same loss from the same weights; throws heed::Error when they differ by
// more than 1e-4 of it. Then they take turns.
Result compete(const Workload& workload, const Contest& contest);

}  // namespace heed::bench
