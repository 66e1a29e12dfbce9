// What heed knows of this machine, and what follows from it (autograd/kernels/machine.h):
//
//     ./heed bench --machine
//
// prints registers and caches as they were read and how fast each of them is, then the sizes that the kernels
// take from them, and how much longer some workloads take if a cache is thought to be a quarter of its size
// or four times as large: what a rule is worth, and which workload would notice that it is wrong.
#pragma once

namespace heed::bench {

// Measures with so many threads; each workload and each wrong size so often, in turn.
void print_machine(int threads, int rounds);

}  // namespace heed::bench
