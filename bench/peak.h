// The peak of this machine, measured before the benchmarks. Results are given as shares of it.
#pragma once

namespace heed::bench {

struct Peak {
    double flops = 0;         // floating-point operations per second, float32, in registers only
    double flops_of_one = 0;  // with one thread
    double bytes = 0;         // bytes per second, read from memory much larger than the caches
};
Peak measure_peak(int threads);

}  // namespace heed::bench
