// A published model in heed, PyTorch (the package transformers) and llama.cpp (the package llama-cpp-python):
// how fast it reads a prompt of 512 tokens, and how fast it writes.
//
//     ./heed bench --model SmolLM2-135M-Instruct.Q4_1.gguf --against pytorch --against llama
//
// Each is measured with the weights as they are in the file, with 8 bits, and as float32. PyTorch has the last
// only. llama.cpp reads files of these precisions, which its own program makes of the one that is given.
#pragma once

#include <string>
#include <vector>

#include "bench/results.h"
#include "bench/workload.h"

namespace heed::bench {

// "read_NAME" and "write_NAME", NAME one of "file", "8_bits", "float32". The unit is a token.
std::vector<Workload> published_workloads(const std::string& file);

struct PublishedOptions {
    std::string file;
    std::vector<std::string> against;  // "pytorch", "llama"
    std::string own_program, python;
    int threads = 1, rounds = 7;
    double seconds = 0.25;  // for each program in a round
    std::string filter = {};
};
// Measures all programs in turn, and prints a table in Markdown: tokens a second, how much of the peak or of
// the bandwidth of memory that is for heed, and heed's speed relative to the others. (tests/parity/published.py
// compares what they compute.) Throws heed::Error if a program is not there.
void compare_published(const PublishedOptions& options);

}  // namespace heed::bench
