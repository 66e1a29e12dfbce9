// The measurements, as a table on the terminal and as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench/peak.h"
#include "bench/worker.h"

namespace heed::bench {

// The seconds per step of one program, for each round.
struct Measured {
    std::vector<double> seconds;
    Worker::Memory memory;
    bool ran() const { return !seconds.empty(); }
};
double median(std::vector<double> values);

struct Result {
    Workload workload;
    Measured heed, pytorch, compiled;  // round i of all of them was measured in turn
    std::vector<double> peaks{};       // of the machine in these rounds, in operations per second
    int pytorch_threads = 0;           // the number that suits it better: all, or one
    int repeated = 0;                  // rounds measured again, because the machine was slower then
    std::string remark{};              // why a measurement is missing

    double per_unit(const Measured& m) const { return median(m.seconds) / workload.units; }
    // The speed of heed relative to the other, for each round.
    std::vector<double> ratios(const Measured& other) const;
    // How much of the peak heed's floating-point operations reach; 0 for work that is not counted.
    double share_of_peak() const;
};

// "1.23 ms"
std::string duration(double seconds);

// What a time depends on besides the workload and the machine; each row of the JSON says it.
struct Setting {
    Peak peak{};
    int threads = 0;
    std::string pytorch{};  // its version; empty if heed was measured alone
};

void print_head(const Setting& setting);
void print(const Result& result);

// A list of objects: name, unit, heed, pytorch, ratio (null without PyTorch), where, when and with
// which commit it was measured, and more. bench/markdown.h makes tables of it.
void write_json(const std::string& path, const std::vector<Result>& results,
                const Setting& setting);

// The same for busy.h: of each program the seconds of a step beside 0, 1 and 4 busy processes a
// processor.
struct BusyResult {
    std::string workload;
    std::vector<double> heed, pytorch;  // the second is empty without PyTorch
};
void write_json(const std::string& path, const std::vector<BusyResult>& results,
                const Setting& setting);

}  // namespace heed::bench
