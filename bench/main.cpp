// ./heed bench: the speed of heed, compared with the peak of the machine and with PyTorch. Reading
// order:
//
//   workload.h      what is measured; kernels.cpp, images.cpp and models.cpp define the workloads
//   pytorch/        the same workloads in PyTorch
//   train.h         the training step of the models
//   peak.h          the peak of the machine
//   machine.h       its registers and caches, and the sizes that follow from them
//   worker.h        a workload in a process of its own
//   agreement.h     whether heed and PyTorch computed the same
//   against.h       heed and PyTorch in turn
//   alone.h         heed without PyTorch, with Google Benchmark
//   race.h          several programs in turn
//   others.h        heed, numpy and JAX
//   published.h     a published model, beside PyTorch and llama.cpp
//   busy.h          beside other programs that use all processors
//   instructions.h  the number of instructions of small operations
//   profile.h       the time of a training step, by operation
//   scaling.h       plots of the cost against length, width, batch and threads
//   results.h       the results as a table and as JSON
//   markdown.h      the results in results/ as the tables of docs/SPEED.md
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/parallel.h"
#include "bench/against.h"
#include "bench/alone.h"
#include "bench/busy.h"
#include "bench/instructions.h"
#include "bench/machine.h"
#include "bench/markdown.h"
#include "bench/others.h"
#include "bench/profile.h"
#include "bench/published.h"
#include "bench/scaling.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/command_line.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::bench {
namespace {

struct Options {
    std::string filter, model, json, serve, results, out = "out/bench";
    std::vector<std::string> against;
    int threads = 0, rounds = 7;
    double seconds = 0.25;
    bool compile = false, busy = false, list = false, instructions = false, scaling = false,
         markdown = false, machine = false;
    std::string profile;
};

std::vector<Result> run_against(const std::vector<Workload>& workloads, const Options& o,
                                const Setting& setting, const std::string& python,
                                const std::string& own_program) {
    fmt::print("PyTorch {}, {} rounds, in turn with heed\n", setting.pytorch, o.rounds);
    print_head(setting);

    std::vector<Result> results;
    for (const Workload& workload : workloads) {
        results.push_back(compare(workload, {own_program, python, o.threads, o.rounds, o.seconds,
                                             setting.peak, o.compile}));
        print(results.back());
    }
    return results;
}

// The Python of `programs`, whose packages have to be there.
std::string python_of(const std::vector<std::string>& programs, bool with_model) {
    std::vector<std::string> packages;
    for (const std::string& program : programs) {
        check(with_model ? program == "llama" || program == "pytorch" : program != "llama",
              "--against {}: only with{} --model FILE.gguf", program, with_model ? "out" : "");
        if (program == "llama")
            packages.push_back("llama_cpp");
        else
            packages.push_back(program == "pytorch" ? "torch" : program);
        if (with_model && program == "pytorch") {
            packages.push_back("transformers");
            packages.push_back("gguf");
        }
    }
    return python_that_has(packages);
}

int run(const Options& o, const std::string& own_program) {
    if (!o.model.empty() && o.serve.empty()) {
        compare_published({o.model, o.against, own_program, python_of(o.against, true), o.threads,
                           o.rounds, o.seconds, o.filter});
        return 0;
    }
    const std::vector<Workload> workloads =
        !o.model.empty() ? published_workloads(o.model)
                         : all_workloads(o.serve.empty() ? o.filter : o.serve);
    if (!o.serve.empty()) {
        for (const Workload& w : workloads)
            if (w.name == o.serve) return serve(w, o.threads, o.results), 0;
        fail("there is no workload {}", o.serve);
    }
    if (!o.profile.empty()) {
        for (const Workload& w : all_workloads(o.profile))
            if (w.name == o.profile) return print_profile(w, o.threads), 0;
        fail("--profile: there is no workload {}; --list shows all names", o.profile);
    }
    if (o.machine) return print_machine(o.threads, o.rounds), 0;
    if (o.instructions) return print_instructions(), 0;
    if (o.scaling) return draw_scaling(o.out, o.threads), 0;
    if (o.markdown) return write_tables(), 0;
    check(!workloads.empty(), "no workload has '{}' in its name; --list shows all names", o.filter);
    if (o.list) {
        for (const Workload& w : workloads) fmt::print("{}\n", w.name);
        return 0;
    }

    if (!o.against.empty() && o.against != std::vector<std::string>{"pytorch"}) {
        const std::string python = python_of(o.against, false);
        check(o.json.empty() && !o.busy && !o.compile,
              "--json, --busy and --compile compare with PyTorch alone");
        compare_with_others(workloads,
                            {o.against, own_program, python, o.threads, o.rounds, o.seconds});
        return 0;
    }
    check(o.json.empty() || std::ofstream(file_to_write(o.json), std::ios::app),
          "--json: cannot write {}", o.json);
    const std::string python = o.against.empty() ? "" : python_with_pytorch();
    const Setting setting{measure_peak(o.threads), o.threads,
                          python.empty() ? "" : pytorch_version(python)};
    const auto keep = [&](const auto& results) {
        if (!o.json.empty()) write_json(o.json, results, setting);
    };
    if (o.busy) {
        keep(measure_busy(workloads,
                          {own_program, python, o.threads, o.rounds, o.seconds, setting.peak}));
        return 0;
    }
    set_threads(o.threads);
    keep(python.empty() ? run_alone(workloads, setting)
                        : run_against(workloads, o, setting, python, own_program));
    return 0;
}

}  // namespace
}  // namespace heed::bench

