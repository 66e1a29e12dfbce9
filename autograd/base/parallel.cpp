#include "autograd/base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <thread>

#include "autograd/base/error.h"

namespace heed {
namespace {
int thread_count = 0;
}

void set_threads(int count) {
    check(count >= 0, "set_threads: expected 0 (one per processor) or more, got {}", count);
    thread_count = count;
}

int threads() {
    if (thread_count == 0) {
#ifdef _OPENMP
        const int available = omp_get_max_threads();  // OMP_NUM_THREADS, else one per processor
#else
        const int available = static_cast<int>(std::thread::hardware_concurrency());
#endif
        thread_count = std::max(available, 1);
    }
    return thread_count;
}

void run_in_parallel(int64_t count, void (*body)(const void* context, int64_t i),
                     const void* context) {
    // Inside a chunk of other parallel work all threads are taken: no more are started.
    thread_local bool inside = false;
    const int workers = inside ? 1 : static_cast<int>(std::min<int64_t>(threads(), count));
    if (workers == 1) {
        for (int64_t i = 0; i < count; ++i) body(context, i);
        return;
    }
#pragma omp parallel num_threads(workers)
    {
        inside = true;
#pragma omp for schedule(static)
        for (int64_t i = 0; i < count; ++i) body(context, i);
        inside = false;
    }
}

}  // namespace heed
