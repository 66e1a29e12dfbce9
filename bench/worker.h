// A benchmark runs in a process of its own, so that its memory is its own, and heed and PyTorch
// take turns in theirs. Both speak one language, a line at a time:
//
//     worker          ready 4.1743                  the loss, from the weights it begins with
//     asked           go 0.5                        run steps for half a second, one at least
//     worker          took 0.00123                  median seconds of a step
//     asked           end
//     worker          memory 31457280 12582912      peak resident bytes; before anything was made
#pragma once

#include <string>
#include <vector>

#include "bench/workload.h"

namespace heed::bench {

// The worker's side, on standard input and output. Returns when told to end.
void serve(const Workload& workload, int threads);

// The asking side.
class Worker {
  public:
    // Starts the program and waits until it is ready. Throws heed::Error when it cannot be started
    // or ends before, with what it wrote last.
    explicit Worker(const std::vector<std::string>& command);
    ~Worker();
    Worker(const Worker&) = delete;

    double loss() const { return loss_; }
    double go(double seconds);  // the median seconds of a step

    struct Memory {
        double peak = 0, before = 0;  // bytes
    };
    Memory end();

  private:
    std::vector<double> answer(const std::string& to);  // the numbers behind the first word
    void ask(const std::string& line);
    std::string read_line();

    std::string program_;
    int pid_ = 0, to_ = -1, from_ = -1;
    double loss_ = 0;
};

}  // namespace heed::bench
