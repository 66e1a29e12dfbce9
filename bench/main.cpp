// ./heed bench: how fast heed is; against the machine's limit, and against PyTorch. A reading
// order:
//
//   workload.h      what is measured; kernels.cpp and models.cpp say how it is computed
//   pytorch/        the same in PyTorch
//   peak.h          what the machine can do at most
//   worker.h        a workload in a process of its own
//   against.h       two of them in turn
//   alone.h         without PyTorch, by Google Benchmark
//   instructions.h  counted, not timed: the path of a small operation
//   scaling.h       cost against length, width, batch and threads, drawn
//   results.h       the table, and JSON
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "autograd/base/error.h"
#include "autograd/base/parallel.h"
#include "bench/against.h"
#include "bench/alone.h"
#include "bench/instructions.h"
#include "bench/scaling.h"

namespace heed::bench {
namespace {

struct Options {
    std::string filter, against, json, serve, out = "out/bench";
    int threads = 0, rounds = 7;
    double seconds = 0.25;
    bool compile = false, list = false, instructions = false, scaling = false;
};

std::vector<Result> run_against(const std::vector<Workload>& workloads, const Options& o,
                                const Peak& peak, const std::string& own_program) {
    const char* chosen = std::getenv("HEED_PYTHON");
    const std::string python = chosen && *chosen ? chosen : "python3";
    const std::string version = pytorch_version(python);
    check(
        !version.empty(),
        "there is no PyTorch in {}: pip install torch there, or let HEED_PYTHON name a Python that "
        "has it; without --against heed is measured alone",
        python);
    fmt::print("PyTorch {}, {} rounds in turn\n", version, o.rounds);
    print_head(peak, o.threads, true);

    std::vector<Result> results;
    for (const Workload& workload : workloads) {
        results.push_back(
            compete(workload, {own_program, python, o.threads, o.rounds, o.seconds, o.compile}));
        print(results.back(), peak);
    }
    return results;
}

int run(const Options& o, const std::string& own_program) {
    const std::vector<Workload> workloads = all_workloads(o.serve.empty() ? o.filter : o.serve);
    if (!o.serve.empty()) {
        for (const Workload& w : workloads)
            if (w.name == o.serve) return serve(w, o.threads), 0;
        fail("there is no workload {}", o.serve);
    }
    if (o.instructions) return print_instructions(), 0;
    if (o.scaling) return draw_scaling(o.out, o.threads), 0;
    check(!workloads.empty(), "no workload's name contains '{}'; --list shows them", o.filter);
    if (o.list) {
        for (const Workload& w : workloads) fmt::print("{}\n", w.name);
        return 0;
    }

    const Peak peak = measure_peak(o.threads);
    set_threads(o.threads);
    const std::vector<Result> results = o.against.empty()
                                            ? run_alone(workloads, peak, o.threads)
                                            : run_against(workloads, o, peak, own_program);
    if (!o.json.empty()) write_json(o.json, results, peak, o.threads);
    return 0;
}

}  // namespace
}  // namespace heed::bench

int main(int argc, char** argv) {
    using namespace heed;
    bench::Options o;
    CLI::App app("How fast heed is.", "./heed bench");
    app.add_option("filter", o.filter, "only workloads whose name contains this");
    app.add_option("--against", o.against,
                   "run each in PyTorch too, in turn, from the same weights")
        ->check(CLI::IsMember({"pytorch"}));
    app.add_flag("--compile", o.compile, "with --against: torch.compile as one more column");
    app.add_option("--rounds", o.rounds, "of each program with --against")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--seconds", o.seconds, "of each program in a round")
        ->check(CLI::Range(1e-3, 1e3))
        ->capture_default_str();
    app.add_option("--threads", o.threads, "how many threads; 0: one a processor")
        ->check(CLI::Range(0, 1024));
    app.add_option("--json", o.json, "write the results there");
    app.add_flag("--instructions", o.instructions, "count those of small operations instead");
    app.add_flag("--scaling", o.scaling, "draw cost against length, width, batch and threads");
    app.add_option("--out", o.out, "where --scaling draws")->capture_default_str();
    app.add_flag("--list", o.list, "only name the workloads");
    app.add_option("--serve", o.serve, "be the worker of one workload: see worker.h")->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    try {
        if (o.threads == 0) o.threads = heed::threads();
        return bench::run(o, std::filesystem::absolute(argv[0]));
    } catch (const std::exception& e) {
        fmt::print(stderr, "heed: {}\n", e.what());
        return 2;
    }
}
