// Is heed a good neighbour? The time of a step while other programs use the processors as well.
#pragma once

#include "bench/against.h"

namespace heed::bench {

// Measures each workload three times: on the machine as it is, and beside 1 and 4 busy processes for
// each processor. Prints the mean times of a step and their ratios to the first one. A program that shares a
// processor with k others gets 1 / (k + 1) of it, so a ratio of k + 1 is fair, and a larger one is
// lost in waiting. If options.python is not empty, PyTorch is measured in turn with heed.
std::vector<BusyResult> measure_busy(const std::vector<Workload>& workloads,
                                     const CompareOptions& options);

}  // namespace heed::bench
