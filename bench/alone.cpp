#include "bench/alone.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace heed::bench {
namespace {

using Counter = benchmark::Counter;

// Prints the usual table and stores the times.
class Reporter : public benchmark::ConsoleReporter {
  public:
    Reporter(const std::vector<Workload>& workloads, int threads)
        : ConsoleReporter(OO_Tabular), threads_(threads) {
        for (const Workload& w : workloads) results.push_back({w, {}, {}, {}});
    }
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs)
            for (Result& result : results)
                if (run.run_type == Run::RT_Iteration &&
                    run.run_name.function_name == result.workload.name) {
                    result.heed.seconds.push_back(run.real_accumulated_time /
                                                  static_cast<double>(run.iterations));
                    result.peaks.push_back(flops_now(threads_).best);
                }
    }
    std::vector<Result> results;

  private:
    int threads_;
};

}  // namespace

std::vector<Result> run_alone(const std::vector<Workload>& workloads, const Setting& setting) {
    print_head(setting);
    for (const Workload& w : workloads)
        benchmark::RegisterBenchmark(
            w.name.c_str(),
            [&w](benchmark::State& state) {
                const Prepared work = w.prepare();
                work.step();
                for (auto _ : state) work.step();
                const double steps = static_cast<double>(state.iterations());
                if (w.units > 1)
                    state.counters[w.unit + "s/s"] = Counter(w.units * steps, Counter::kIsRate);
                if (w.flops > 0)
                    state.counters["FLOP/s"] = Counter(w.flops * steps, Counter::kIsRate);
            })
            ->Unit(benchmark::kMicrosecond)
            ->UseRealTime();
    Reporter reporter(workloads, setting.threads);
    benchmark::RunSpecifiedBenchmarks(&reporter);
    fmt::print("\nShares of the peak\n");
    for (const Result& result : reporter.results)
        if (result.workload.flops > 0) print(result);
    return reporter.results;
}

}  // namespace heed::bench
