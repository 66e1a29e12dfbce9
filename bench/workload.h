// A workload: a computation whose speed is measured, in heed and in PyTorch. It is written twice:
// in kernels.cpp or models.cpp, and as its twin in pytorch/twins.py, which reads weights, inputs
// and sizes from the file that save() writes.
//
//     for (const Workload& w : all_workloads()) {
//         Prepared ready = w.prepare();
//         auto results = ready.results();  // what the twin must compute too (agreement.h)
//         for (...) ready.step();          // this is timed; one step is w.units of w.unit
//     }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/module/module.h"

namespace heed::bench {

struct Prepared {
    std::vector<Parameter> tensors;  // weights and inputs (tokens as floats), before any step
    // Outputs, gradients and, where the step trains, what three steps change. To be called first.
    std::function<std::vector<Parameter>()> results;
    std::function<void()> step;
};

struct Workload {
    std::string name;
    std::string kind;                      // the function in pytorch/twins.py
    std::map<std::string, int64_t> sizes;  // sizes that the twin needs besides the tensors
    std::string unit = "step";
    double units = 1;       // in one step
    double flops = 0;       // floating-point operations per step; 0: not counted
    double to_reach = 0;    // the goal: speed relative to PyTorch; 0: none
    bool compare_memory = false;  // print the peak of memory too
    std::function<Prepared()> prepare;
};

// gemm_*, one_element, attention_*
std::vector<Workload> kernel_workloads();
// mlp, translator_*, gpt_*, decoding
std::vector<Workload> model_workloads();
// Both, but only workloads whose name contains the filter.
std::vector<Workload> all_workloads(const std::string& filter = "");

// Writes a prepared workload to a file for its twin.
void save(const Workload& workload, const Prepared& prepared, const std::string& path);

}  // namespace heed::bench
