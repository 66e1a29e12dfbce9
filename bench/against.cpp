#include "bench/against.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "autograd/base/error.h"
#include "bench/agreement.h"

namespace heed::bench {
namespace {

std::string quoted(const std::string& text) {
    std::string all = "'";
    for (char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
    return all + "'";
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& what)
    : path(std::filesystem::temp_directory_path() /
           fmt::format("heed_bench_{}_{}.safetensors", getpid(), what)) {}
TemporaryFile::~TemporaryFile() { std::filesystem::remove(path); }

std::string pytorch_version(const std::string& python) {
    const std::string command =
        quoted(python) + " -c 'import torch; print(torch.__version__)' 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
    char line[100] = "";
    if (!output || !std::fgets(line, sizeof line, output.get())) return "";
    const std::string version = line;
    return version.substr(0, version.find('\n'));
}

std::string python_with_pytorch() {
    const char* chosen = std::getenv("HEED_PYTHON");
    const std::string python = chosen && *chosen ? chosen : "python3";
    check(
        !pytorch_version(python).empty(),
        "{} has no PyTorch: install the package torch, or set HEED_PYTHON to a Python that has it. "
        "Without --against, only heed is measured.",
        python);
    return python;
}

std::string python_that_has(const std::vector<std::string>& packages) {
    const char* chosen = std::getenv("HEED_PYTHON");
    const std::string python = chosen && *chosen ? chosen : "python3";
    for (const std::string& package : packages)
        check(std::system(
                  (quoted(python) + " -c 'import " + package + "' >/dev/null 2>&1").c_str()) == 0,
              "--against: {} has not the package {}; HEED_PYTHON names a Python that has", python,
              package);
    return python;
}

Worker heed_worker(const Workload& workload, const std::string& own_program, int threads,
                   const std::string& results_file) {
    std::vector<std::string> command{own_program, "--serve", workload.name, "--threads",
                                     std::to_string(threads)};
    if (!results_file.empty()) command.insert(command.end(), {"--results", results_file});
    return Worker(command);
}

Worker python_worker(const std::string& program, const Workload& workload,
                     const std::string& python, int threads, std::vector<std::string> options) {
    // The worker has read the file when it is ready.
    const TemporaryFile file("inputs");
    save(workload, workload.prepare(), file.path);
    const std::string script =
        program == "pytorch" ? "pytorch/worker.py" : "others/" + program + "_worker.py";
    std::vector<std::string> command{python, HEED_SOURCE_DIR "/bench/" + script, file.path,
                                     std::to_string(threads)};
    command.insert(command.end(), options.begin(), options.end());
    return Worker(command);
}

Worker pytorch_worker(const Workload& workload, const std::string& python, int threads,
                      bool compile, const std::string& results_file) {
    std::vector<std::string> options;
    if (!results_file.empty()) options = {"--results", results_file};
    if (compile) options.push_back("--compile");
    return python_worker("pytorch", workload, python, threads, options);
}

Result compare(const Workload& workload, const CompareOptions& options) {
    Result result{workload, {}, {}, {}, {}, options.threads};
    {  // in workers of their own, because the results take memory
        const TemporaryFile ours("heed"), theirs("pytorch");
        heed_worker(workload, options.own_program, options.threads, ours.path);
        pytorch_worker(workload, options.python, options.threads, false, theirs.path);
        check_agreement(workload.name, ours.path, theirs.path);
    }
    Worker heed = heed_worker(workload, options.own_program, options.threads);
    const auto start = [&](int threads) {
        return std::unique_ptr<Worker>(
            new Worker(pytorch_worker(workload, options.python, threads)));
    };
    // Small work is often faster in one thread.
    const std::unique_ptr<Worker> pytorch = start(options.threads);
    const std::unique_ptr<Worker> alone = options.threads > 1 ? start(1) : nullptr;
    Measured one_thread;
    std::unique_ptr<Worker> compiled;
    if (options.compile) try {
            compiled.reset(
                new Worker(pytorch_worker(workload, options.python, options.threads, true)));
        } catch (const Error&) {
            result.remark = "torch.compile fails on this workload";
        }

    const auto measure = [&](Worker& worker, Measured& measured) {
        measured.seconds.push_back(worker.go(options.seconds).median);
    };
    bool disturbed = false;  // in this round
    const auto measure_heed = [&] {
        measure(heed, result.heed);
        const Flops now = flops_now(options.threads);
        result.peaks.push_back(now.best);
        if (!at_full_speed(now, options.peak)) disturbed = true;
    };
    const auto forget_round = [&] {
        for (Measured* measured : {&result.heed, &result.pytorch, &one_thread, &result.compiled})
            if (measured->ran()) measured->seconds.pop_back();
        result.peaks.pop_back();
    };
    for (int round = 0; round < options.rounds; ++round) {
        disturbed = false;
        if (round % 2 == 0) measure_heed();
        measure(*pytorch, result.pytorch);
        if (alone) measure(*alone, one_thread);
        if (compiled) measure(*compiled, result.compiled);
        if (round % 2 == 1) measure_heed();

        if (!at_full_speed(flops_now(options.threads), options.peak)) disturbed = true;
        if (!disturbed || result.repeated == options.rounds) continue;
        forget_round();
        ++result.repeated;
        --round;
    }
    result.heed.memory = heed.end();
    result.pytorch.memory = pytorch->end();
    if (alone) one_thread.memory = alone->end();
    if (alone && median(one_thread.seconds) < median(result.pytorch.seconds)) {
        result.pytorch = one_thread;
        result.pytorch_threads = 1;
    }
    if (compiled) result.compiled.memory = compiled->end();
    return result;
}

}  // namespace heed::bench
