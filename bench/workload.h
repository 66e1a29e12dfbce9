// A workload: something whose speed is worth knowing, here and in PyTorch. What it computes stands
// twice: in kernels.cpp and models.cpp, and as its twin in pytorch/twins.py, which reads weights,
// inputs and sizes from the file that save() writes.
//
//     for (const Workload& w : all_workloads()) {
//         Prepared ready = w.prepare();
//         double loss = ready.loss();      // from the weights it begins with
//         for (...) ready.step();          // to be timed: w.units of what w.unit names
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
    std::vector<Parameter> tensors;  // weights and inputs (tokens as numbers), before any step
    std::function<double()> loss;    // one number that depends on all of them; changes nothing
    std::function<void()> step;
};

struct Workload {
    std::string name;
    std::string kind;                      // the function in pytorch/twins.py
    std::map<std::string, int64_t> sizes;  // what the twin must know besides the tensors
    std::string unit = "step";
    double units = 1;       // in one step
    double flops = 0;       // floating-point operations of a step; 0: not worth counting
    double to_reach = 0;    // times PyTorch's speed; 0: none
    bool training = false;  // whose memory is compared too
    std::function<Prepared()> prepare;
};

// gemm_*, one_element, attention_*
std::vector<Workload> kernel_workloads();
// mlp, translator_*, gpt_*, decoding
std::vector<Workload> model_workloads();
// Both, those whose name contains the filter.
std::vector<Workload> all_workloads(const std::string& filter = "");

// Writes a prepared workload for its twin.
void save(const Workload& workload, const Prepared& prepared, const std::string& path);

}  // namespace heed::bench
