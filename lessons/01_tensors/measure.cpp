#include "lessons/01_tensors/measure.h"

#include <algorithm>
#include <chrono>

#include "autograd/autograd.h"

using namespace heed;
using Clock = std::chrono::steady_clock;

std::vector<Result> measure_speed(const std::vector<Method>& methods, int n, int repetitions,
                                  std::uint64_t seed) {
    Rng rng(seed);
    const Tensor a = normal({n, n}, 0, 1, rng), b = normal({n, n}, 0, 1, rng);
    const Tensor truth = matmul(a, b);
    Tensor c = zeros({n, n});
    const auto multiply = [&](Product* product) {
        if (product)
            product(a.data<float>(), b.data<float>(), c.edit<float>(), n);
        else
            c = matmul(a, b);
    };

    const int threads_before = threads();
    set_threads(1);
    std::vector<double> seconds(methods.size(), 1e9);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (std::size_t i = 0; i < methods.size(); ++i) {
            const int repeats = seconds[i] < 0.01 ? 5 : 1;
            for (int again = 0; again < repeats; ++again) {
                const Clock::time_point start = Clock::now();
                multiply(methods[i].product);
                const std::chrono::duration<double> passed = Clock::now() - start;
                seconds[i] = std::min(seconds[i], passed.count());
            }
        }
    }
    set_threads(threads_before);

    std::vector<Result> results;
    for (std::size_t i = 0; i < methods.size(); ++i) {
        multiply(methods[i].product);
        results.push_back(
            {2e-9 * n * n * n / seconds[i], (max(abs(c - truth)) / max(abs(truth))).item()});
    }
    return results;
}
