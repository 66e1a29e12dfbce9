#include "bench/peak.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/vec.h"

namespace heed::bench {
namespace {

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

// Multiply-adds in registers, on twelve independent sums: more than the eight that hide a latency
// of four cycles on two units, and few enough for sixteen registers.
constexpr int64_t steps = 500'000;
constexpr int independent_sums = 12;

// The first value is only known at run time. If the compiler knows it, it leaves out the sum that
// begins with 1, because 0.999 + 1e-3 = 1, and the peak comes out 12/11 too high.
float multiply_adds(const volatile float& first) {
    const float x = first;
    Vec<float>
        sums[independent_sums];  // different initial values, or the compiler would merge them
    for (int i = 0; i < independent_sums; ++i) sums[i] = Vec<float>(x + static_cast<float>(i));
    const Vec<float> a(0.999), b(1e-3);
    for (int64_t i = 0; i < steps; ++i)
        for (Vec<float>& sum : sums) sum = sum * a + b;
    Vec<float> total(0.0);
    for (const Vec<float>& sum : sums) total += sum;
    return sum(total);
}

// The sum of many numbers; adding costs nothing compared with loading them.
float read(const float* p, int64_t count) {
    Vec<float> sums[8];
    for (Vec<float>& sum : sums) sum = Vec<float>(0.0);
    constexpr int64_t lanes = Vec<float>::lanes;
    for (int64_t i = 0; i + 8 * lanes <= count; i += 8 * lanes)
        for (int64_t j = 0; j < 8; ++j) sums[j] += Vec<float>::load(p + i + j * lanes);
    Vec<float> total(0.0);
    for (const Vec<float>& sum : sums) total += sum;
    return sum(total);
}

// The times of several runs, the shortest first. The shortest shows the peak, because disturbances
// only make a run longer.
template <class Work>
std::vector<double> sorted_times(int runs, const Work& work) {
    std::vector<double> times(runs);
    for (double& time : times) {
        const double start = seconds();
        work();
        time = seconds() - start;
    }
    std::ranges::sort(times);
    return times;
}

}  // namespace

Peak measure_peak(int threads) {
    return {flops_now(threads).best, flops_now(1).best, bytes_now(threads)};
}

double bytes_from(int64_t bytes) {
    // A register that begins in the middle of a cache line costs two loads, which would hide the first cache.
    constexpr std::size_t line = 64;
    const int64_t count = bytes / static_cast<int64_t>(sizeof(float));
    const std::vector<float> numbers(count + line / sizeof(float), 1.f);
    const auto address = reinterpret_cast<std::uintptr_t>(numbers.data());
    const float* first = numbers.data() + (line - address % line) % line / sizeof(float);
    const int64_t passes = std::max<int64_t>((4 << 20) / bytes, 1);
    volatile float kept = 0;  // otherwise the compiler could remove all of this
    const double fetch_seconds = sorted_times(20, [&] {
        for (int64_t i = 0; i < passes; ++i) kept = kept + read(first, count);
    })[0];
    return static_cast<double>(bytes * passes) / fetch_seconds;
}

double bytes_now(int threads) {
    const int before = heed::threads();
    set_threads(threads);
    std::vector<float> results(threads);
    const int64_t part = 32 << 20;  // 128 MiB for each thread
    const std::vector<float> numbers(part * threads, 1.f);
    const auto fetch = [&] {
        parallel_for(threads, 1, [&](int64_t i, int64_t) {
            results[i] += read(numbers.data() + i * part, part);
        });
    };
    const double fetch_seconds = sorted_times(5, fetch).front();
    set_threads(before);

    volatile float kept = 0;  // otherwise the compiler could remove all of this
    for (float x : results) kept = kept + x;
    return 4. * part * threads / fetch_seconds;
}

Flops flops_now(int threads) {
    const int before = heed::threads();
    set_threads(threads);
    std::vector<float> results(threads);
    const std::vector<double> times = sorted_times(40, [&] {
        parallel_for(threads, 1,
                     [&](int64_t i, int64_t) { results[i] = multiply_adds(results[i]); });
    });
    set_threads(before);

    volatile float kept = 0;  // otherwise the compiler could remove all of this
    for (float x : results) kept = kept + x;
    const double operations = 2. * Vec<float>::lanes * independent_sums * steps * threads;
    return {operations / times.front(), operations / times[times.size() / 2]};
}

bool at_full_speed(const Flops& now, const Peak& peak) { return now.median >= 0.8 * peak.flops; }

}  // namespace heed::bench
