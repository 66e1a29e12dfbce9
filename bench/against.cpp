#include "bench/against.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "autograd/base/error.h"

namespace heed::bench {
namespace {

void check_loss(const std::string& name, double ours, double theirs) {
    check(std::abs(ours - theirs) <= 1e-4 * std::max(1., std::abs(theirs)),
          "bench: {}: with the same weights, the loss of heed is {} and that of PyTorch {}", name,
          ours, theirs);
}

// A file that the destructor removes.
struct TemporaryFile {
    std::string path;
    TemporaryFile()
        : path(std::filesystem::temp_directory_path() /
               fmt::format("heed_bench_{}.safetensors", getpid())) {}
    ~TemporaryFile() { std::filesystem::remove(path); }
};

std::string quoted(const std::string& text) {
    std::string all = "'";
    for (char c : text) all += c == '\'' ? "'\\''" : std::string(1, c);
    return all + "'";
}

}  // namespace

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

Worker heed_worker(const Workload& workload, const std::string& own_program, int threads) {
    return Worker({own_program, "--serve", workload.name, "--threads", std::to_string(threads)});
}

Worker pytorch_worker(const Workload& workload, const std::string& python, int threads,
                      bool compile) {
    // The worker has read the file when it is ready.
    const TemporaryFile file;
    save(workload, workload.prepare(), file.path);
    std::vector<std::string> command{python, HEED_SOURCE_DIR "/bench/pytorch/worker.py", file.path,
                                     std::to_string(threads)};
    if (compile) command.push_back("--compile");
    return Worker(command);
}

Result compare(const Workload& workload, const CompareOptions& options) {
    Result result{workload, {}, {}, {}, {}};
    Worker heed = heed_worker(workload, options.own_program, options.threads);
    Worker pytorch = pytorch_worker(workload, options.python, options.threads);
    check_loss(workload.name, heed.loss(), pytorch.loss());
    std::unique_ptr<Worker> compiled;
    if (options.compile) try {
            compiled.reset(
                new Worker(pytorch_worker(workload, options.python, options.threads, true)));
        } catch (const Error&) {
            result.remark = "torch.compile fails on this workload";
        }

    for (int round = 0; round < options.rounds; ++round) {
        result.heed.seconds.push_back(heed.go(options.seconds).median);
        result.pytorch.seconds.push_back(pytorch.go(options.seconds).median);
        if (compiled) result.compiled.seconds.push_back(compiled->go(options.seconds).median);
    }
    result.heed.memory = heed.end();
    result.pytorch.memory = pytorch.end();
    if (compiled) result.compiled.memory = compiled->end();
    return result;
}

}  // namespace heed::bench
