#include "autograd/base/processors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace heed {
namespace {

// Reads a positive whole number at the beginning of `text` and removes it.
std::optional<int64_t> take_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number <= 0) return {};
    text.remove_prefix(end - text.data());
    return number;
}

int processors_of_affinity() {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
#endif
    return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

// The text after "key : " in /proc/cpuinfo; empty if there is none.
std::string fact_of_processor(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key)) continue;
        if (line.find_first_not_of(" \t", key.size()) != colon) continue;
        const std::size_t text = line.find_first_not_of(" \t", colon + 1);
        return text == std::string::npos ? "" : line.substr(text);
    }
    return "";
}

// The first line of a file; empty if there is none.
std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

}  // namespace

std::optional<int64_t> bytes_of_size(std::string_view size) {
    const std::optional<int64_t> number = take_number(size);
    if (!number || *number > (int64_t{1} << 40)) return {};
    if (size.empty()) return *number;
    if (size == "K") return *number << 10;
    if (size == "M") return *number << 20;
    return {};
}

std::optional<int64_t> cache_bytes(int level) {
    for (int i = 0; i < 8; ++i) {
        const std::string cache = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
        if (line_of(cache + "level") == std::to_string(level) &&
            line_of(cache + "type") != "Instruction")
            return bytes_of_size(line_of(cache + "size"));
    }
    return {};
}

std::string processor_name() {
    const std::string name = fact_of_processor("model name");
    if (name.empty()) return "unknown processor";
    return name + ", family " + fact_of_processor("cpu family") + ", model " +
           fact_of_processor("model");
}

std::optional<int> threads_asked_for(std::string_view omp_num_threads) {
    const std::optional<int64_t> count = take_number(omp_num_threads);
    const std::size_t rest = omp_num_threads.find_first_not_of(" \t");
    const bool ends = rest == std::string_view::npos || omp_num_threads[rest] == ',';
    if (!count || *count > 1024 || !ends) return {};
    return static_cast<int>(*count);
}

std::optional<int> processors_of_quota(std::string_view cpu_max) {
    const std::optional<int64_t> quota = take_number(cpu_max), period = take_number(cpu_max);
    if (!quota || !period) return {};
    return static_cast<int>(std::min<int64_t>((*quota - 1) / *period + 1, 1024));
}

int usable_processors() {
    if (const char* asked = std::getenv("OMP_NUM_THREADS"))
        if (const auto count = threads_asked_for(asked)) return *count;
    int count = processors_of_affinity();
    // A container sees its own control group at this path.
    if (const auto paid = processors_of_quota(line_of("/sys/fs/cgroup/cpu.max")))
        count = std::min(count, *paid);
    return count;
}

}  // namespace heed
