// The peak of this machine. Results are given as shares of it.
#pragma once

namespace heed::bench {

struct Peak {
    double flops = 0;         // floating-point operations per second, float32, in registers only
    double flops_of_one = 0;  // with one thread
    double bytes = 0;         // bytes per second, read from memory much larger than the caches
};
Peak measure_peak(int threads);

// The floating-point operations per second at this moment; it takes some 30 ms. The clock of a processor
// changes with its temperature and with what else it does, so a share of the peak compares two
// measurements that were made in turn.
double flops_now(int threads);

}  // namespace heed::bench
