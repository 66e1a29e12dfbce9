// What this machine can do at most, measured on the spot: the measure for everything else.
#pragma once

namespace heed::bench {

struct Peak {
    double flops = 0;  // floating-point operations a second, float32, on registers alone
    double bytes = 0;  // a second, read from memory far larger than the caches
};
Peak measure_peak(int threads);

}  // namespace heed::bench
