// The peak of this machine. Results are given as shares of it.
#pragma once

#include <cstdint>

namespace heed::bench {

struct Peak {
    double flops = 0;         // floating-point operations per second, float32, in registers only
    double flops_of_one = 0;  // with one thread
    double bytes = 0;         // bytes per second, read from memory much larger than the caches
};
Peak measure_peak(int threads);

// The floating-point operations per second at this moment, measured forty times in some 40 ms. The clock
// of a processor changes with its temperature and with what else it does, so a share of the peak compares
// two measurements that were made in turn.
struct Flops {
    double best = 0, median = 0;
};
Flops flops_now(int threads);

// The bytes per second that one thread reads, again and again, from so many bytes: from the cache they fit in.
double bytes_from(int64_t bytes);

// The bytes per second of Peak, at this moment: the best of five passes over 128 MiB for each thread.
double bytes_now(int threads);

// Whether the machine gives as much as at its best, or close to it. A virtual machine does not always
// have all its processors: at times its host runs two of them on one core, and then all work of two
// threads takes longer.
bool at_full_speed(const Flops& now, const Peak& peak);

}  // namespace heed::bench
