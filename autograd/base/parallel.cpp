#include "autograd/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "autograd/base/error.h"
#include "autograd/base/processors.h"

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace heed {
namespace {

// The most threads that set_threads() accepts.
constexpr int most_threads = 1024;

std::atomic<int> thread_count = 0;  // 0: not known yet

// True in a thread that is computing a chunk. All threads are busy then, so it starts no more.
thread_local bool inside_chunk = false;

// Waits a moment without a call of the operating system.
void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// A thread that waits looks again and again for this long, and then it sleeps. The operations of a
// training step mostly follow each other more quickly. Waking a sleeping thread takes some 5 to 50
// microseconds, and beside other programs it must queue for a processor again: with 200 instead of 50
// microseconds the step of the large translator takes 0.9 times as long beside four busy processes on
// each of two processors, and the other steps 0.9 to 1.02 times. Looking for longer would take the
// processor from other programs; with 400 the small translator itself takes 1.2 times as long there.
constexpr auto patience = std::chrono::microseconds(200);

template <class Value>
void wait_while(const std::atomic<Value>& variable, Value old) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end)
        for (int i = 0; i < 8; ++i) {
            if (variable.load() != old) return;
            pause();
        }
    variable.wait(old);
}

// Lets this thread run soon after it has been called. Where other programs want its processor, it would
// otherwise wait until the one that is running has used up its slice of time, some milliseconds, while
// the caller waits as well. Linux (6.12 and later) runs a thread that asks for shorter slices earlier;
// in all it gets no more time than before. Other systems do not know this request.
//
// What did not help a training step beside four busy processes on each of two processors: slices of 0.4
// to 2 ms, and short slices for the caller too.
void ask_for_short_slices() {
#if defined(__linux__) && defined(SYS_sched_setattr)
    struct {  // sched_attr of the manual page sched_setattr(2)
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } asked{};
    static_assert(sizeof asked == 48);
    constexpr uint64_t nanoseconds = 100'000;  // the shortest slice that Linux grants
    if (syscall(SYS_sched_getattr, 0, &asked, sizeof asked, 0) != 0) return;
    if (asked.policy != SCHED_OTHER) return;
    asked.runtime = nanoseconds;
    syscall(SYS_sched_setattr, 0, &asked, 0);
#endif
}

// The threads that help the calling thread. OpenMP has such a team, too, but it lets every thread
// of the team take part in every loop: on a busy machine the caller waits until the operating
// system has run each of them, although it could have done the work itself. Here the caller waits
// only for threads that have begun a chunk; the chunks of all others it takes over.
class Team {
  public:
    // Computes the work with the calling thread and up to workers - 1 helpers. Returns false, with
    // nothing done, if another thread of the program is using the team.
    bool run(int64_t count, int workers, void (*body)(const void*, int64_t), const void* context) {
        const std::unique_lock lock(in_use_, std::try_to_lock);
        if (!lock) return false;
        start_helpers(workers - 1);

        work_ = {body, context, count, workers};
        for (int w = 0; w < workers; ++w) shares_[w].next = begin_of(w);
        open_ = true;
        for (int w = 1; w < workers; ++w) {
            ++shares_[w].calls;
            shares_[w].calls.notify_one();
        }

        compute_chunks(0);
        open_ = false;
        for (int others; (others = inside_.load()) != 0;) wait_while(inside_, others);
        return true;
    }

  private:
    struct Work {
        void (*body)(const void* context, int64_t i) = nullptr;
        const void* context = nullptr;
        int64_t count = 0;
        int workers = 0;
    };
    // Each worker has a share of the chunks, in their order, so that in successive operations it
    // works on the same part of the memory, which its cache may still hold.
    struct alignas(64) Share {
        std::atomic<int64_t> next = 0;    // the first chunk that nobody has begun
        std::atomic<uint32_t> calls = 0;  // how often its worker has been called
    };

    int64_t begin_of(int worker) const { return work_.count * worker / work_.workers; }

    // First the chunks of the own share, then those that the others have not begun.
    void compute_chunks(int self) {
        inside_chunk = true;
        for (int k = 0; k < work_.workers; ++k) {
            const int owner = (self + k) % work_.workers;
            const int64_t end = begin_of(owner + 1);
            for (int64_t i; (i = shares_[owner].next++) < end;) work_.body(work_.context, i);
        }
        inside_chunk = false;
    }

    void help(int self) {
        ask_for_short_slices();
        for (uint32_t seen = 0;;) {
            wait_while(shares_[self].calls, seen);
            seen = shares_[self].calls;
            // The caller changes work_ only while the team is closed and nobody is inside. A helper
            // that comes too late finds the team closed, and touches nothing.
            ++inside_;
            if (open_ && self < work_.workers) compute_chunks(self);
            if (--inside_ == 0) inside_.notify_one();
        }
    }

    // The helpers are never joined: they end with the process, asleep.
    void start_helpers(int count) {
        for (; helpers_ < count; ++helpers_)
            std::thread([this, self = helpers_ + 1] { help(self); }).detach();
    }

    std::mutex in_use_;
    int helpers_ = 0;
    Work work_;
    std::array<Share, most_threads> shares_;
    std::atomic<int> inside_ = 0;     // helpers that may be reading work_
    std::atomic<bool> open_ = false;  // helpers may begin chunks
};

// Never destroyed, because the helpers use it until the process ends.
Team& team() {
    static Team& team = *new Team;
    return team;
}

}  // namespace

void set_threads(int count) {
    check(count >= 0 && count <= most_threads,
          "set_threads: expected 0 (one per processor) to {}, got {}", most_threads, count);
    thread_count = count;
}

int threads() {
#ifdef __EMSCRIPTEN__
    return 1;  // a page can start none without help of its server
#endif
    if (thread_count == 0) thread_count = usable_processors();
    return thread_count;
}

void run_in_parallel(int64_t count, void (*body)(const void* context, int64_t i),
                     const void* context) {
    const int workers = inside_chunk ? 1 : static_cast<int>(std::min<int64_t>(threads(), count));
    if (workers > 1 && team().run(count, workers, body, context)) return;
    for (int64_t i = 0; i < count; ++i) body(context, i);
}

}  // namespace heed
