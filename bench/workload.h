// A workload: a computation whose speed is measured, in heed and in PyTorch. It is written twice:
// in kernels.cpp, images.cpp or models.cpp, and as its twin in pytorch/twins.py, which reads weights,
// inputs and sizes from the file that save() writes.
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
    // The same step in parts, for --profile: calls its argument with the name of each part that has
    // ended, "" for backward. Not given for a step that does not train.
    std::function<void(const std::function<void(const char*)>& ended)> step_in_parts = {};
};

struct Workload {
    std::string name;
    std::string kind;                      // the function in pytorch/twins.py
    std::map<std::string, int64_t> sizes;  // sizes that the twin needs besides the tensors
    std::string unit = "step";
    double units = 1;             // in one step
    double flops = 0;             // floating-point operations per step; 0: not counted
    double to_reach = 0;          // the goal: speed relative to PyTorch; 0: none
    bool compare_memory = false;  // print the peak of memory too
    std::function<Prepared()> prepare;
};

// Tiny sizes have the same names and compute the same in milliseconds: for the tests.
enum class Scale { full, tiny };

// gemm_*, one_element, attention_*
std::vector<Workload> kernel_workloads(Scale scale);
// conv_*, *_pool, batch_norm, cnn
std::vector<Workload> image_workloads(Scale scale);
// mlp, translator_*, gpt_*, bert_*, decoding
std::vector<Workload> model_workloads(Scale scale);
// All, but only those whose name contains the filter.
std::vector<Workload> all_workloads(const std::string& filter = "", Scale scale = Scale::full);

// Writes a prepared workload to a file for its twin.
void save(const Workload& workload, const Prepared& prepared, const std::string& path);

// Forward and backward of a function of `inputs`. The results are the output and the gradient of each
// input, from a drawn gradient of the output, which is saved as "g".
Prepared differentiated(const std::vector<Parameter>& inputs,
                        const std::function<Tensor(const std::vector<Tensor>&)>& function);

}  // namespace heed::bench
