// Where the time of a training step goes, by operation.
#pragma once

#include "bench/workload.h"

namespace heed::bench {

// Prints, for each operation of the workload's step, the share of the time it takes forward and backward,
// the largest first. Throws for a workload that does not train.
void print_profile(const Workload& workload, int threads);

}  // namespace heed::bench
