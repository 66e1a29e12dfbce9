#include "bench/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/base/processors.h"
#include "autograd/kernels/gemm_kernel.h"
#include "autograd/kernels/machine.h"
#include "bench/peak.h"
#include "bench/results.h"
#include "bench/workload.h"

namespace heed::bench {
namespace {

std::string in_units(int64_t bytes) {
    return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20)
                                  : fmt::format("{} KiB", bytes >> 10);
}

void print_read(const Machine& m, int threads) {
    constexpr int lanes = Vec<float>::lanes;
    fmt::print("{}, {} thread{}\n\n", processor_name(), threads, threads == 1 ? "" : "s");
    const Peak peak = measure_peak(threads);
    fmt::print("| what | size | one thread |\n| --- | --- | --- |\n");
    fmt::print("| registers | {} of {} floats | {:.0f} GFLOP/s |\n", vec_registers, lanes,
               peak.flops_of_one / 1e9);
    const auto cache = [&](int level, const char* name, int64_t bytes) {
        fmt::print("| {} cache{} | {} | {:.0f} GB/s |\n", name,
                   cache_bytes(level) ? "" : " (not told: assumed)", in_units(bytes),
                   bytes_from(bytes / 2) / 1e9);
    };
    cache(1, "first", m.first_cache);
    cache(2, "second", m.second_cache);
    cache(3, "third", m.third_cache);
    fmt::print("| memory |  | {:.0f} GB/s |\n\n", bytes_now(1) / 1e9);
    fmt::print("All threads together: {:.0f} GFLOP/s in registers, {:.0f} GB/s from memory.\n\n",
               peak.flops / 1e9, peak.bytes / 1e9);
}

void print_chosen(const Machine& m) {
    constexpr int64_t lanes = Vec<float>::lanes, width = full_tile * lanes;
    const int64_t depth = m.slice_depth(width * sizeof(float));
    fmt::print("| what follows, for floats | is |\n| --- | --- |\n");
    const auto row = [](const std::string& what, const std::string& is) {
        fmt::print("| {} | {} |\n", what, is);
    };
    row("a product: the tile of C in registers", fmt::format("{} x {}", tile_rows, width));
    row("the slice of k whose panel of B takes a quarter of the second cache",
        fmt::format("{}", depth));
    row("the rows of A that take a quarter of the third cache",
        fmt::format("{}", m.row_block(depth * sizeof(float))));
    row("the panels of A that take a quarter of the second, at most 12",
        fmt::format("{}", m.panels_together(depth * tile_rows * sizeof(float))));
    row("B is copied above", in_units(m.first_cache));
    row("rows of A that are not contiguous are copied above", in_units(4 * m.first_cache));
    row("attention: the keys whose tile takes three quarters of the second cache, at most 256",
        fmt::format("{}", m.attention_keys()));
    row("convolution: the outputs of 64 channels that take an eighth of the second",
        fmt::format("{}", m.convolution_outputs(64, sizeof(float))));
    row("8-bit weights: the rows of 1,024 that become floats at a time, half of the second",
        fmt::format("{}", m.unpacked_rows(1024 * sizeof(float))));
}

double seconds_of(const Prepared& work, double at_least) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    double passed = 0;
    int64_t steps = 0;
    while (passed < at_least) {
        work.step();
        ++steps;
        passed = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return passed / static_cast<double>(steps);
}

// How many times as long the workload takes on each of the machines as on the first, medians of the rounds.
std::vector<double> times_as_long(const Workload& workload, const std::vector<Machine>& machines,
                                  int rounds) {
    const Prepared work = workload.prepare();
    std::vector<std::vector<double>> ratios(machines.size());
    work.step();
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> seconds;
        for (const Machine& machine : machines) {
            const OtherMachine thought(machine);
            work.step();
            seconds.push_back(seconds_of(work, 0.05));
        }
        for (std::size_t i = 0; i < machines.size(); ++i)
            ratios[i].push_back(seconds[i] / seconds[0]);
    }
    std::vector<double> medians;
    for (const std::vector<double>& of : ratios) medians.push_back(median(of));
    return medians;
}

void print_wrong_sizes(const Machine& m, int rounds) {
    std::vector<Machine> machines{m};
    for (const auto cache : {&Machine::first_cache, &Machine::second_cache, &Machine::third_cache})
        for (const double factor : {0.25, 4.0}) {
            Machine other = m;
            other.*cache = static_cast<int64_t>(static_cast<double>(m.*cache) * factor);
            machines.push_back(other);
        }
    machines.push_back(m);  // how far two equal ones differ
    fmt::print(
        "\nHow many times as long, if a cache is thought to be a quarter or four times its size:\n\n");
    fmt::print("| workload | first / 4 | x 4 | second / 4 | x 4 | third / 4 | x 4 | right |\n");
    fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const std::string name : {"gemm_256", "gemm_512", "gemm_1024", "gemm_2048",
                                   "gemm_768x128x512", "gemm_1280x256x2000", "attention_512",
                                   "attention_2048", "conv_3x3_16", "conv_3x3_64", "gpt_small"})
        for (const Workload& workload : all_workloads(name)) {
            if (workload.name != name) continue;
            fmt::print("| `{}`", name);
            const std::vector<double> ratios = times_as_long(workload, machines, rounds);
            for (std::size_t i = 1; i < ratios.size(); ++i) fmt::print(" | {:.2f}", ratios[i]);
            fmt::print(" |\n");
        }
}

}  // namespace

void print_machine(int threads, int rounds) {
    set_threads(threads);
    const Machine m = machine();
    print_read(m, threads);
    print_chosen(m);
    print_wrong_sizes(m, rounds);
}

}  // namespace heed::bench