int main(int argc, char** argv) {
    using namespace heed;
    course::check_environment();
    bench::Options o;
    CLI::App app("Measures the speed of heed.", "./heed bench");
    app.add_option("filter", o.filter, "only workloads whose name contains this");
    app.add_option(
           "--against", o.against,
           "measure each workload in another program too, in turn with heed: pytorch; numpy "
           "for products; jax for products, attention and training; with --model llama, "
           "which is llama.cpp")
        ->check(CLI::IsMember({"pytorch", "numpy", "jax", "llama"}));
    app.add_option("--model", o.model,
                   "a published model, a GGUF file: how fast it reads and writes");
    app.add_flag("--compile", o.compile, "with --against: measure torch.compile too");
    app.add_flag("--busy", o.busy, "measure beside other programs that use all processors");
    app.add_option("--rounds", o.rounds, "with --against or --machine: how often each is measured")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--seconds", o.seconds, "with --against: the time of each program in a round")
        ->check(course::number_between(1e-3, 1e3))
        ->capture_default_str();
    app.add_option("--threads", o.threads, "number of threads; 0: one per processor core")
        ->check(CLI::Range(0, 1024));
    app.add_option("--json", o.json, "write the results to this file");
    app.add_flag("--markdown", o.markdown,
                 "write the tables of docs/SPEED.md and README.md from bench/results/");
    app.add_flag("--machine", o.machine,
                 "what is known of this machine, the sizes that the kernels take from it, and what "
                 "a wrong size would cost");
    app.add_flag("--instructions", o.instructions,
                 "count the instructions of small operations instead");
    app.add_flag("--scaling", o.scaling, "plot the cost against length, width, batch and threads");
    app.add_option("--profile", o.profile,
                   "where the time of this workload's training step goes, by operation");
    app.add_option("--out", o.out, "the folder for the plots of --scaling")->capture_default_str();
    app.add_flag("--list", o.list, "list the names of the workloads");
    app.add_option("--serve", o.serve, "run as the worker of one workload (worker.h)")->group("");
    app.add_option("--results", o.results, "with --serve: write the results here")->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", course::fitted(app.help(), course::screen_of_stdout().limit()));
        return 0;
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);
        course::complain("heed: " + course::command_line_fault(e.what(), "./heed bench") + "\n");
        return 2;
    }
    try {
        if (o.threads == 0) o.threads = heed::threads();
        return bench::run(o, std::filesystem::absolute(argv[0]));
    } catch (const std::exception& e) {
        course::complain("heed: " + course::words_of(e) + "\n");
        return 2;
    }
}
