// A benchmark runs in a worker process, so that its memory can be measured. heed and PyTorch have
// one worker each, and both use the same protocol, one line at a time:
//
//     worker      ready                         prepared, and warm
//     command     go 0.5                        run steps for half a second, at least one
//     worker      took 0.00123 0.00125          the seconds per step: their median and their mean
//     command     end
//     worker      memory 31457280 12582912      peak resident bytes; before the preparation
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace heed::bench {

// Per step. The mean contains the steps in which other programs ran, the median does not.
struct Seconds {
    double median = 0, mean = 0;
};
// Runs the step for a budget of seconds, at least once.
Seconds run_for(const std::function<void()>& step, double budget);

// The worker: writes the results of the workload to a file, if one is given, then reads commands
// from standard input and answers on standard output. Returns after `end`.
void serve(const Workload& workload, int threads, const std::string& results_file);

// A worker process, seen from the process that started it.
class Worker {
  public:
    // Starts the program and waits until it is ready. Throws heed::Error, with the last line of the
    // program, if it cannot be started or ends before.
    explicit Worker(const std::vector<std::string>& command);
    ~Worker();
    Worker(const Worker&) = delete;

    Seconds go(double seconds);

    struct Memory {
        double peak = 0, before = 0;  // bytes
    };
    Memory end();

  private:
    std::vector<double> answer(const std::string& word);  // the numbers after the expected word
    void send(const std::string& line);
    std::string read_line();

    std::string program_;
    int pid_ = 0, to_ = -1, from_ = -1;
};

}  // namespace heed::bench
