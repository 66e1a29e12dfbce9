// heed beside numpy, whose products are OpenBLAS's, and JAX, which compiles with XLA:
//
//     ./heed bench gemm --against numpy --against jax
//
// The twins are others/numpy_worker.py (products) and others/jax_worker.py (products, attention, an MLP, a
// GPT). PyTorch, whose own comparison against.h is more thorough, may stand beside them.
#pragma once

#include <string>
#include <vector>

#include "bench/workload.h"

namespace heed::bench {

// Whether a program, "numpy", "jax" or "pytorch", has a twin of the workload.
bool has_twin(const std::string& program, const Workload& workload);

struct OthersOptions {
    std::vector<std::string> against;
    std::string own_program, python;
    int threads = 1, rounds = 7;
    double seconds = 0.25;  // for each program in a round
};
// For each workload of which one of the programs has a twin: checks that they compute the same (agreement.h),
// then measures them in turn, and prints a table in Markdown. Throws heed::Error if there is none.
void compare_with_others(const std::vector<Workload>& workloads, const OthersOptions& options);

}  // namespace heed::bench
