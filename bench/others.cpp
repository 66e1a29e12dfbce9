#include "bench/others.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "autograd/base/error.h"
#include "bench/against.h"
#include "bench/agreement.h"
#include "bench/race.h"
#include "bench/results.h"

namespace heed::bench {

bool has_twin(const std::string& program, const Workload& workload) {
    if (program == "numpy") return workload.kind == "gemm";
    if (program == "jax") {
        const auto& kind = workload.kind;
        for (const char* option : {"rotary", "padded", "dropout_percent"})
            if (workload.sizes.contains(option) && workload.sizes.at(option) != 0) return false;
        return kind == "gemm" || kind == "attention" || kind == "mlp" || kind == "gpt";
    }
    return program == "pytorch";
}

void compare_with_others(const std::vector<Workload>& workloads, const OthersOptions& o) {
    std::vector<Workload> compared;
    for (const Workload& w : workloads)
        if (std::any_of(o.against.begin(), o.against.end(),
                        [&](const std::string& other) { return has_twin(other, w); }))
            compared.push_back(w);
    check(!compared.empty(), "--against {}: it has none of these workloads",
          fmt::join(o.against, " "));

    fmt::print(
        "The time of a step, medians of {} rounds; then how many times as fast heed is (lowest and "
        "highest round).\n\n",
        o.rounds);
    fmt::print("| {:<19} | {:>9} |{}\n", "", "heed", heads_of(o.against));
    fmt::print("|{:-<21}|{:-<11}|{}\n", "", "", rules_of(o.against));
    for (const Workload& w : compared) {
        const TemporaryFile ours("heed");
        heed_worker(w, o.own_program, o.threads, ours.path);
        std::vector<Contender> all;
        all.push_back({"heed", std::unique_ptr<Worker>(
                                   new Worker(heed_worker(w, o.own_program, o.threads)))});
        for (const std::string& other : o.against) {
            if (!has_twin(other, w)) continue;
            const TemporaryFile theirs(other);
            all.push_back(
                {other, std::unique_ptr<Worker>(new Worker(python_worker(
                            other, w, o.python, o.threads, {"--results", theirs.path})))});
            check_agreement(w.name, ours.path, theirs.path, other);
        }
        race(all, o.rounds, o.seconds, [] {});
        const auto time = [&](double seconds) { return duration(seconds / w.units); };
        fmt::print("| {:<19} | {:>9} |{}\n", w.name, time(median(all[0].seconds)),
                   cells_of(all, o.against, time));
        std::fflush(stdout);
    }
}

}  // namespace heed::bench
