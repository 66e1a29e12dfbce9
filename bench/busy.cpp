#include "bench/busy.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "autograd/base/error.h"

namespace heed::bench {
namespace {

// Processes that do nothing but use their processor, until this object is destroyed.
class Neighbours {
  public:
    explicit Neighbours(int count) {
        for (int i = 0; i < count; ++i) {
            const pid_t parent = getpid(), process = fork();
            check(process >= 0, "bench: cannot start a busy process");
            if (process == 0)
                for (;;)
                    if (getppid() != parent) _exit(0);  // the bench has ended
            processes_.push_back(process);
        }
    }
    ~Neighbours() {
        for (pid_t process : processes_) kill(process, SIGKILL);
        for (pid_t process : processes_) waitpid(process, nullptr, 0);
    }
    Neighbours(const Neighbours&) = delete;

  private:
    std::vector<pid_t> processes_;
};

struct Contestant {
    std::string name;
    Worker worker;
    std::vector<double> seconds{};  // a step beside 0, 1 and 4 busy processes a processor
};

// The median over the rounds of the mean time of a step, measured in turn. Alone, a round in which the
// machine was not at full speed is measured again, at most as many as there are rounds.
void measure(std::vector<std::unique_ptr<Contestant>>& all, bool alone,
             const CompareOptions& options) {
    std::vector<std::vector<double>> times(all.size());
    int left = alone ? options.rounds : 0;
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < all.size(); ++i)
            times[i].push_back(all[i]->worker.go(options.seconds).mean);
        if (left == 0 || at_full_speed(flops_now(options.threads), options.peak)) continue;
        for (std::vector<double>& t : times) t.pop_back();
        --left;
        --round;
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->seconds.push_back(median(times[i]));
}

}  // namespace

std::vector<BusyResult> measure_busy(const std::vector<Workload>& workloads,
                                     const CompareOptions& options) {
    const int processors = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
    fmt::print(
        "{} threads on {} processors, medians of {} rounds. The ratios are to the time alone; 2 "
        "and 5 "
        "are fair shares.\n\n{:<18} {:<8} {:>10}   {:>10} {:>6}   {:>10} {:>6}\n",
        options.threads, processors, options.rounds, "", "", "alone", "1 busy", "ratio", "4 busy",
        "ratio");
    std::vector<BusyResult> results;
    for (const Workload& workload : workloads) {
        std::vector<std::unique_ptr<Contestant>> all;
        all.emplace_back(
            new Contestant{"heed", heed_worker(workload, options.own_program, options.threads)});
        if (!options.python.empty())
            all.emplace_back(new Contestant{
                "PyTorch", pytorch_worker(workload, options.python, options.threads)});
        for (int busy : {0, 1, 4}) {
            const Neighbours neighbours(busy * processors);
            measure(all, busy == 0, options);
        }
        for (const auto& one : all) {
            const std::vector<double>& s = one->seconds;
            fmt::print("{:<18} {:<8} {:>10}   {:>10} {:>6.2f}   {:>10} {:>6.2f}\n", workload.name,
                       one->name, duration(s[0]), duration(s[1]), s[1] / s[0], duration(s[2]),
                       s[2] / s[0]);
        }
        std::fflush(stdout);
        results.push_back({workload.name, all[0]->seconds,
                           all.size() > 1 ? all[1]->seconds : std::vector<double>{}});
        for (auto& one : all) one->worker.end();
    }
    return results;
}

}  // namespace heed::bench
