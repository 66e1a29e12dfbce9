// heed without PyTorch, measured by Google Benchmark.
#pragma once

#include "bench/results.h"

namespace heed::bench {

// Prints the time of each workload and its share of the peak.
std::vector<Result> run_alone(const std::vector<Workload>& workloads, const Setting& setting);

}  // namespace heed::bench
