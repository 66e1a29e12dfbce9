#include "bench/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/base/parallel.h"
#include "autograd/record/profile.h"
#include "bench/results.h"

namespace heed::bench {
namespace {

constexpr double enough_seconds = 2;
constexpr int most_steps = 1000;

using Time = Profile::Time;

double seconds_of(const Time& time) { return time.forward + time.backward; }

double sum_of(const std::map<std::string, Time>& times) {
    double sum = 0;
    for (const auto& [name, time] : times) sum += seconds_of(time);
    return sum;
}

}  // namespace

void print_profile(const Workload& workload, int threads) {
    set_threads(threads);
    const Prepared work = workload.prepare();
    check(static_cast<bool>(work.step_in_parts),
          "--profile: {} has no training step; mlp, cnn, translator_ and gpt_ have one",
          workload.name);
    for (int i = 0; i < 3; ++i) work.step();  // warm-up

    int steps = 0;
    Profile profile;
    while (steps < most_steps && (steps == 0 || sum_of(profile.times()) < enough_seconds)) {
        work.step_in_parts([&](const char* part) { profile.mark(part); });
        ++steps;
    }

    const double total = sum_of(profile.times());
    std::vector<std::pair<std::string, Time>> sorted(profile.times().begin(),
                                                     profile.times().end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return seconds_of(a.second) > seconds_of(b.second);
    });
    fmt::print("{}: {} a step, {} steps, {} thread{}\n\n{:<24} {:>8} {:>9} {:>9} {:>9}\n",
               workload.name, duration(total / steps), steps, threads, threads == 1 ? "" : "s", "",
               "share", "forward", "backward", "calls");
    for (const auto& [name, time] : sorted)
        fmt::print("{:<24} {:>6.1f} % {:>7.1f} % {:>7.1f} % {:>9}\n", name,
                   100 * seconds_of(time) / total, 100 * time.forward / total,
                   100 * time.backward / total, time.calls / steps);
}

}  // namespace heed::bench
