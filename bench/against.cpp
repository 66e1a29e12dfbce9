#include "bench/against.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
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

Result compare(const Workload& workload, const CompareOptions& options) {
    const TemporaryFile file;
    save(workload, workload.prepare(), file.path);
    const std::string twin = HEED_SOURCE_DIR "/bench/pytorch/worker.py";
    const std::string threads = std::to_string(options.threads);

    Result result{workload, {}, {}, {}, {}};
    Worker heed({options.own_program, "--serve", workload.name, "--threads", threads});
    Worker pytorch({options.python, twin, file.path, threads});
    check_loss(workload.name, heed.loss(), pytorch.loss());
    std::unique_ptr<Worker> compiled;
    if (options.compile) try {
            compiled = std::make_unique<Worker>(
                std::vector<std::string>{options.python, twin, file.path, threads, "--compile"});
        } catch (const Error&) {
            result.remark = "torch.compile fails on this workload";
        }

    for (int round = 0; round < options.rounds; ++round) {
        result.heed.seconds.push_back(heed.go(options.seconds));
        result.pytorch.seconds.push_back(pytorch.go(options.seconds));
        if (compiled) result.compiled.seconds.push_back(compiled->go(options.seconds));
    }
    result.heed.memory = heed.end();
    result.pytorch.memory = pytorch.end();
    if (compiled) result.compiled.memory = compiled->end();
    return result;
}

}  // namespace heed::bench
