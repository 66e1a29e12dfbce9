#include "bench/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>

#include "autograd/base/error.h"
#include "autograd/base/processors.h"
#include "autograd/base/whole_file.h"
#include "autograd/kernels/vec.h"

namespace heed::bench {

double median(std::vector<double> values) {
    check(!values.empty(), "median: no values");
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<double> Result::ratios(const Measured& other) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < other.seconds.size(); ++i)
        all.push_back(other.seconds[i] / heed.seconds[i]);
    return all;
}

double Result::share_of_peak() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < peaks.size(); ++i)
        all.push_back(workload.flops / heed.seconds[i] / peaks[i]);
    return median(all);
}

std::string duration(double seconds) {
    for (const auto& [unit, size] : {std::pair("s ", 1.), {"ms", 1e-3}, {"us", 1e-6}})
        if (seconds >= size)
            return fmt::format("{:.{}f} {}", seconds / size, seconds / size < 100 ? 2 : 0, unit);
    return fmt::format("{:.0f} ns", seconds * 1e9);
}

namespace {

constexpr double mebibyte = 1 << 20;
constexpr auto register_bits = 8 * sizeof(float) * Vec<float>::lanes;

std::string mebibytes(double bytes) { return fmt::format("{:.0f}", bytes / mebibyte); }

std::string rate(const Result& r) {
    if (r.workload.flops == 0) return "";
    const double flops = r.workload.flops / median(r.heed.seconds);
    return fmt::format("{:.0f} ({:.0f} %)", flops / 1e9, 100 * r.share_of_peak());
}

}  // namespace

void print_head(const Setting& setting) {
    const auto& [peak, threads, pytorch] = setting;
    fmt::print("{}; registers of {} bits\n", processor_name(), register_bits);
    fmt::print(
        "{} thread{}; measured peak: {:.0f} GFLOP/s in registers ({:.0f} with one thread), {:.1f} "
        "GB/s from memory\n",
        threads, threads == 1 ? "" : "s", peak.flops / 1e9, peak.flops_of_one / 1e9,
        peak.bytes / 1e9);
    if (pytorch.empty()) return;
    fmt::print(
        "Times are medians. A ratio above 1 means that heed is faster. (1): PyTorch is faster with "
        "one thread. Shares are of the peak that was measured in the same rounds.\n\n");
    fmt::print("{:<25} {:>9} {:>13} {:>6} {:>13} {:>8}  {:>14}  {}\n", "", "heed", "PyTorch    ",
               "ratio", "(low - high)", "to reach", "GFLOP/s (peak)",
               "peak MiB of heed and PyTorch");
}

void print(const Result& r) {
    fmt::print("{:<25} {:>9} ", r.workload.name, duration(r.per_unit(r.heed)));
    if (!r.pytorch.ran()) fmt::print("{}", rate(r));
    if (r.pytorch.ran()) {
        const std::vector<double> ratios = r.ratios(r.pytorch);
        const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
        fmt::print("{:>9} {:<3} {:>6.2f} {:>13} {:>8}  {:>14}", duration(r.per_unit(r.pytorch)),
                   r.pytorch_threads == 1 ? "(1)" : "", median(ratios),
                   fmt::format("({:.2f} - {:.2f})", *low, *high),
                   r.workload.to_reach > 0 ? fmt::format("{}", r.workload.to_reach) : "", rate(r));
        if (r.workload.compare_memory)
            fmt::print("  {} and {}; without the program itself {} and {}",
                       mebibytes(r.heed.memory.peak), mebibytes(r.pytorch.memory.peak),
                       mebibytes(r.heed.memory.peak - r.heed.memory.before),
                       mebibytes(r.pytorch.memory.peak - r.pytorch.memory.before));
    }
    if (r.compiled.ran())
        fmt::print("  compiled: {}, ratio {:.2f}", duration(r.per_unit(r.compiled)),
                   median(r.ratios(r.compiled)));
    if (r.repeated > 0)
        fmt::print("  {} round{} repeated: the machine was slower", r.repeated,
                   r.repeated == 1 ? "" : "s");
    fmt::print("{}{}\n", r.remark.empty() ? "" : "  ", r.remark);
    std::fflush(stdout);
}

namespace {

// The commit of the sources, with "-dirty" if they have changed since; "unknown" without git.
std::string commit() {
    const std::unique_ptr<FILE, int (*)(FILE*)> output(
        popen("git -C '" HEED_SOURCE_DIR "' describe --always --dirty --exclude '*' 2>/dev/null",
              "r"),
        pclose);
    char line[100] = "unknown";
    if (output) std::fgets(line, sizeof line, output.get());
    const std::string text = line;
    return text.substr(0, text.find('\n'));
}

std::string today() {
    char date[11];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return date;
}

std::string compiler() {
#ifdef __clang__
    return fmt::format("Clang {}.{}", __clang_major__, __clang_minor__);
#else
    return fmt::format("GCC {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

// What every row says, whatever was measured.
nlohmann::json row_of(const std::string& workload, const Setting& setting) {
    return {{"name", workload},
            {"processor", processor_name()},
            {"registers", register_bits},
            {"threads", setting.threads},
            {"peak", setting.peak.flops},
            {"compiler", compiler()},
            {"pytorch_version", setting.pytorch},
            {"date", today()},
            {"commit", commit()}};
}

}  // namespace

void write_json(const std::string& path, const std::vector<Result>& results,
                const Setting& setting) {
    nlohmann::json list = nlohmann::json::array();
    for (const Result& r : results) {
        nlohmann::json entry = row_of(r.workload.name, setting);
        entry["unit"] = "seconds a " + r.workload.unit;
        entry["heed"] = r.per_unit(r.heed);
        entry["pytorch"] = entry["ratio"] = nullptr;
        if (r.pytorch.ran()) {
            const std::vector<double> ratios = r.ratios(r.pytorch);
            entry["pytorch"] = r.per_unit(r.pytorch);
            entry["ratio"] = median(ratios);
            entry["ratios"] = ratios;
            entry["lowest"] = *std::min_element(ratios.begin(), ratios.end());
            entry["highest"] = *std::max_element(ratios.begin(), ratios.end());
            entry["pytorch_threads"] = r.pytorch_threads;
            entry["repeated_rounds"] = r.repeated;
        }
        if (r.pytorch.ran() && r.workload.compare_memory) {
            entry["heed_peak_bytes"] = r.heed.memory.peak;
            entry["pytorch_peak_bytes"] = r.pytorch.memory.peak;
        }
        if (r.compiled.ran()) {
            entry["pytorch_compiled"] = r.per_unit(r.compiled);
            entry["compiled_ratio"] = median(r.ratios(r.compiled));
        }
        if (r.workload.to_reach > 0) entry["to_reach"] = r.workload.to_reach;
        if (r.workload.flops > 0) entry["share_of_peak"] = r.share_of_peak();
        if (!r.remark.empty()) entry["remark"] = r.remark;
        list.push_back(entry);
    }
    write_whole_file(path, list.dump(2) + "\n");
}

void write_json(const std::string& path, const std::vector<BusyResult>& results,
                const Setting& setting) {
    nlohmann::json list = nlohmann::json::array();
    for (const BusyResult& r : results) {
        list.push_back(row_of(r.workload, setting));
        list.back()["unit"] = "seconds a step";
        list.back()["heed_busy"] = r.heed;
        list.back()["pytorch_busy"] = r.pytorch;
    }
    write_whole_file(path, list.dump(2) + "\n");
}

}  // namespace heed::bench
