// Threads live here and nowhere else. Work is cut into chunks, and each chunk is computed by one
// thread in one order. Where a border between chunks could change a result, as in a sum, it depends
// only on the size of the work and never on the number of threads. So the same program gives the
// same bits with any number of threads. (Only the matrix product asks for the number of threads when
// it divides its rows and columns; gemm.cpp says why no bit depends on it.)
#pragma once

#include <algorithm>
#include <cstdint>

namespace heed {

// How many threads kernels may use, at most 1024; 0, the default, means usable_processors()
// (processors.h): OMP_NUM_THREADS, or else one per processor. Threads that wait sleep soon, so that
// they take little from other programs. Throws for other counts.
void set_threads(int count);
int threads();

// Starting threads costs some microseconds: below about this many elementary steps one thread is
// quicker than two.
inline constexpr int64_t parallel_grain = 32768;

// body(context, i) for every i in [0, count), spread over the threads. Within such a body, and while
// another thread of the program spreads work, it uses the calling thread only.
void run_in_parallel(int64_t count, void (*body)(const void* context, int64_t i),
                     const void* context);

// chunk(begin, end) over [0, count) in pieces of `grain`. Pieces may run at the same time, so they
// must not write to the same memory; and they must not throw.
template <class Chunk>
void parallel_for(int64_t count, int64_t grain, const Chunk& chunk) {
    grain = std::max<int64_t>(grain, 1);
    const int64_t chunks = (count + grain - 1) / grain;
    const auto piece = [&](int64_t i) { chunk(i * grain, std::min((i + 1) * grain, count)); };
    if (chunks <= 1 || threads() == 1) {
        for (int64_t i = 0; i < chunks; ++i) piece(i);
        return;
    }
    run_in_parallel(
        chunks,
        [](const void* context, int64_t i) { (*static_cast<const decltype(piece)*>(context))(i); },
        &piece);
}

}  // namespace heed
