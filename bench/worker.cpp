#include "bench/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/parallel.h"
#include "nn/saved/safetensors.h"

namespace heed::bench {
namespace {

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

// On Linux a process inherits ru_maxrss from its parent process, so /proc is read there.
double peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss);
}

}  // namespace

Seconds run_for(const std::function<void()>& step, double budget) {
    std::vector<double> times;
    double spent = 0;
    for (; spent < budget; spent += times.back()) {
        const double start = seconds();
        step();
        times.push_back(seconds() - start);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return {times[times.size() / 2], spent / times.size()};
}

void serve(const Workload& workload, int threads, const std::string& results_file) {
    set_threads(threads);
    const double before = peak_bytes();
    const Prepared work = workload.prepare();
    if (!results_file.empty()) save_safetensors(results_file, {work.results(), {}});
    for (int i = 0; i < 3; ++i) work.step();  // warm-up
    fmt::print("ready\n");
    std::fflush(stdout);

    for (std::string line; std::getline(std::cin, line);) {
        if (line == "end") {
            fmt::print("memory {} {}\n", peak_bytes(), before);
            std::fflush(stdout);
            return;
        }
        const double budget = std::stod(line.substr(line.find(' ')));
        const Seconds took = run_for(work.step, budget);
        fmt::print("took {:.9g} {:.9g}\n", took.median, took.mean);
        std::fflush(stdout);
    }
}

Worker::Worker(const std::vector<std::string>& command) : program_(command[0]) {
    int to[2], from[2];
    check(pipe(to) == 0 && pipe(from) == 0, "bench: cannot make a pipe to {}", program_);
    pid_ = fork();
    check(pid_ >= 0, "bench: cannot start {}", program_);
    if (pid_ == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int end : {to[0], to[1], from[0], from[1]}) close(end);
        std::vector<char*> arguments;
        for (const std::string& part : command)
            arguments.push_back(const_cast<char*>(part.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
    for (int end : {to_, from_}) fcntl(end, F_SETFD, FD_CLOEXEC);
    answer("ready");
}

Worker::~Worker() {
    close(to_);
    close(from_);
    waitpid(pid_, nullptr, 0);
}

Seconds Worker::go(double budget) {
    send(fmt::format("go {}", budget));
    const std::vector<double> numbers = answer("took");
    return {numbers.at(0), numbers.at(1)};
}

Worker::Memory Worker::end() {
    send("end");
    const std::vector<double> numbers = answer("memory");
    return {numbers.at(0), numbers.at(1)};
}

void Worker::send(const std::string& line) {
    const std::string text = line + "\n";
    check(write(to_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
          "bench: {} has ended", program_);
}

std::vector<double> Worker::answer(const std::string& word) {
    const std::string line = read_line();
    std::istringstream words(line);
    std::string first;
    words >> first;
    check(first == word, "bench: {}: expected the answer '{}', found '{}'", program_, word, line);
    std::vector<double> numbers;
    for (double number; words >> number;) numbers.push_back(number);
    return numbers;
}

std::string Worker::read_line() {
    std::string line;
    for (char c; read(from_, &c, 1) == 1;) {
        if (c == '\n') return line;
        line += c;
    }
    return line.empty() ? "nothing" : line;
}

}  // namespace heed::bench
