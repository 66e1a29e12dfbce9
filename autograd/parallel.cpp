#include "autograd/parallel.h"

#include <thread>

#include "autograd/check.h"

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
        const int processors = static_cast<int>(std::thread::hardware_concurrency());
        thread_count = processors > 0 ? processors : 1;
    }
    return thread_count;
}

}  // namespace heed
